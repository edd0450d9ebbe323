#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
const program = new URL('../program/store-sales.js', import.meta.url);
if (major < 22 || (major === 22 && minor < 14)) {
  console.error(
    `store-sales: Node 22.14 or later is required; this is ${process.versions.node} (in a clone: PATH=$(node scripts/node.mjs):$PATH)`,
  );
  process.exitCode = 1;
} else if (existsSync(program)) {
  module.enableCompileCache();
  await import(program);
} else {
  console.error('store-sales: not built yet; run "npm run build" in the repository first');
  process.exitCode = 1;
}
