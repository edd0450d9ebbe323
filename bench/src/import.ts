/**
 * Imports 100,000 products into a fresh embedded database with `product import`, then imports them again with every
 * price changed, and again unchanged, while a server on the same file takes orders.
 * `npm run bench:import [-- --count 100000]`
 */
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { memoryMb } from './child.ts';
import { option } from './options.ts';
import { program, serve } from './service.ts';
import { percentile } from './stats.ts';

const count = Number(option('count', '100000'));
const dir = mkdtempSync(join(tmpdir(), 'store-sales-bench-'));
const env = { PATH: process.env.PATH ?? '', DATA_DIR: dir, LOG_LEVEL: 'error' };

const run = (args: string[]) =>
  JSON.parse(execFileSync(process.execPath, [program, ...args, '--json'], { env }).toString());

function* products(price: number) {
  yield 'externalId,sku,name,description,price,isActive\n';
  for (let index = 0; index < count; index++)
    yield `1c-${index},SKU-${index},"Чай листовой, ${index} г",Описание товара ${index} из каталога,${price + index},true\n`;
}

async function writeProducts(price: number) {
  const file = join(dir, `products-${price}.csv`);
  await pipeline(products(price), createWriteStream(file));
  return file;
}

async function timeImport(storeId: string, file: string) {
  const start = performance.now();
  const args = [program, 'product', 'import', '--store', storeId, file, '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let [peak, output] = [0, ''];
  child.stdout.on('data', (data) => {
    output += data;
  });
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryMb(child.pid as number, 'VmHWM') || 0);
  }, 50);
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(sampling);
  const { created, updated, unchanged } = JSON.parse(output);
  return { seconds: (performance.now() - start) / 1000, peak, created, updated, unchanged };
}

/** Creates orders one after another; the returned function stops it and gives the response times. */
function createOrders(url: string, key: string) {
  const times: number[] = [];
  let isStopped = false;
  const done = (async () => {
    while (!isStopped) {
      const start = performance.now();
      const response = await fetch(`${url}/api/v1/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ items: [{ sku: 'TEA-G-03', quantity: 1 }] }),
      });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`POST /orders: ${response.status}`);
      times.push(performance.now() - start);
    }
  })();
  return async () => {
    isStopped = true;
    await done;
    return times;
  };
}

const { storeId, apiKey } = run(['demo']) as { storeId: string; apiKey: string };
const server = await serve({ env });
try {
  const [first, second] = [await writeProducts(1000), await writeProducts(2000)];
  for (const [name, file] of Object.entries({ new: first, changed: second, unchanged: second })) {
    const stop = createOrders(server.url, apiKey);
    const { seconds, peak, created, updated, unchanged } = await timeImport(storeId, file);
    const times = await stop();
    const ms = (share: number) => Math.round(percentile(times, share));
    console.log(
      `${name.padEnd(9)} ${seconds.toFixed(1)} s, peak ${Math.round(peak)} MB (${created} created, ${updated} updated, ${unchanged} unchanged);`,
      `${times.length} orders meanwhile, p50 ${ms(0.5)} ms, p99 ${ms(0.99)} ms, slowest ${ms(1)} ms`,
    );
  }
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
