import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { MAX_IMPORT_BYTES } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { type Reads, startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { raw, sql } from '../db/sql.ts';

const hooks: Reads = {};
const service = await startService({ reads: hooks });

async function shop() {
  const owner = await signedInOwner(service);
  const { visitor, path, storeId } = owner;
  const cookie = [...visitor.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { origin: service.url, cookie, 'content-type': 'text/csv' };
  /** Sends a file and returns the last line of the response, or the problem. */
  const send = async (kind: string, content: string | Buffer, query = '', more: object = {}) => {
    const address = `/console/api${path}/${kind}/import${query}`;
    const reply = await service.send('POST', address, { headers: { ...headers, ...more }, rawBody: content });
    if (reply.status !== 200) return { status: reply.status, code: reply.body.code, error: reply.body.errors?.[0] };
    return JSON.parse(reply.text.trim().split('\n').at(-1) as string);
  };
  const preview = async (kind: string, ...lines: string[]) =>
    (await send(kind, lines.join('\n'), '?preview=true')).report;
  const load = async (kind: string, ...lines: string[]) => (await send(kind, lines.join('\n'), '?file=a.csv')).report;
  const list = async (kind: string) => (await visitor.get(`${path}/${kind}`)).body;
  const count = async (table: string) =>
    Number((await service.db.one<any>(sql`select count(*) as n from ${raw(table)} where store_id = ${storeId}`)).n);
  return { ...owner, headers, send, preview, load, list, count };
}

describe('importing in the console', () => {
  test('a preview reports the changes without applying them; the import applies them', async () => {
    const { visitor, path, preview, load, list } = await shop();
    const tree = ['externalId,name,parentExternalId', 'green,Green,tea', 'tea,Tea,', 'x,Lost,nowhere'];
    const seen = await preview('categories', ...tree);
    expect(seen).toMatchObject({ created: 2, updated: 0, unchanged: 0, rejected: [{ line: 4 }] });
    expect(seen.changes).toEqual([
      {
        line: 2,
        outcome: 'created',
        name: 'Green',
        fields: { name: [null, 'Green'], externalId: [null, 'green'], parentExternalId: [null, 'tea'] },
      },
      { line: 3, outcome: 'created', name: 'Tea', fields: { name: [null, 'Tea'], externalId: [null, 'tea'] } },
    ]);
    expect(await list('categories')).toEqual([]);
    expect(await load('categories', ...tree)).toEqual({ ...seen, changes: [] });
    expect(await list('categories')).toHaveLength(2);
    const moved = await preview('categories', 'externalId,name,parentExternalId', 'green,Greens,');
    expect(moved.changes[0].fields).toEqual({ name: ['Green', 'Greens'], parentExternalId: ['tea', null] });

    const goods = [
      'sku,name,price,categoryExternalId,isActive',
      'A,Tea,100,tea,true',
      'B,Cup,200,,false',
      'C,Pot,many,,',
    ];
    expect(await load('products', ...goods)).toMatchObject({ created: 2, rejected: [{ line: 4 }] });
    const priced = await preview('products', 'sku,price,categoryExternalId,isActive', 'A,150,green,0', 'B,200,,false');
    expect(priced).toEqual({
      ...{ created: 0, updated: 1, unchanged: 1, rejected: [], rejectedCount: 0 },
      changes: [
        {
          line: 2,
          outcome: 'updated',
          name: 'Tea',
          fields: { price: [100, 150], isActive: [true, false], categoryExternalId: [null, 'green'] },
        },
      ],
    });

    const people = ['externalId,name,phone', 'c1,Anna,+7 900 1', ',Boris,8'];
    expect((await preview('customers', ...people)).changes[1]).toEqual({
      line: 3,
      outcome: 'created',
      name: 'Boris',
      fields: { name: [null, 'Boris'], phone: [null, '8'] },
    });
    expect(await load('customers', ...people)).toMatchObject({ created: 2 });
    expect(await load('customers', ...people)).toMatchObject({ created: 0, unchanged: 2 });
    expect((await list('customers')).data).toHaveLength(2);

    const { entries } = (await visitor.get(`${path}/history?kind=catalog`)).body;
    expect(entries.map(({ action, subject, details }: any) => [action, subject.name, details])).toEqual([
      ['imported', 'a.csv', { list: 'customers', created: 2, updated: 0, rejected: 0 }],
      ['imported', 'a.csv', { list: 'products', created: 2, updated: 0, rejected: 1 }],
      ['imported', 'a.csv', { list: 'categories', created: 2, updated: 0, rejected: 1 }],
    ]);
  });

  test('prices in units, as spreadsheets write them; in kopecks unless the request says so', async () => {
    const { send, list } = await shop();
    const file = ['sku;name;price', 'A;Tea;1\u00a0299,90', 'B;Cup;1.299', 'C;Pot;10', 'D;Jar;1,234'].join('\n');
    const tooMany = { line: 5, column: 'price', code: 'too_many_decimals', params: { value: '1,234', max: 2 } };
    const { report } = await send('products', file, '?prices=units&preview=true');
    expect(report).toMatchObject({ created: 3, rejected: [tooMany] });
    expect(report.changes.map(({ fields }: any) => fields.price[1])).toEqual([129_990, 129_900, 1000]);
    expect((await send('products', file, '?prices=units')).report).toMatchObject({ created: 3, rejected: [tooMany] });
    expect((await list('products')).data.map(({ price }: any) => price)).toEqual([1000, 129_900, 129_990]);
    // In kopecks only the integer is valid.
    expect((await send('products', file, '?prices=kopecks')).report).toMatchObject({ updated: 1, rejectedCount: 3 });
    expect((await send('products', 'sku,price\nA,15000')).report).toMatchObject({ updated: 1 });
    expect((await list('products')).data.map(({ price }: any) => price)).toEqual([10, 129_900, 15_000]);
    const alone = await send('products', 'sku;price\nA;1,234', '?prices=units');
    expect(alone.report.rejected).toMatchObject([{ line: 2, code: 'ambiguous_price', params: { value: '1,234' } }]);
    expect(await send('products', file, '?prices=rubles')).toMatchObject({ status: 400 });
    expect(await send('customers', 'phone\n1', '?prices=units')).toMatchObject({ status: 400 });
  });

  test('an invalid file is rejected as a whole with a reason', async () => {
    const { send, count } = await shop();
    const unknown = await send('products', 'sku,colour\nA,red');
    expect(unknown).toMatchObject({ status: 422, error: { code: 'unknown_column', params: { value: 'colour' } } });
    const notUtf8 = { status: 422, error: { code: 'not_utf8' } };
    expect(await send('products', Buffer.from([0x73, 0x6b, 0x75, 0x0a, 0xcf]))).toMatchObject(notUtf8);
    // The invalid row comes after valid ones.
    const late = `sku,name,price\n${'A,Tea,100\n'.repeat(20_000)}`;
    const broken = Buffer.concat([Buffer.from(late), Buffer.from('caf\xe9\n', 'latin1')]);
    expect(await send('products', broken)).toMatchObject(notUtf8);
    expect(await send('products', '{}', '', { 'content-type': 'application/json' })).toMatchObject({ status: 415 });
    expect(await count('products')).toBe(0);
  });

  test('a file that is too large is rejected, by its bytes and by its rows', async () => {
    const { send, count } = await shop();
    const large = Buffer.alloc(MAX_IMPORT_BYTES + 1, 'sku,name,price\n');
    expect(await send('products', large)).toMatchObject({
      status: 413,
      error: { code: 'file_too_large', params: { maxMiB: 20 }, message: 'the file is larger than 20 MiB' },
    });
    const rows = await send('products', `sku,name,price\n${'A,B,1\n'.repeat(200_001)}`);
    expect(rows).toMatchObject({
      status: 413,
      error: { code: 'too_many_rows', params: { max: 200_000 }, message: 'the file has more than 200,000 rows' },
    });
    expect(await count('products')).toBe(0);
  });

  test('no other route accepts a file', async () => {
    const { path, headers } = await shop();
    const reply = await service.send('POST', `/console/api${path}/products`, { headers, rawBody: 'a,b' });
    expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type']);
  });

  test('reports progress; a disconnect stops the import, and importing the same file again completes it', async () => {
    const { visitor, path, headers, load, count } = await shop();
    const total = 20_000;
    const lines = Array.from({ length: total }, (_, index) => `S-${index},Product ${index} ${'x'.repeat(60)},100`);
    // The third batch is held until the server has seen the disconnect.
    let batches = 0;
    let resume = () => {};
    const held = new Promise<void>((resolve) => {
      resume = resolve;
    });
    hooks.beforeTransaction = async () => {
      if (++batches === 3) await held;
    };
    const accepted = once(service.app.server, 'connection') as Promise<[Socket]>;
    // Not fetch, which opens another connection after a broken one; the server would wait for it when it stops.
    const leaving = request(`${service.url}/console/api${path}/products/import`, {
      method: 'POST',
      headers,
      agent: false,
    });
    leaving.on('error', () => {});
    leaving.end(['sku,name,price', ...lines].join('\n'));
    const [socket] = await accepted;
    const [response] = await once(leaving, 'response');
    let progress = 0;
    for await (const piece of response) {
      progress = JSON.parse(String(piece).trim().split('\n').at(-1) as string).progress;
      if (progress > 0 && batches === 3) break;
    }
    expect(progress).toBeLessThan(1);
    leaving.destroy();
    if (!socket.closed) await once(socket, 'close');
    await setImmediate();
    resume();
    hooks.beforeTransaction = undefined;
    // Recorded last, after the batch that was being written.
    const actions = async () =>
      (await visitor.get(`${path}/history?kind=catalog`)).body.entries.map(({ action }: any) => action);
    await expect.poll(actions).toEqual(['import_stopped']);
    const before = await count('products');
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(total);
    expect(await load('products', 'sku,name,price', ...lines)).toMatchObject({
      created: total - before,
      unchanged: before,
    });
  });

  test('the first rejected lines are listed, and all are counted', async () => {
    const { preview, load } = await shop();
    const rows = Array.from({ length: 3000 }, (_, index) => `c${index},C,c${(index + 1) % 3000}`);
    for (const work of [preview, load]) {
      const report = await work('categories', 'externalId,name,parentExternalId', ',,', ...rows);
      expect(report).toMatchObject({ created: 0, rejectedCount: 3001 });
      // The first row is rejected for two reasons.
      expect(report.rejected.map(({ line }: any) => line)).toEqual([
        2,
        ...Array.from({ length: 999 }, (_, index) => index + 2),
      ]);
    }
  });

  test('categories beyond the limit of a store are rejected', async () => {
    const { load, count } = await shop();
    const rows = Array.from({ length: 10_001 }, (_, index) => `c${index},C,${index ? 'c0' : ''}`);
    expect(await load('categories', 'externalId,name,parentExternalId', ...rows)).toMatchObject({
      created: 10_000,
      rejected: [{ line: 10_002, column: null, code: 'category_limit', params: { max: 10_000 } }],
    });
    expect(await load('categories', 'externalId,name', 'c1,Renamed', 'other,New')).toMatchObject({
      updated: 1,
      rejected: [{ line: 3 }],
    });
    expect(await count('categories')).toBe(10_000);
  });

  test('an owner can run two imports at once; a third is rejected until one has finished', async () => {
    const { path, headers, send, visitor } = await shop();
    const second = (await visitor.post('/stores', { name: 'Second', currency: 'RUB', timezone: 'Europe/Moscow' })).body;
    // Uploads that never finish. One that finds both slots taken by the polling below starts again.
    const uploads = new Map<string, ReturnType<typeof request>>();
    const begin = (store: string) => {
      const started = request(`${service.url}/console/api${store}/products/import`, {
        method: 'POST',
        headers: { ...headers, 'content-length': 100 },
        agent: false,
      });
      started.on('error', () => {});
      started.on('response', () => begin(store));
      started.write('sku,name,price\n');
      uploads.set(store, started);
    };
    begin(path);
    begin(`/stores/${second.id}`);
    const file = 'sku,name,price\nA,Tea,1\n';
    await expect.poll(async () => (await send('products', file)).code, { timeout: 20_000 }).toBe('too_many_imports');
    // Another owner is not affected.
    expect((await (await shop()).send('products', file)).report).toMatchObject({ created: 1 });
    uploads.get(path)?.destroy();
    await expect.poll(async () => (await send('products', file)).report?.rejectedCount, { timeout: 20_000 }).toBe(0);
    for (const upload of uploads.values()) upload.destroy();
  });

  test('files that do not arrive keep nobody else from importing', async () => {
    const uploads: ReturnType<typeof request>[] = [];
    for (let owner = 0; owner < 3; owner++) {
      const { path, headers } = await shop();
      for (let count = 0; count < 2; count++) {
        const upload = request(`${service.url}/console/api${path}/products/import`, {
          method: 'POST',
          headers: { ...headers, 'content-length': 100, expect: '100-continue' },
          agent: false,
        });
        upload.on('error', () => {});
        upload.flushHeaders();
        await once(upload, 'continue');
        upload.write('sku,name,price\n');
        uploads.push(upload);
      }
    }
    const { send } = await shop();
    for (let round = 0; round < 3; round++)
      expect((await send('products', `sku,name,price\nA${round},Tea,1\n`)).report).toMatchObject({ created: 1 });
    for (const upload of uploads) upload.destroy();
  });

  test('the next import can start as soon as the last line of the response is read', async () => {
    const { path, headers } = await shop();
    /** Returns when the report is read, without waiting for the end of the response. */
    const begin = async () => {
      const sent = request(`${service.url}/console/api${path}/products/import`, {
        method: 'POST',
        headers,
        agent: false,
      });
      sent.end('sku,name,price\nA,Tea,1\n');
      const [response] = await once(sent, 'response');
      for await (const piece of response) {
        const text = String(piece);
        if (response.statusCode !== 200) return JSON.parse(text).code;
        if (text.includes('"report"')) return 'done';
      }
    };
    const one = async () => {
      const seen: string[] = [];
      for (let round = 0; round < 20; round++) seen.push(await begin());
      return seen;
    };
    const seen = (await Promise.all([one(), one()])).flat();
    expect(seen).toEqual(seen.map(() => 'done'));
  });
});
