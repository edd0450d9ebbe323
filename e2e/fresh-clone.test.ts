import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { engine } from '../packages/server/test/database.ts';
import { freePort } from './cluster.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The files that a clone would have, in a new folder. Installed packages are linked: installing them takes minutes. */
function clone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-sales-clone-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of new Set(files.toString().split('\0').filter(Boolean)))
    cpSync(join(root, file), join(folder, file), { force: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The shell commands of the guide that take an endpoint, one for each line. */
function commands(): string[] {
  const guide = readFileSync(join(root, 'docs/receiving-webhooks.md'), 'utf8');
  const block = /^```sh\n(export WEBHOOK_ALLOW_INTERNAL=true\n[\s\S]*?)^```$/m.exec(guide)?.[1] as string;
  return block.trim().split('\n');
}

test.runIf(engine === 'sqlite' && existsSync(join(root, '.git')))(
  'pasting the guide leads from a clone to a verified webhook',
  async () => {
    const started = Date.now();
    const folder = clone();
    const [port, receiverPort] = [await freePort(), await freePort()];
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), WEBHOOK_ALLOW_INTERNAL: 'true' };
    const running: (() => void)[] = [];
    const [allow, list, add, listen, ping] = commands() as [string, string, string, string, string];

    /** Runs a line in the shell; `printed` waits until the output matches. */
    function start(line: string) {
      const child = spawn('sh', ['-c', `${allow}; ${line}`], { cwd: folder, env, detached: true });
      let output = '';
      const collect = (data: Buffer) => {
        output += data;
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
      running.push(() => process.kill(-(child.pid as number), 'SIGKILL'));
      return {
        async printed(pattern: RegExp) {
          await expect.poll(() => output, { timeout: 100_000 }).toMatch(pattern);
          return pattern.exec(output)?.[0] as string;
        },
      };
    }

    try {
      await start('npm start').printed(/Store Sales is ready/);
      const id = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
      const storeId = await start(list).printed(id);
      const added = start(add.replace('<store id>', storeId).replace('4000', String(receiverPort)));
      const endpointId = await added.printed(id);
      const secret = await added.printed(/whsec_\S+/);
      const receiver = start(listen.replace('whsec_…', secret).replace('4000', String(receiverPort)));
      await receiver.printed(/[Ll]istening/);
      start(ping.replace('<endpoint id>', endpointId));
      await receiver.printed(/ping .* signature ok/);
      console.info(
        `from a clone to a verified webhook, packages installed: ${Math.round((Date.now() - started) / 1000)} s`,
      );
    } finally {
      for (const kill of running)
        try {
          kill();
        } catch {
          // It has ended.
        }
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
