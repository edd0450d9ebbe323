#!/usr/bin/env node
import { existsSync } from 'node:fs';

const program = new URL('../program/store-sales.js', import.meta.url);
if (existsSync(program)) await import(program);
else {
  console.error('store-sales: not built yet; run "npm run build" in the repository first');
  process.exitCode = 1;
}
