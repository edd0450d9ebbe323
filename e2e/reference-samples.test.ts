import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { languages, type SampleRequest } from '@store-sales/server/apidocs/code-samples';
import { Reference } from '@store-sales/server/apidocs/document';
import { sampleRequest } from '@store-sales/server/apidocs/operation-sample';
import { loadDemo } from '@store-sales/server/demo/load';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService } from '../packages/server/test/service.ts';

/**
 * Runs the samples of the reference, as they are shown, against the demo store that `npm start` creates. Only the ids in
 * paths are replaced by ids of that store.
 */

const folder = mkdtempSync(join(tmpdir(), 'store-sales-samples-'));
symlinkSync(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const works = (command: string, args: string[]) => spawnSync(command, args).status === 0;
const hasPython = works('python3', ['--version']);
const hasRequests = hasPython && works('python3', ['-c', 'import requests']);
const hasPhp = works('php', ['--version']);
const phpRuns = hasPhp && works('php', ['-r', 'exit(function_exists("curl_init") ? 0 : 1);']);

const extensions: Record<string, string> = { curl: 'sh', javascript: 'mjs', python: 'py', php: 'php' };

const operations = new Reference('https://sales.example', '0').groups.flatMap((group) => group.operations);

function execute(command: string, args: string[], env: Record<string, string>) {
  return new Promise<{ failure: string; output: string }>((resolve) =>
    execFile(command, args, { cwd: folder, env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
      resolve({ failure: error ? stderr || error.message : '', output: stdout }),
    ),
  );
}

/** Each language has its own store, because a second payment type with the same code is rejected. */
describe.each(Object.entries(languages))('%s', (language, { write }) => {
  let service: Awaited<ReturnType<typeof startService>>;
  let apiKey: string;

  beforeAll(async () => {
    service = await startService();
    ({ apiKey } = await loadDemo(service.db, service.config.SECRET_KEY, service.clock.now));
  });

  /** A record of the list: the one that an earlier sample created, because its name is taken for others. */
  async function idFor({ path, body }: SampleRequest) {
    const { data } = (await service.get(path.replace('/{id}', ''), apiKey)).body;
    const { name } = (body ?? {}) as { name?: string };
    return (data.find((record: any) => record.name === name) ?? data[0]).id as string;
  }

  const sampleOf = async (operation: (typeof operations)[number]) => {
    const request = sampleRequest(new Reference(service.url, '0'), operation);
    const id = request.id && (await idFor(request));
    return write({ ...request, id });
  };

  test.each(operations)('$operationId', async (operation) => {
    const sample = await sampleOf(operation);
    const file = join(folder, `${operation.operationId}.${extensions[language]}`);
    writeFileSync(file, sample);
    const env = { API_KEY: apiKey };
    const [status] = operation.endpoint.statuses;
    if (language === 'curl') {
      const { failure, output } = await execute('sh', ['-c', `${sample} -s -w '\n%{http_code}'`], env);
      expect([failure, output.split('\n').at(-1)]).toEqual(['', String(status)]);
    } else if (language === 'javascript') {
      const { failure, output } = await execute(process.execPath, [file], env);
      expect(failure).toBe('');
      expect(output).toMatch(
        operation.operationId.startsWith('list') ? /^(\[|\{\s+data: \[)/ : /[iI]d: '[0-9a-f-]{36}'/,
      );
    } else if (language === 'python') {
      if (!hasPython) return;
      if (!hasRequests)
        return void expect(await execute('python3', ['-m', 'py_compile', file], env)).toMatchObject({ failure: '' });
      const { failure, output } = await execute('python3', [file], env);
      expect(failure).toBe('');
      expect(output).toMatch(new RegExp(`^${status} \\{'data': `));
    } else if (hasPhp) {
      const { failure, output } = await execute('php', phpRuns ? [file] : ['-l', file], env);
      expect(failure).toBe('');
      if (phpRuns) expect(output).toMatch(new RegExp(`^${status}\n`));
    }
  });
});
