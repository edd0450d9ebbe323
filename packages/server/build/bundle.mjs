// Builds what is run: our own modules and the schema library in a few files. Node opens each file of an import by
// itself, and there are eight hundred of them (docs/decisions/speed.md).
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const dir = at('../program');

rmSync(dir, { recursive: true, force: true });
const built = await rolldown({
  input: { 'store-sales': at('../src/cli/main.ts'), quickstart: at('../src/cli/quickstart.ts') },
  platform: 'node',
  resolve: { conditionNames: ['store-sales:source', 'import'] },
  external: (name) => !/^([./]|@store-sales\/|typebox)/.test(name),
  tsconfig: false,
});
await built.write({ dir, format: 'esm', comments: false });
await built.close();
