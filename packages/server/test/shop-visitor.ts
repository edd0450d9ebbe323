import { enableShop } from '../src/shop/shops.ts';
import { addProduct } from './catalog.ts';
import type { Service } from './service.ts';

let serial = 0;

/** A visitor of an order page without JavaScript: keeps cookies and follows no redirects. */
export function shopVisitor({ url }: Service, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  async function send(method: string, path: string, form?: Record<string, string>, more: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        origin: url,
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
        ...more,
      },
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    const { status, headers: received } = response;
    return { status, headers: received, text: await response.text(), location: received.get('location') ?? '' };
  }
  return {
    jar,
    get: (path: string, more?: Record<string, string>) => send('GET', path, undefined, more),
    post: (path: string, form: Record<string, string>, more?: Record<string, string>) => send('POST', path, form, more),
  };
}

/** A store with these products and an open order page. */
export async function openShopWith(service: Service, ...products: Parameters<typeof addProduct>[2][]) {
  const { storeId, key } = await service.shop();
  const ids: string[] = [];
  for (const product of products) ids.push(await addProduct(service, storeId, product));
  const slug = `tea-${++serial}`;
  await enableShop(service.db, storeId, slug, service.clock.now);
  return { storeId, key, slug, path: `/shop/${slug}`, ids };
}

export const inputValue = (page: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? '';

/** Puts a product into the cart and opens the checkout; returns the values of a filled form. */
export async function fillIn(customer: ReturnType<typeof shopVisitor>, path: string, product: string) {
  await customer.post(`${path}/cart`, { product, action: 'add' });
  const { text } = await customer.get(`${path}/checkout`);
  return {
    token: inputValue(text, 'token'),
    costs: inputValue(text, 'costs'),
    cart: inputValue(text, 'cart'),
    deliveryId: inputValue(text, 'deliveryId'),
    paymentId: inputValue(text, 'paymentId'),
    name: 'Anna',
    phone: '+7 916 123-45-67',
    email: '',
    address: 'Main street 1',
    notes: '',
  };
}
