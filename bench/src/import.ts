/**
 * A catalog of 100,000 products imported by the command into a fresh embedded database, then imported again with
 * every price changed, and once more unchanged; a server runs on the same file and takes orders all the while.
 * After a build: `node bench/dist/import.js [--count 100000]`
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../packages/server/bin/store-sales.js', import.meta.url));
const at = process.argv.indexOf('--count');
const count = at < 0 ? 100_000 : Number(process.argv[at + 1]);
const dir = mkdtempSync(join(tmpdir(), 'store-sales-bench-'));
const env = { PATH: process.env.PATH ?? '', DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'error', RATE_LIMIT_PER_MINUTE: '0' };

const run = (args: string[]) =>
  JSON.parse(execFileSync(process.execPath, [program, ...args, '--json'], { env }).toString());

function* products(price: number) {
  yield 'externalId,sku,name,description,price,isActive\n';
  for (let index = 0; index < count; index++)
    yield `1c-${index},SKU-${index},"Чай листовой, ${index} г",Описание товара ${index} из каталога,${price + index},true\n`;
}

async function fileOf(price: number) {
  const file = join(dir, `products-${price}.csv`);
  await pipeline(products(price), createWriteStream(file));
  return file;
}

const peakOf = (child: ChildProcess) => {
  const status = `/proc/${child.pid}/status`;
  return existsSync(status) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) : 0;
};

async function measured(storeId: string, file: string) {
  const start = performance.now();
  const args = [program, 'product', 'import', '--store', storeId, file, '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let [peak, output] = [0, ''];
  child.stdout.on('data', (data) => {
    output += data;
  });
  const watch = setInterval(() => {
    peak = Math.max(peak, peakOf(child));
  }, 50);
  await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  const { created, updated, unchanged } = JSON.parse(output);
  return { seconds: (performance.now() - start) / 1000, peak: peak / 1024, created, updated, unchanged };
}

async function served() {
  const child = spawn(process.execPath, [program, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve) => {
    child.stdout.on('data', (data: Buffer) => {
      const found = /\{"url":"([^"]+)"\}/.exec(data.toString());
      if (found) resolve(found[1] as string);
    });
  });
  return { url, stop: () => child.kill('SIGTERM') };
}

/** Makes one order after another until told to stop; how long each took. */
function ordering(url: string, key: string) {
  const times: number[] = [];
  let isOver = false;
  const done = (async () => {
    while (!isOver) {
      const start = performance.now();
      const response = await fetch(`${url}/api/v1/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ items: [{ sku: 'TEA-G-03', quantity: 1 }] }),
      });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`an order was answered with ${response.status}`);
      times.push(performance.now() - start);
    }
  })();
  return async () => {
    isOver = true;
    await done;
    return times.sort((a, b) => a - b);
  };
}

const { storeId, apiKey } = run(['demo']) as { storeId: string; apiKey: string };
const server = await served();
try {
  const [first, second] = [await fileOf(1000), await fileOf(2000)];
  for (const [name, file] of Object.entries({ new: first, changed: second, unchanged: second })) {
    const stop = ordering(server.url, apiKey);
    const { seconds, peak, created, updated, unchanged } = await measured(storeId, file);
    const times = await stop();
    const ms = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
    console.log(
      `${name.padEnd(9)} ${seconds.toFixed(1)} s, peak ${Math.round(peak)} MB (${created} created, ${updated} updated, ${unchanged} unchanged);`,
      `${times.length} orders meanwhile, median ${ms(0.5)} ms, 99 % within ${ms(0.99)} ms, all within ${ms(1)} ms`,
    );
  }
} finally {
  server.stop();
  rmSync(dir, { recursive: true, force: true });
}
