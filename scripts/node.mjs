// Under a Node that is too old for the service, the scripts fetch a current one from the npm registry into the clone and
// run again with it. `node scripts/node.mjs` prints the folder of the one that they use, for PATH.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const FETCHED = '24.21.0';

const [major, minor] = process.versions.node.split('.').map(Number);
const isRecent = major > 22 || (major === 22 && minor >= 14);

/** Runs npm with this Node, or with another one of its own. */
export const npmCommand = (node = process.execPath) =>
  process.env.npm_execpath ? [node, [process.env.npm_execpath]] : ['npm', []];

/** The bin folder of a version in the npm registry. */
export function fetchNode(version) {
  const prefix = join(root, '.cache/node', version);
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const bin = join(prefix, 'node_modules', name, 'bin');
  if (existsSync(bin)) return bin;
  console.error(`Fetching Node ${version} …`);
  const [command, args] = npmCommand();
  const options = ['--prefix', prefix, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync(command, [...args, 'install', ...options, `${name}@${version}`], {
    stdio: ['ignore', 2, 2],
  });
  if (status === 0 && existsSync(bin)) return bin;
  console.error(`Node ${version} could not be fetched. Install Node 22.14 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

const binFolder = () => (isRecent ? dirname(process.execPath) : fetchNode(FETCHED));

/** Returns under a recent Node; otherwise runs this program again with one, and exits as it does. */
export async function requireRecentNode() {
  if (isRecent) return;
  const bin = binFolder();
  const child = spawn(join(bin, 'node'), process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  await new Promise(() => {
    child.on('exit', (code, signal) => process.exit(signal ? 1 : code));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(binFolder());
