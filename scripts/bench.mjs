// Builds and runs one of the benchmarks: node scripts/bench.mjs lists [postgres]
import { prepare, run } from './prepare.mjs';

await prepare();
const [name, ...args] = process.argv.slice(2);
await run('', process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'bench']);
await run('', process.execPath, [`bench/dist/${name}.js`, ...args]);
