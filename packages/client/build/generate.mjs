// Generates src/contract.generated.ts from the contract: `node packages/client/build/generate.mjs`.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const { module } = await runnerImport(at('./contract-types.ts'), {
  logLevel: 'error',
  // From the sources, so that nothing has to be built first.
  resolve: { alias: { '@store-sales/contract': at('../../contract/src/index.ts') } },
});
const file = at('../src/contract.generated.ts');
writeFileSync(file, await module.contractTypes());
const biome = at('../../../node_modules/@biomejs/biome/bin/biome');
const formatted = spawnSync(process.execPath, [biome, 'format', '--write', file], { stdio: 'inherit' });
process.exit(formatted.status ?? 1);
