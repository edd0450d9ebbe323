// Runs the conformance suite of the Model Context Protocol against a demo store: the scenarios for servers that have only
// tools of their own. The suite sends no key, so a proxy adds it.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCENARIOS = ['server-initialize', 'ping', 'tools-list'];

const program = fileURLToPath(new URL('../../packages/server/bin/store-sales.js', import.meta.url));
const suite = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
const directory = mkdtempSync(join(tmpdir(), 'store-sales-mcp-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
const env = { ...process.env, DATA_DIR: join(directory, 'data'), DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'error' };

const { apiKey } = JSON.parse(execFileSync(process.execPath, [program, 'demo', '--json'], { env }));
const service = spawn(process.execPath, [program, 'serve', '--no-dispatch', '--json'], {
  env,
  stdio: ['ignore', 'pipe', 2],
});
process.on('exit', () => service.kill());
const { value } = await createInterface({ input: service.stdout })[Symbol.asyncIterator]().next();
const { url } = JSON.parse(value);

const proxy = createServer((incoming, outgoing) => {
  const headers = { ...incoming.headers, authorization: `Bearer ${apiKey}` };
  const forwarded = request(url + incoming.url, { method: incoming.method, headers }, (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  incoming.pipe(forwarded);
});
await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));
const address = `http://127.0.0.1:${proxy.address().port}/mcp`;
for (const scenario of SCENARIOS) {
  const args = [suite, 'server', '--url', address, '--scenario', scenario];
  // It writes its results into the working directory.
  const child = spawn(process.execPath, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise((exited) => child.on('exit', exited));
  if (code !== 0) throw new Error(`the scenario ${scenario} failed`);
}
process.exit();
