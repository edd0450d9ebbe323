import type {
  CustomerPageQuery,
  DeliveryFilter,
  HistoryQuery,
  ImportKind,
  RequestFilter,
} from '@store-sales/contract/console';
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { orderMailsQuery, secondFactorQuery, sessionQuery, storesQuery } from './api/account.ts';
import type { ProductView } from './api/catalog.ts';
import { ApiError } from './api/client.ts';
import { homeQuery } from './api/home.ts';
import { loadLanguage, loadTexts, storedLanguage } from './i18n/index.ts';
import type { LazySection } from './i18n/lazy-texts.ts';
import { Catalog } from './screens/catalog/catalog.tsx';
import { readBoardView, readPrintView, readView } from './screens/orders/view.ts';
import { References } from './screens/references/references.tsx';
import { rolesWith } from './shell/abilities.ts';
import { ErrorScreen } from './shell/error-state.tsx';
import { lastStore, saveLastStore } from './shell/last-store.ts';
import { Shell } from './shell/shell.tsx';
import { StoreScreens } from './shell/store-screens.tsx';

/**
 * A screen in a file of its own, with its texts if they are not those of every page. The router would reload the page if
 * a file cannot be loaded, and without a connection that would be the end of the application; this error shows the error
 * page in its place.
 */
function screen<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
  ...texts: LazySection[]
) {
  async function loadAll() {
    const [module] = await Promise.all([load(), ...texts.map(loadTexts)]).catch(() => {
      throw new ApiError('screen_not_loaded');
    });
    return module;
  }
  return lazyRouteComponent(loadAll, name);
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Outlet });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && /^\/(?!\/)/.test(next) ? { next } : {},
  async beforeLoad({ context: { queryClient } }) {
    const { setupNeeded, account } = await queryClient.ensureQueryData(sessionQuery);
    if (setupNeeded) throw redirect({ to: '/setup' });
    if (account) throw redirect({ to: '/' });
  },
  component: screen(() => import('./screens/sign-in/sign-in.tsx'), 'SignIn'),
  errorComponent: ErrorScreen,
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  beforeLoad: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: screen(() => import('./screens/setup/setup.tsx'), 'Setup'),
  errorComponent: ErrorScreen,
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  beforeLoad: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: screen(() => import('./screens/invitation/invitation.tsx'), 'Invitation', 'team'),
  errorComponent: ErrorScreen,
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  beforeLoad: ({ context: { queryClient } }) => queryClient.ensureQueryData(sessionQuery),
  component: screen(() => import('./screens/password/forgot-password.tsx'), 'ForgotPassword', 'password'),
  errorComponent: ErrorScreen,
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: screen(() => import('./screens/password/reset-password.tsx'), 'ResetPassword', 'password'),
  errorComponent: ErrorScreen,
});

interface Opened {
  context: { queryClient: QueryClient };
  location: { pathname: string; href: string };
}

async function requireSession({ context: { queryClient }, location }: Opened) {
  const { setupNeeded, account } = await queryClient.ensureQueryData(sessionQuery);
  if (setupNeeded) throw redirect({ to: '/setup' });
  if (!account) throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { next: location.href } });
  if (account.language && !storedLanguage()) await loadLanguage(account.language);
}

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSession,
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(storesQuery),
  component: Shell,
  errorComponent: ErrorScreen,
});

const index = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  async loader({ context: { queryClient } }) {
    const stores = await queryClient.ensureQueryData(storesQuery);
    const store = stores.find(({ id }) => id === lastStore()) ?? stores[0];
    if (store) throw redirect({ to: '/stores/$storeId', params: { storeId: store.id }, replace: true });
  },
  component: screen(() => import('./screens/stores/first-store.tsx'), 'FirstStore'),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  /** Whether the person was sent here because a store requires a second factor. */
  validateSearch: ({ required }: Record<string, unknown>): { required?: true } => (required ? { required: true } : {}),
  async loader({ context: { queryClient } }) {
    const { mailEnabled } = await queryClient.ensureQueryData(sessionQuery);
    if (mailEnabled)
      await Promise.all([
        queryClient.ensureQueryData(orderMailsQuery),
        loadTexts('orderMails'),
        import('./screens/account/order-mails.tsx'),
      ]).catch((error: unknown) => {
        throw error instanceof ApiError ? error : new ApiError('screen_not_loaded');
      });
  },
  component: screen(() => import('./screens/account/account.tsx'), 'Account', 'secondFactor', 'team'),
});

async function hasSecondFactor(queryClient: QueryClient) {
  const { passkeys, codesSince } = await queryClient.ensureQueryData(secondFactorQuery);
  return passkeys.length > 0 || codesSince !== null;
}

interface StorePage {
  context: { queryClient: QueryClient };
  params: { storeId: string };
}

async function requireStore({ context: { queryClient }, params: { storeId } }: StorePage) {
  const stores = await queryClient.ensureQueryData(storesQuery);
  const store = stores.find(({ id }) => id === storeId);
  if (!store) throw notFound();
  saveLastStore(storeId);
  if (store.requiresSecondFactor && !(await hasSecondFactor(queryClient)))
    throw redirect({ to: '/account', search: { required: true } });
}

/** Outside of the shell: only the documents are printed. */
const printOrders = createRoute({
  getParentRoute: () => root,
  path: '/stores/$storeId/orders/print',
  validateSearch: readPrintView,
  beforeLoad: requireSession,
  loader: requireStore,
  component: screen(() => import('./screens/orders/print.tsx'), 'PrintOrders'),
  errorComponent: ErrorScreen,
});

const store = createRoute({
  getParentRoute: () => signedIn,
  path: '/stores/$storeId',
  loader: requireStore,
  component: StoreScreens,
});

const loadHome = () => import('./screens/home/home.tsx');

const home = createRoute({
  getParentRoute: () => store,
  path: '/',
  staticData: { needs: 'seeHome' },
  // A number: the router would quote a string of digits in the URL.
  validateSearch: ({ days }: Record<string, unknown>): { days?: 7 | 90 } => (days === 7 || days === 90 ? { days } : {}),
  async beforeLoad({ context: { queryClient }, params, search }) {
    // Loaded beside the calls. The screen reports an error by itself.
    loadHome().catch(() => {});
    const stores = await queryClient.ensureQueryData(storesQuery);
    const role = stores.find(({ id }) => id === params.storeId)?.role;
    // Where a store is opened, and the first page that every role has.
    if (role && !rolesWith('seeHome').includes(role))
      throw redirect({ to: '/stores/$storeId/orders', params, replace: true });
    if (role) void queryClient.prefetchQuery(homeQuery(params.storeId, `${search.days ?? 30}`));
  },
  component: screen(loadHome, 'Home'),
});

const orders = createRoute({
  getParentRoute: () => store,
  path: '/orders',
  validateSearch: readView,
  component: screen(() => import('./screens/orders/orders.tsx'), 'Orders'),
});

const orderBoard = createRoute({
  getParentRoute: () => store,
  path: '/orders/board',
  validateSearch: readBoardView,
  component: screen(() => import('./screens/orders/board.tsx'), 'Board'),
});

const newOrder = createRoute({
  getParentRoute: () => store,
  path: '/orders/new',
  staticData: { needs: 'changeOrders' },
  /** The customer to fill in. */
  validateSearch: (search): { customer?: string } => texts(search, ['customer']),
  component: screen(() => import('./screens/orders/new-order.tsx'), 'NewOrder'),
});

const order = createRoute({
  getParentRoute: () => store,
  path: '/orders/$orderId',
  component: screen(() => import('./screens/orders/order.tsx'), 'Order', 'webhooks'),
});

const catalog = createRoute({
  getParentRoute: () => store,
  path: '/catalog',
  staticData: { needs: 'seeCatalog' },
  component: Catalog,
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
  validateSearch: (search): ProductView =>
    texts(search, ['q', 'category', 'active', 'stock', 'sort', 'cursor', 'product', 'copy', 'stockOf']),
  component: screen(() => import('./screens/catalog/products.tsx'), 'Products', 'stock'),
});

const categories = createRoute({
  getParentRoute: () => catalog,
  path: '/categories',
  component: screen(() => import('./screens/catalog/categories.tsx'), 'Categories'),
});

const promoCodes = createRoute({
  getParentRoute: () => catalog,
  path: '/promo-codes',
  validateSearch: (search): { q?: string } => texts(search, ['q']),
  component: screen(() => import('./screens/promo/promo-codes.tsx'), 'PromoCodes', 'promo'),
});

const importFile = createRoute({
  getParentRoute: () => catalog,
  path: '/import',
  staticData: { needs: 'changeCatalog' },
  validateSearch: ({ what }: Record<string, unknown>): { what?: ImportKind } =>
    what === 'categories' || what === 'customers' ? { what } : {},
  component: screen(() => import('./screens/import/import.tsx'), 'Import', 'importPage', 'importErrors'),
});

const catalogScreens = catalog.addChildren([catalogIndex, products, categories, promoCodes, importFile]);

const customers = createRoute({
  getParentRoute: () => store,
  path: '/customers',
  staticData: { needs: 'seeCustomers' },
  validateSearch: (search): CustomerPageQuery => texts(search, ['q', 'cursor']),
  component: screen(() => import('./screens/customers/customers.tsx'), 'Customers'),
});

const customer = createRoute({
  getParentRoute: () => store,
  path: '/customers/$customerId',
  staticData: { needs: 'seeCustomers' },
  component: screen(() => import('./screens/customers/customer.tsx'), 'CustomerPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => store,
  path: '/settings/api-keys',
  staticData: { needs: 'seeKeys' },
  component: screen(() => import('./screens/settings-api/api-keys.tsx'), 'ApiKeys', 'keys'),
});

const webhooks = createRoute({
  getParentRoute: () => store,
  path: '/settings/webhooks',
  staticData: { needs: 'seeWebhooks' },
  component: screen(() => import('./screens/settings-webhooks/webhooks.tsx'), 'Webhooks', 'webhooks'),
});

const signature = createRoute({
  getParentRoute: () => store,
  path: '/settings/webhooks/signature',
  staticData: { needs: 'changeWebhooks' },
  component: screen(() => import('./screens/settings-webhooks/signature.tsx'), 'SignatureHelper', 'webhooks'),
});

const endpoint = createRoute({
  getParentRoute: () => store,
  path: '/settings/webhooks/$endpointId',
  staticData: { needs: 'seeWebhooks' },
  // The server rejects unknown values.
  validateSearch: (search): DeliveryFilter => texts(search, ['status', 'type', 'order']),
  component: screen(() => import('./screens/settings-webhooks/endpoint.tsx'), 'EndpointPage', 'webhooks'),
});

const requests = createRoute({
  getParentRoute: () => store,
  path: '/settings/requests',
  staticData: { needs: 'seeRequests' },
  // The server rejects unknown values.
  validateSearch: (search): RequestFilter & { line?: string } =>
    texts(search, ['key', 'status', 'method', 'route', 'requestId', 'from', 'to', 'line']),
  component: screen(() => import('./screens/requests/requests.tsx'), 'Requests', 'requests'),
});

const history = createRoute({
  getParentRoute: () => store,
  path: '/history',
  staticData: { needs: 'seeHistory' },
  validateSearch: (search): Omit<HistoryQuery, 'cursor'> => texts(search, ['kind', 'actor']),
  component: screen(
    () => import('./screens/history/history.tsx'),
    'History',
    'history',
    'keys',
    'references',
    'webhooks',
  ),
});

/** Search parameters as strings, because the router parses digits as numbers. */
const texts = (search: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (search[name] ? [[name, String(search[name])]] : [])));

const shop = createRoute({
  getParentRoute: () => store,
  path: '/settings/shop',
  staticData: { needs: 'seeShop' },
  component: screen(() => import('./screens/shop/shop.tsx'), 'Shop', 'shop', 'pictures'),
});

const team = createRoute({
  getParentRoute: () => store,
  path: '/settings/team',
  staticData: { needs: 'seeTeam' },
  component: screen(() => import('./screens/team/team.tsx'), 'Team', 'team'),
});

const storeSettings = createRoute({
  getParentRoute: () => store,
  path: '/settings/store',
  staticData: { needs: 'seeStore' },
  component: screen(() => import('./screens/stores/store-settings.tsx'), 'StoreSettings'),
});

const references = createRoute({
  getParentRoute: () => store,
  path: '/references',
  staticData: { needs: 'seeOrderSettings' },
  loader: () => loadTexts('references'),
  component: References,
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
  component: screen(() => import('./screens/references/order-statuses.tsx'), 'OrderStatuses'),
});

const paymentStatuses = createRoute({
  getParentRoute: () => references,
  path: '/payment-statuses',
  component: screen(() => import('./screens/references/payment-statuses.tsx'), 'PaymentStatuses'),
});

const paymentTypes = createRoute({
  getParentRoute: () => references,
  path: '/payment-types',
  component: screen(() => import('./screens/references/payment-types.tsx'), 'PaymentTypes'),
});

const deliveryTypes = createRoute({
  getParentRoute: () => references,
  path: '/delivery-types',
  component: screen(() => import('./screens/references/delivery-types.tsx'), 'DeliveryTypes'),
});

const warehouses = createRoute({
  getParentRoute: () => references,
  path: '/warehouses',
  component: screen(() => import('./screens/references/warehouses.tsx'), 'Warehouses'),
});

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
  invitation,
  forgotPassword,
  resetPassword,
  printOrders,
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
      requests,
      history,
      storeSettings,
      shop,
      team,
      referenceScreens,
    ]),
  ]),
]);
