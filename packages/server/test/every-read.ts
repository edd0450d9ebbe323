import { endpoints } from '@store-sales/contract';
import { consoleEndpoints } from '@store-sales/contract/console';
import { raw, sql } from '../src/db/sql.ts';
import type { Browser } from './browser.ts';
import type { Service } from './service.ts';

/** Parameters without which a page shows nothing, or an error. */
const queries: Record<string, string> = {
  '/search': '?q=tea',
  '/orders/board': '?group=new',
  '/home': '?days=30',
  '/home/products': '?days=30',
  '/orders/products': '?q=tea',
  '/orders/promo-code': '?code=TEA10',
};

/** The ids that fill the parameters of the paths: those of the oldest records of the store. */
async function idsOf({ db }: Service, storeId: string): Promise<Record<string, string>> {
  const first = async (table: string) =>
    String(
      (await db.one<{ id: string }>(sql`select id from ${raw(table)} where store_id = ${storeId} order by id limit 1`))
        ?.id,
    );
  const delivery = await db.one<{ id: string; endpoint_id: string }>(
    sql`select id, endpoint_id from deliveries where store_id = ${storeId} order by id limit 1`,
  );
  return {
    storeId,
    orderId: await first('orders'),
    productId: await first('products'),
    customerId: await first('customers'),
    statusId: await first('order_statuses'),
    paymentStatusId: await first('payment_statuses'),
    endpointId: String(delivery?.endpoint_id),
    deliveryId: String(delivery?.id),
  };
}

/** What each GET of the API and of the console returns, by path, without the address of the service. */
export async function everyRead(service: Service, storeId: string, key: string, visitor: Browser) {
  const ids = await idsOf(service, storeId);
  const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] as string);
  const found: Record<string, { status: number; etag: string | null; text: string }> = {};
  const record = (path: string, { status, headers, text }: Awaited<ReturnType<Service['get']>>) => {
    found[path] = { status, etag: headers.get('etag'), text: text.replaceAll(service.url, '') };
  };
  const owners: Record<string, string> = { orders: 'orderId', products: 'productId', customers: 'customerId' };
  for (const { method, path } of Object.values(endpoints)) {
    if (method !== 'GET') continue;
    const [, list = ''] = path.split('/');
    const full = `/api/v1${filled(path.replace('{id}', `{${owners[list]}}`))}`;
    record(full, await service.get(full, key));
    if (path !== `/${list}` || !owners[list]) continue;
    for (const order of ['createdAt:asc', 'createdAt:desc', 'updatedAt:asc', 'updatedAt:desc'])
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: string = `${full}?order=${order}&limit=50${list === 'orders' ? '&with=items' : ''}${cursor && `&cursor=${cursor}`}`;
        const reply = await service.get(page, key);
        record(page, reply);
        cursor = reply.body.page.nextCursor;
      }
  }
  for (const name of Object.keys(consoleEndpoints)) {
    const [method, path = ''] = name.split(' ');
    // The first is a stream without an end, and every read adds to the request log.
    if (method !== 'GET' || path.endsWith('/changes') || path.includes('/requests')) continue;
    const full = filled(path) + (queries[path.replace('/stores/{storeId}', '')] ?? '');
    record(full, await visitor.get(full));
  }
  return found;
}
