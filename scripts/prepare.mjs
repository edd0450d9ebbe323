// Brings a clone to where it can run: installs what is missing, builds what is stale. Needs Node and npm only.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const targets = [
  {
    name: 'program',
    inputs: ['packages/contract', 'packages/server'],
    stamp: 'packages/server/program/.built',
    command: ['packages/server/build/bundle.mjs'],
  },
  {
    // For tests and benchmarks, which use parts of it; the console uses the contract.
    name: 'server',
    inputs: ['tsconfig.base.json', 'packages/contract', 'packages/server'],
    stamp: 'packages/server/dist/.built',
    command: ['node_modules/typescript/bin/tsc', '-b', 'packages/server'],
  },
  {
    name: 'client',
    inputs: ['tsconfig.base.json', 'packages/contract', 'packages/client'],
    stamp: 'packages/client/dist/.built',
    command: ['packages/client/build/build.mjs'],
  },
  {
    name: 'console',
    inputs: ['packages/contract', 'packages/console'],
    stamp: 'packages/console/dist/.built',
    command: ['node_modules/vite/bin/vite.js', 'build', 'packages/console', '--logLevel', 'warn'],
  },
];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node 20.19 or later is needed; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs and builds; says what it does only when there is something to do. */
export async function prepare() {
  await install();
  for (const target of targets) await build(target);
}

export async function install() {
  const stamp = join(root, 'node_modules/.installed');
  const wanted = hash([
    readFileSync(join(root, 'package-lock.json')),
    `${process.platform} ${process.arch} ${process.versions.modules}`,
  ]);
  if (read(stamp) === wanted) return;
  console.log('Installing dependencies (once; a few minutes where the SQLite driver has to be compiled) …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  await run('installed', command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(stamp, wanted);
}

async function build({ name, inputs, stamp, command }) {
  const file = join(root, stamp);
  const wanted = fingerprint(inputs);
  if (read(file) === wanted) return;
  console.log(`Building ${name} …`);
  await run(`${name} built`, process.execPath, command);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, wanted);
}

/** Runs a program in the repository with its output in view; ends this process if it fails. */
export function run(done, command, args, env = process.env) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      process.exit(1);
    });
    child.on('exit', (code, signal) => {
      if (code !== 0) process.exit(signal ? 1 : code);
      if (done) console.log(`  ${done} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
      resolve();
    });
  });
}

const made = new Set(['dist', 'program', 'node_modules']);

/** What the inputs are, by name, size and time; what was built from them is fresh as long as it stays the same. */
function fingerprint(inputs) {
  const found = [];
  const visit = (path) => {
    const status = statSync(join(root, path));
    if (!status.isDirectory()) return found.push(`${path} ${status.size} ${status.mtimeMs}`);
    for (const name of readdirSync(join(root, path)).sort())
      if (!made.has(name) && !name.includes('.test.')) visit(join(path, name));
  };
  for (const input of inputs) visit(input);
  return hash([found.join('\n')]);
}

const hash = (parts) => parts.reduce((digest, part) => digest.update(part), createHash('sha256')).digest('hex');
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
