// Bundles our modules and the schema library into a few files: opening eight hundred files makes the start slow
// (docs/performance.md).
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const dir = at('../program');
// Dependencies stay external, except the contract and its schema library.
const { '@store-sales/contract': _, ...installed } = JSON.parse(
  readFileSync(at('../package.json'), 'utf8'),
).dependencies;

rmSync(dir, { recursive: true, force: true });
const built = await rolldown({
  input: {
    'store-sales': at('../src/cli/run.ts'),
    quickstart: at('../src/cli/quickstart.ts'),
    'decode-picture': at('../src/files/decode-picture.ts'),
  },
  platform: 'node',
  resolve: { conditionNames: ['store-sales:source', 'import'] },
  external: Object.keys(installed).map((name) => new RegExp(`^${name}(/|$)`)),
  tsconfig: false,
});
await built.write({ dir, format: 'esm', comments: false });
await built.close();
