import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Endpoint, endpoints, eventHeaders, openapi, signatureHeader } from '@store-sales/contract';
import { loadDemo } from '@store-sales/server/demo/load';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StoreSales } from '../packages/client/src/index.ts';
import { startService } from '../packages/server/test/service.ts';

/**
 * Runs every JavaScript block of the guides as a separate program with the built client against the demo store, which
 * `npm start` creates. A text block that follows is its expected output; an ellipsis matches anything.
 */

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const guides = [
  'docs/first-request.md',
  'docs/synchronization.md',
  'docs/receiving-webhooks.md',
  'docs/errors-and-retries.md',
  'docs/going-live.md',
  'docs/agents.md',
  'packages/client/README.md',
];
const openapiPaths = openapi('https://sales.example', '0').paths as Record<string, Record<string, any>>;
const secret = 'whsec_of_the_guides';
const folder = mkdtempSync(join(tmpdir(), 'store-sales-guides-'));
symlinkSync(at('../node_modules'), join(folder, 'node_modules'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Block {
  info: string;
  code: string;
  line: number;
  prints?: string;
}

function blocksOf(guide: string): Block[] {
  const text = readFileSync(at(`../${guide}`), 'utf8');
  const blocks: Block[] = [];
  for (const { 1: info = '', 2: code = '', index } of text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const line = text.slice(0, index).split('\n').length;
    const last = blocks.at(-1);
    if (info === 'text' && last) last.prints = code;
    else if (/^(js|ts|javascript|typescript)\b/.test(info)) blocks.push({ info, code, line });
  }
  return blocks;
}

const pattern = (prints: string) =>
  new RegExp(
    `^${prints
      .trim()
      .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('…', '[\\s\\S]*')}$`,
  );

describe.each(guides)('%s', (guide) => {
  const blocks = blocksOf(guide);
  let env: Record<string, string>;
  let client: StoreSales;

  beforeAll(async () => {
    const service = await startService();
    const { apiKey } = await loadDemo(service.db, service.config.SECRET_KEY, service.clock.now);
    client = new StoreSales({ baseUrl: service.url, apiKey });
    env = { PATH: '', STORE_SALES_URL: service.url, STORE_SALES_KEY: apiKey, WEBHOOK_SECRET: secret };
    await client.orders.create({ items: [{ sku: 'TEA-G-01', quantity: 1 }] });
  });

  const program = ({ line, code }: Block) => {
    const file = join(folder, `${basename(guide)}-${line}.mjs`);
    writeFileSync(file, code);
    return file;
  };

  test.each(blocks)('line $line runs', async (block) => {
    expect(block.info).toMatch(/^js run( receiver)?$/);
    if (block.info.endsWith('receiver')) return receiver(program(block));
    expect(block.prints, 'the expected output is missing').toBeTruthy();
    const { failure, output } = await new Promise<{ failure: string; output: string }>((resolve) =>
      execFile(process.execPath, [program(block)], { env, cwd: folder }, (error, stdout, stderr) =>
        resolve({ failure: error ? stderr : '', output: stdout.trim() }),
      ),
    );
    expect(failure).toBe('');
    expect(output).toMatch(pattern(block.prints as string));
  });

  /** A webhook receiver: it must accept valid signatures and reject others. */
  async function receiver(file: string) {
    const port = await freePort();
    const child = spawn(process.execPath, [file], { env: { ...env, PORT: String(port) }, cwd: folder });
    try {
      const output = await listening(child);
      const order = await client.orders.create({ items: [{ sku: 'TEA-G-01', quantity: 1 }] });
      const data = { orderId: order.id, externalId: '' };
      const body = JSON.stringify({ id: `event-of-${port}`, type: 'order.created', createdAt: order.createdAt, data });
      const send = async (sent: string) => {
        const signature = await signatureHeader([secret], Math.floor(Date.now() / 1000), body);
        const headers = { 'content-type': 'application/json', [eventHeaders.signature]: signature };
        return (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers, body: sent })).status;
      };
      expect(await send(body)).toBe(200);
      expect(await send(`${body} `)).toBe(400);
      expect(output()).toMatch(/order \d+ is new|order\.created event-of-/);
    } finally {
      child.kill('SIGKILL');
    }
  }
});

function listening(child: ChildProcess): Promise<() => string> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', (data) => {
      output += data;
    });
    child.stdout?.on('data', (data) => {
      output += data;
      if (output.includes('listening')) resolve(() => output);
    });
    child.on('exit', () => reject(new Error(output)));
  });
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

test('the request bodies of the reference are accepted by the demo store', async () => {
  const service = await startService();
  const { apiKey } = await loadDemo(service.db, service.config.SECRET_KEY, service.clock.now);
  const created: Record<string, string> = {};
  for (const { method, path, body, statuses } of Object.values(endpoints) as Endpoint[]) {
    if (!body) continue;
    const operation = openapiPaths[`/api/v1${path}`]?.[method.toLowerCase()];
    const example = operation?.requestBody.content['application/json'].example;
    expect(example, path).toBeTruthy();
    const list = path.replace('/{id}', '');
    if (method === 'PATCH') created[list] ??= (await service.get(`/api/v1${list}`, apiKey)).body.data[0].id;
    const response = await service.send(method, `/api/v1${path.replace('{id}', created[list] as string)}`, {
      key: apiKey,
      body: example,
    });
    expect([path, response.status]).toEqual([path, statuses[0]]);
    created[list] = response.body.data.id;
  }
});
