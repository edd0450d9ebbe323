// Builds and runs a benchmark: node scripts/bench.mjs growth [postgres]
import { prepare, run } from './prepare.mjs';

await prepare();
const [name, ...args] = process.argv.slice(2);
await run('', process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'bench']);
await run('', process.execPath, [`bench/dist/${name}.js`, ...args]);
