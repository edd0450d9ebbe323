// Builds what is run: our own modules and the schema library in a few files. Node opens each file of an import by
// itself, and there are eight hundred of them (docs/decisions/speed.md).
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const dir = at('../program');
// What the server installs stays where it is; the contract, with the schema library behind it, goes in.
const { '@store-sales/contract': _, ...installed } = JSON.parse(
  readFileSync(at('../package.json'), 'utf8'),
).dependencies;

rmSync(dir, { recursive: true, force: true });
const built = await rolldown({
  input: { 'store-sales': at('../src/cli/main.ts'), quickstart: at('../src/cli/quickstart.ts') },
  platform: 'node',
  resolve: { conditionNames: ['store-sales:source', 'import'] },
  external: Object.keys(installed).map((name) => new RegExp(`^${name}(/|$)`)),
  tsconfig: false,
});
await built.write({ dir, format: 'esm', comments: false });
await built.close();
