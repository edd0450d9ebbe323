// Static checks: format, lint, types, import directions, generated documents.
import { prepare, run } from './prepare.mjs';

await prepare();
const node = process.execPath;
await run('format and lint checked', node, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
for (const project of ['tsconfig.check.json', 'packages/console', 'e2e'])
  await run(`types of ${project} checked`, node, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project]);
await run('directions of imports right', node, [
  'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
  '--config',
  '.dependency-cruiser.mjs',
  ...['contract', 'server', 'client'].map((name) => `packages/${name}/src`),
  'packages/server/test',
  'e2e',
  'bench',
]);
await run('', node, ['scripts/docs.mjs', '--check']);
// A test checks that docs/openapi.json equals the document of the service.
await run('OpenAPI document linted', node, ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'docs/openapi.json'], {
  ...process.env,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
});
