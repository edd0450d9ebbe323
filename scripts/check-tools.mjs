// Checks the packed client, the OpenAPI document, the tools of agents and the Kubernetes manifests with the programs that
// others use. They are 260 MB, so they are installed only here, in scripts/tools.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root, run } from './prepare.mjs';

await prepare();
const tools = join(root, 'scripts/tools');
const [npm, npmArgs] = process.env.npm_execpath ? [process.execPath, [process.env.npm_execpath]] : ['npm', []];
const installed = join(tools, 'node_modules/.installed');
const lock = readFileSync(join(tools, 'package-lock.json'), 'utf8');
if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('tools installed', npm, [...npmArgs, 'ci', '--prefix', tools, ...options]);
  writeFileSync(installed, lock);
}

// Inside, so that the generated sources find zod.
const out = mkdtempSync(join(tools, 'generated-'));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const tool = (done, file, ...args) => run(done, process.execPath, [join(tools, 'node_modules', file), ...args]);
const openapi = join(root, 'docs/openapi.json');

const packed = mkdtempSync(join(tmpdir(), 'store-sales-pack-'));
process.on('exit', () => rmSync(packed, { recursive: true, force: true }));
const packArgs = ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed];
await run('client packed', npm, [...npmArgs, ...packArgs, '--workspace', 'packages/client']);
const tarball = join(packed, readdirSync(packed)[0]);
await tool('publint', 'publint/src/cli.js', tarball, '--strict');
await tool('types of the package resolve', '@arethetypeswrong/cli/dist/index.js', tarball, '--format', 'ascii');

await tool(
  'OpenAPI document linted by Spectral',
  '@stoplight/spectral-cli/dist/index.js',
  ...['lint', openapi, '--ruleset', join(tools, 'spectral.mjs'), '--fail-severity', 'hint'],
);
const output = (client) => ({
  input: openapi,
  output: { target: join(out, `orval-${client}.ts`), client, mode: 'single' },
});
writeFileSync(
  join(out, 'orval.config.mjs'),
  `export default ${JSON.stringify({ fetch: output('fetch'), zod: output('zod') })};`,
);
await tool('orval: fetch and zod', 'orval/dist/bin/orval.mjs', '--config', join(out, 'orval.config.mjs'));
await tool(
  'hey-api',
  '@hey-api/openapi-ts/bin/run.js',
  ...['--input', openapi, '--output', join(out, 'hey-api'), '--no-log-file', '--silent'],
);
await run('Kubernetes manifests valid', process.execPath, [
  join(tools, 'kubernetes.mjs'),
  join(root, 'deploy/kubernetes/store-sales.yaml'),
  join(out, 'kubernetes.ts'),
]);
await run('MCP conformance', process.execPath, [join(tools, 'mcp.mjs')]);
const compilerOptions = {
  ...{ target: 'ES2023', lib: ['ES2023', 'DOM', 'DOM.Iterable'], module: 'ESNext', moduleResolution: 'bundler' },
  ...{ strict: true, noEmit: true, skipLibCheck: true, types: [] },
};
writeFileSync(join(out, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }));
await run('generated clients and manifests compiled', process.execPath, [
  join(root, 'node_modules/typescript/bin/tsc'),
  '-p',
  out,
]);
