import type { CustomerPageQuery, DeliveryFilter, HistoryQuery, ImportKind } from '@store-sales/contract/console';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery, storesQuery } from './api/account.ts';
import type { ProductView } from './api/catalog.ts';
import { rememberedLanguage, speak } from './i18n/index.ts';
import { readView } from './screens/orders/view.ts';
import { lastStore, rememberStore } from './shell/last-store.ts';

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {},
  async beforeLoad({ context: { queryClient } }) {
    const { setupNeeded, owner } = await queryClient.ensureQueryData(sessionQuery);
    if (setupNeeded) throw redirect({ to: '/setup' });
    if (owner) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: lazyRouteComponent(() => import('./screens/setup/setup.tsx'), 'Setup'),
});

/** Everything behind the sign-in: the frame with its navigation. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context: { queryClient }, location }) {
    const { setupNeeded, owner } = await queryClient.ensureQueryData(sessionQuery);
    if (setupNeeded) throw redirect({ to: '/setup' });
    if (!owner) throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } });
    if (owner.language && !rememberedLanguage()) await speak(owner.language);
  },
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(storesQuery),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

const index = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  async loader({ context: { queryClient } }) {
    const stores = await queryClient.ensureQueryData(storesQuery);
    const store = stores.find(({ id }) => id === lastStore()) ?? stores[0];
    if (store) throw redirect({ to: '/stores/$storeId', params: { storeId: store.id }, replace: true });
  },
  component: lazyRouteComponent(() => import('./screens/stores/first-store.tsx'), 'FirstStore'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/account/account.tsx'), 'Account'),
});

const store = createRoute({
  getParentRoute: () => signedIn,
  path: '/stores/$storeId',
  async loader({ context: { queryClient }, params: { storeId } }) {
    const stores = await queryClient.ensureQueryData(storesQuery);
    if (!stores.some(({ id }) => id === storeId)) throw notFound();
    rememberStore(storeId);
  },
  component: Outlet,
});

const home = createRoute({
  getParentRoute: () => store,
  path: '/',
  // A number: the router would put a text of digits in quotation marks.
  validateSearch: ({ days }: Record<string, unknown>): { days?: 7 | 90 } => (days === 7 || days === 90 ? { days } : {}),
  component: lazyRouteComponent(() => import('./screens/home/home.tsx'), 'Home'),
});

const orders = createRoute({
  getParentRoute: () => store,
  path: '/orders',
  validateSearch: readView,
  component: lazyRouteComponent(() => import('./screens/orders/orders.tsx'), 'Orders'),
});

const orderBoard = createRoute({
  getParentRoute: () => store,
  path: '/orders/board',
  component: lazyRouteComponent(() => import('./screens/orders/board.tsx'), 'Board'),
});

const newOrder = createRoute({
  getParentRoute: () => store,
  path: '/orders/new',
  component: lazyRouteComponent(() => import('./screens/orders/new-order.tsx'), 'NewOrder'),
});

const order = createRoute({
  getParentRoute: () => store,
  path: '/orders/$orderId',
  component: lazyRouteComponent(() => import('./screens/orders/order.tsx'), 'Order'),
});

const catalog = createRoute({
  getParentRoute: () => store,
  path: '/catalog',
  component: lazyRouteComponent(() => import('./screens/catalog/catalog.tsx'), 'Catalog'),
});

const catalogIndex = createRoute({
  getParentRoute: () => catalog,
  path: '/',
  beforeLoad({ params }) {
    throw redirect({ to: '/stores/$storeId/catalog/products', params, replace: true });
  },
});

const products = createRoute({
  getParentRoute: () => catalog,
  path: '/products',
  validateSearch: (search): ProductView => texts(search, ['q', 'category', 'active', 'cursor', 'product']),
  component: lazyRouteComponent(() => import('./screens/catalog/products.tsx'), 'Products'),
});

const categories = createRoute({
  getParentRoute: () => catalog,
  path: '/categories',
  component: lazyRouteComponent(() => import('./screens/catalog/categories.tsx'), 'Categories'),
});

const importFile = createRoute({
  getParentRoute: () => catalog,
  path: '/import',
  validateSearch: ({ what }: Record<string, unknown>): { what?: ImportKind } =>
    what === 'categories' || what === 'customers' ? { what } : {},
  component: lazyRouteComponent(() => import('./screens/import/import.tsx'), 'Import'),
});

/** The screens of the catalog, for the tree below. */
const catalogScreens = catalog.addChildren([catalogIndex, products, categories, importFile]);

const customers = createRoute({
  getParentRoute: () => store,
  path: '/customers',
  validateSearch: (search): CustomerPageQuery => texts(search, ['q', 'cursor']),
  component: lazyRouteComponent(() => import('./screens/customers/customers.tsx'), 'Customers'),
});

const customer = createRoute({
  getParentRoute: () => store,
  path: '/customers/$customerId',
  component: lazyRouteComponent(() => import('./screens/customers/customer.tsx'), 'CustomerPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => store,
  path: '/settings/api-keys',
  component: lazyRouteComponent(() => import('./screens/settings-api/api-keys.tsx'), 'ApiKeys'),
});

const webhooks = createRoute({
  getParentRoute: () => store,
  path: '/settings/webhooks',
  component: lazyRouteComponent(() => import('./screens/settings-webhooks/webhooks.tsx'), 'Webhooks'),
});

const signature = createRoute({
  getParentRoute: () => store,
  path: '/settings/webhooks/signature',
  component: lazyRouteComponent(() => import('./screens/settings-webhooks/signature.tsx'), 'SignatureHelper'),
});

const endpoint = createRoute({
  getParentRoute: () => store,
  path: '/settings/webhooks/$endpointId',
  // What the server does not know it refuses; an address typed by hand is not worth a check of its own.
  validateSearch: (search): DeliveryFilter => texts(search, ['status', 'type', 'order']),
  component: lazyRouteComponent(() => import('./screens/settings-webhooks/endpoint.tsx'), 'EndpointPage'),
});

const history = createRoute({
  getParentRoute: () => store,
  path: '/history',
  validateSearch: (search): Omit<HistoryQuery, 'cursor'> => texts(search, ['kind', 'actor']),
  component: lazyRouteComponent(() => import('./screens/history/history.tsx'), 'History'),
});

/** The members of an address that are there; a number is a text that looks like one. */
const texts = (search: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, String(search[name])]] : [])));

const storeSettings = createRoute({
  getParentRoute: () => store,
  path: '/settings/store',
  component: lazyRouteComponent(() => import('./screens/stores/store-settings.tsx'), 'StoreSettings'),
});

const references = createRoute({
  getParentRoute: () => store,
  path: '/references',
  component: lazyRouteComponent(() => import('./screens/references/references.tsx'), 'References'),
});

const referencesIndex = createRoute({
  getParentRoute: () => references,
  path: '/',
  beforeLoad({ params }) {
    throw redirect({ to: '/stores/$storeId/references/order-statuses', params, replace: true });
  },
});

const orderStatuses = createRoute({
  getParentRoute: () => references,
  path: '/order-statuses',
  component: lazyRouteComponent(() => import('./screens/references/order-statuses.tsx'), 'OrderStatuses'),
});

const paymentStatuses = createRoute({
  getParentRoute: () => references,
  path: '/payment-statuses',
  component: lazyRouteComponent(() => import('./screens/references/payment-statuses.tsx'), 'PaymentStatuses'),
});

const paymentTypes = createRoute({
  getParentRoute: () => references,
  path: '/payment-types',
  component: lazyRouteComponent(() => import('./screens/references/payment-types.tsx'), 'PaymentTypes'),
});

const deliveryTypes = createRoute({
  getParentRoute: () => references,
  path: '/delivery-types',
  component: lazyRouteComponent(() => import('./screens/references/delivery-types.tsx'), 'DeliveryTypes'),
});

const warehouses = createRoute({
  getParentRoute: () => references,
  path: '/warehouses',
  component: lazyRouteComponent(() => import('./screens/references/warehouses.tsx'), 'Warehouses'),
});

/** The screens of the reference lists, for the tree below. */
const referenceScreens = references.addChildren([
  referencesIndex,
  orderStatuses,
  paymentStatuses,
  paymentTypes,
  deliveryTypes,
  warehouses,
]);

export const routeTree = root.addChildren([
  signIn,
  setup,
  signedIn.addChildren([
    index,
    account,
    store.addChildren([
      home,
      orders,
      orderBoard,
      newOrder,
      order,
      catalogScreens,
      customers,
      customer,
      apiKeys,
      webhooks,
      signature,
      endpoint,
      history,
      storeSettings,
      referenceScreens,
    ]),
  ]),
]);
