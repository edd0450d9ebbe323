// Everything that can be held without running the service: format, lint, types, directions of imports, documents.
import { install, run } from './prepare.mjs';

await install();
const node = process.execPath;
await run('format and lint clean', node, ['node_modules/@biomejs/biome/bin/biome', 'check', '.']);
await run('types right', node, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.check.json']);
await run('', node, ['scripts/check-imports.mjs']);
await run('', node, ['scripts/docs.mjs', '--check']);
