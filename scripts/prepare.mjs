// Installs dependencies and builds packages if they are missing or out of date.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npmCommand, requireRecentNode, root } from './node.mjs';

export { root };

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

/** Installs and builds what is missing or out of date, under a Node that the service runs on. */
export async function prepare() {
  await requireRecentNode();
  await install();
  for (const target of targets) await build(target);
}

async function install() {
  if (isInstalled()) return;
  console.log('Installing dependencies …');
  const [command, args] = npmCommand();
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('installed', command, [...args, ...options]);
}

/** Whether npm has recorded the packages of the lockfile, all but those for other systems. */
function isInstalled() {
  const recorded = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(recorded)) return false;
  const { packages: installed } = JSON.parse(readFileSync(recorded, 'utf8'));
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const isFor = (list, name) => !list || list.includes(name);
  return Object.entries(packages).every(
    ([path, { version, os, cpu, libc, link, optional }]) =>
      !path.includes('node_modules/') ||
      link ||
      installed[path]?.version === version ||
      // One for every system is needed only by those for another.
      (optional && (libc || !(os || cpu) || !isFor(os, process.platform) || !isFor(cpu, process.arch))),
  );
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
