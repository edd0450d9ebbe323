// Installs dependencies and builds packages if they are missing or out of date.
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
    // For tests and benchmarks.
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
  console.error(`Node 20.19 or later is required; this is ${process.versions.node}.`);
  process.exit(1);
}

export async function prepare() {
  await install();
  for (const target of targets) await build(target);
}

export async function install() {
  const stamp = join(root, 'node_modules/.installed');
  const expected = hash([
    readFileSync(join(root, 'package-lock.json')),
    `${process.platform} ${process.arch} ${process.versions.modules}`,
  ]);
  if (read(stamp) === expected) return;
  // Only the SQLite driver of Node 20 has something to run: it downloads or compiles its binary.
  const scripts = major > 20 ? ['--ignore-scripts'] : [];
  const note = major > 20 ? '' : ' (takes a few minutes if the SQLite driver has to be compiled)';
  console.log(`Installing dependencies${note} …`);
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ['npm', []];
  await run('installed', command, [...args, 'ci', '--no-audit', '--no-fund', '--loglevel=error', ...scripts]);
  writeFileSync(stamp, expected);
}

async function build({ name, inputs, stamp, command }) {
  const file = join(root, stamp);
  const expected = fingerprint(inputs);
  if (read(file) === expected) return;
  console.log(`Building ${name} …`);
  await run(`${name} built`, process.execPath, command);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, expected);
}

/** Runs a command in the repository root; exits if it fails. */
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

const generated = new Set(['dist', 'program', 'node_modules']);

/** A hash of the names, sizes and modification times of all input files. */
function fingerprint(inputs) {
  const found = [];
  const visit = (path) => {
    const status = statSync(join(root, path));
    if (!status.isDirectory()) return found.push(`${path} ${status.size} ${status.mtimeMs}`);
    for (const name of readdirSync(join(root, path)).sort())
      if (!generated.has(name) && !name.includes('.test.')) visit(join(path, name));
  };
  for (const input of inputs) visit(input);
  return hash([found.join('\n')]);
}

const hash = (parts) => parts.reduce((digest, part) => digest.update(part), createHash('sha256')).digest('hex');
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined);
