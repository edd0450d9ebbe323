// Generates docs/openapi.json from the contract.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const { module } = await runnerImport(at('../packages/contract/src/index.ts'), { logLevel: 'error' });
const { version } = JSON.parse(readFileSync(at('../packages/server/package.json'), 'utf8'));
const file = at('../docs/openapi.json');
writeFileSync(file, JSON.stringify(module.openapi('https://sales.example', version)));
const biome = at('../node_modules/@biomejs/biome/bin/biome');
process.exit(spawnSync(process.execPath, [biome, 'format', '--write', file], { stdio: 'inherit' }).status ?? 1);
