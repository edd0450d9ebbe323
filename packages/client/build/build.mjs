// Builds the published package: three entry points, as ESM and CommonJS with types, without dependencies.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const dist = at('../dist/');

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
await bundle();
writeDeclarations();

async function bundle() {
  const entries = ['index', 'webhooks', 'testing'];
  const input = Object.fromEntries(entries.map((name) => [name, at(`../src/${name}.ts`)]));
  // Bundles the contract's signature functions from their source.
  const built = await rolldown({ input, resolve: { conditionNames: ['store-sales:source'] }, tsconfig: false });
  const common = { dir: dist, comments: false, chunkFileNames: 'shared-[hash].js' };
  await built.write({ ...common, format: 'esm', entryFileNames: '[name].js' });
  await built.write({ ...common, format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: 'shared-[hash].cjs' });
  await built.close();
}

/** Writes the type declarations, including the contract's signature, for ESM and CommonJS. */
function writeDeclarations() {
  execFileSync(process.execPath, [at('../../../node_modules/typescript/bin/tsc'), '-b', at('..')], {
    stdio: 'inherit',
  });
  const types = `${dist}.types/`;
  const files = readdirSync(types).filter((name) => name.endsWith('.d.ts'));
  const sources = files.map((name) => [name, readFileSync(types + name, 'utf8')]);
  sources.push(['signature.d.ts', readFileSync(at('../../contract/dist/webhooks/signature.d.ts'), 'utf8')]);
  for (const [name, source] of sources) {
    const text = source
      .replaceAll("'@store-sales/contract/signature'", "'./signature.js'")
      .replace(/\n?\/\/# sourceMappingURL=.*/, '')
      .replace(/(["']\.\/[\w.]+)\.ts(["'])/g, '$1.js$2');
    if (text.includes('@store-sales/contract/') || text.includes('typebox'))
      throw new Error(`${name} is not self-contained`);
    writeFileSync(dist + name, text);
    writeFileSync(dist + name.replace(/\.d\.ts$/, '.d.cts'), text.replace(/(["']\.\/[\w.]+)\.js(["'])/g, '$1.cjs$2'));
  }
}
