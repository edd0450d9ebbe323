// Everything that can be held without running the service: format, lint, types, directions of imports, documents.
import { prepare, run } from './prepare.mjs';

await prepare();
const node = process.execPath;
await run('format and lint clean', node, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
for (const project of ['tsconfig.check.json', 'packages/console', 'e2e'])
  await run(`types of ${project} right`, node, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project]);
await run('', node, ['scripts/check-imports.mjs']);
await run('', node, ['scripts/docs.mjs', '--check']);
// What docs/openapi.json says is what the service answers: a test holds them together.
await run('OpenAPI document lint clean', node, ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'docs/openapi.json'], {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
});
