import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Product } from '../api/catalog.ts';
import { Customer } from '../api/customers.ts';
import { OrderChange, OrderCreate } from '../api/orders.ts';
import * as r from '../api/references.ts';
import * as account from './account.ts';
import * as catalog from './catalog.ts';
import * as customerMail from './customer-mail.ts';
import * as customers from './customers.ts';
import * as history from './history.ts';
import * as home from './home.ts';
import * as imports from './imports.ts';
import * as keys from './keys.ts';
import * as members from './members.ts';
import * as orders from './orders.ts';
import * as pictures from './pictures.ts';
import * as promo from './promo.ts';
import * as references from './references.ts';
import * as requests from './requests.ts';
import * as search from './search.ts';
import * as secondFactor from './second-factor.ts';
import * as shop from './shop.ts';
import * as stock from './stock.ts';
import * as stores from './stores.ts';
import {
  everyone,
  integrators,
  integratorsAndViewers,
  managers,
  managersAndViewers,
  owners,
  ownersAndViewers,
  pictureTypes,
  type Role,
} from './values.ts';
import * as webhooks from './webhooks.ts';

export const CONSOLE_API_PREFIX = '/console/api';

/** Who may call: anyone, everybody who is signed in, or those members of the store in the path who have such a role. */
export type Access = 'anyone' | 'account' | readonly Role[];

/** A response that is streamed instead of being one JSON document. */
export interface Stream {
  contentType: string;
  /** Maximum that are open at once, of all members of an owner's stores in one process: each takes memory until its end. */
  maxOpen: number;
}

export interface ConsoleEndpoint {
  access: Access;
  query?: TObject;
  body?: TObject;
  /** Accepts the header `Idempotency-Key`. The response is kept for a day, so it must not contain a secret. */
  isRepeatable?: true;
  /** The request body is a file of one of these types instead of JSON. */
  upload?: readonly string[];
  /** null: 204 without a body. */
  response: TSchema | Stream | null;
  /** Default: 200, or 204 without a body. */
  status?: 201;
  /** The response may be 204 instead. */
  mayBeEmpty?: true;
  /** Needs a sign-in or verification within the last minutes. */
  stepUp?: true;
  /** Also for members without a second factor, if the store requires one. */
  needsNoFactor?: true;
}

const csv: Stream = { contentType: 'text/csv; charset=utf-8', maxOpen: 5 };
const json: Stream = { contentType: 'application/json; charset=utf-8', maxOpen: 5 };
const ndjson: Stream = { contentType: 'application/x-ndjson; charset=utf-8', maxOpen: 2 };
const events: Stream = { contentType: 'text/event-stream; charset=utf-8', maxOpen: 150 };
const importFile = { access: managers, query: imports.ImportQuery, upload: ['text/csv'], response: ndjson } as const;
const importProducts = { ...importFile, query: imports.ProductImportQuery } as const;

/**
 * The console's private API. The server binds a handler to each row and the web client is typed from it: a row without
 * a handler, and a call to a row that does not exist, do not compile.
 */
export const consoleEndpoints = {
  'GET /session': { access: 'anyone', response: account.SessionState },
  // 204: signed in; 200: the account has a second factor, which `POST /session/second-factor` checks.
  'POST /session': { access: 'anyone', body: account.SignIn, response: secondFactor.ProofRequest, mayBeEmpty: true },
  'POST /session/second-factor': { access: 'anyone', body: secondFactor.Proof, response: null },
  'DELETE /session': { access: 'anyone', response: null },
  // Before a row with `stepUp`: how the person can confirm that it is them, and the confirmation.
  'POST /session/verify/start': { access: 'account', response: secondFactor.ProofRequest },
  'POST /session/verify': { access: 'account', body: secondFactor.Proof, response: null },
  'POST /setup': { access: 'anyone', body: account.SetUp, response: null },
  // The same response whether or not the address is known.
  'POST /forgotten-password': { access: 'anyone', body: account.ForgottenPassword, response: null },
  'POST /password-reset': { access: 'anyone', body: account.ResetPassword, response: null },
  'PATCH /profile': { access: 'account', body: account.ChangeProfile, response: account.Account },
  'PUT /password': { access: 'account', body: account.ChangePassword, response: null },
  'GET /sessions': { access: 'account', response: Type.Array(account.SignedInBrowser) },
  'DELETE /sessions': { access: 'account', response: null },
  'DELETE /sessions/others': { access: 'account', response: null },
  'DELETE /sessions/{sessionId}': { access: 'account', response: null },

  'GET /second-factor': { access: 'account', response: secondFactor.SecondFactor },
  'POST /second-factor/codes': { access: 'account', response: secondFactor.CodesOffer, stepUp: true },
  'PUT /second-factor/codes': {
    access: 'account',
    body: secondFactor.ConfirmCodes,
    response: secondFactor.AddedFactor,
    stepUp: true,
  },
  'DELETE /second-factor/codes': { access: 'account', response: secondFactor.SecondFactor, stepUp: true },
  'POST /second-factor/passkeys/start': { access: 'account', response: secondFactor.PasskeyOffer, stepUp: true },
  'POST /second-factor/passkeys': {
    access: 'account',
    body: secondFactor.AddPasskey,
    response: secondFactor.AddedFactor,
    status: 201,
    stepUp: true,
  },
  'DELETE /second-factor/passkeys/{passkeyId}': {
    access: 'account',
    response: secondFactor.SecondFactor,
    stepUp: true,
  },
  'POST /second-factor/recovery-codes': { access: 'account', response: secondFactor.RecoveryCodes, stepUp: true },

  'GET /stores': { access: 'account', response: Type.Array(stores.Store) },
  'POST /stores': { access: 'account', body: stores.CreateStore, response: stores.Store, status: 201 },
  'PATCH /stores/{storeId}': { access: owners, body: stores.ChangeStore, response: stores.Store },

  'PUT /stores/{storeId}/second-factor': {
    access: owners,
    body: secondFactor.RequireSecondFactor,
    response: stores.Store,
    stepUp: true,
  },

  'GET /stores/{storeId}/members': { access: ownersAndViewers, response: members.Team },
  'PATCH /stores/{storeId}/members/{accountId}': {
    access: owners,
    body: members.ChangeMember,
    response: members.Team,
    stepUp: true,
  },
  'DELETE /stores/{storeId}/members/{accountId}': { access: owners, response: members.Team, stepUp: true },
  // A member leaves the store.
  'DELETE /stores/{storeId}/membership': { access: everyone, response: null, needsNoFactor: true },
  'GET /order-mails': { access: 'account', response: members.OrderMails },
  // For the member who calls.
  'PUT /stores/{storeId}/order-mail': { access: everyone, body: members.SetOrderMail, response: null },
  'POST /stores/{storeId}/invitations': {
    access: owners,
    body: members.Invite,
    response: members.InvitationLink,
    status: 201,
    stepUp: true,
  },
  // A new link; the one before stops working.
  'POST /stores/{storeId}/invitations/{invitationId}/renew': {
    access: owners,
    response: members.InvitationLink,
    stepUp: true,
  },
  'DELETE /stores/{storeId}/invitations/{invitationId}': { access: owners, response: members.Team },
  // The token is in the body, so that it is in no log.
  'POST /invitation': { access: 'anyone', body: members.OpenInvitation, response: members.OpenedInvitation },
  'POST /invitation/account': { access: 'anyone', body: members.JoinWithNewAccount, response: members.Joined },
  'POST /invitation/accept': { access: 'account', body: members.OpenInvitation, response: members.Joined },

  'GET /stores/{storeId}/changes': { access: everyone, response: events },

  'GET /stores/{storeId}/shop': { access: managersAndViewers, response: shop.ShopSettings },
  'PUT /stores/{storeId}/shop': { access: managers, body: shop.SaveShop, response: shop.ShopSettings },
  'GET /stores/{storeId}/shop/pictures': { access: managersAndViewers, response: pictures.ShopPictures },
  'PUT /stores/{storeId}/shop/logo': { access: managers, upload: pictureTypes, response: pictures.ShopPictures },
  'PUT /stores/{storeId}/shop/cover': { access: managers, upload: pictureTypes, response: pictures.ShopPictures },
  'DELETE /stores/{storeId}/shop/logo': { access: managers, response: pictures.ShopPictures },
  'DELETE /stores/{storeId}/shop/cover': { access: managers, response: pictures.ShopPictures },

  'GET /stores/{storeId}/home': { access: managersAndViewers, query: home.HomeQuery, response: home.Home },
  'GET /stores/{storeId}/home/products': {
    access: managersAndViewers,
    query: home.HomeQuery,
    response: Type.Array(home.BestProduct),
  },
  'GET /stores/{storeId}/history': {
    access: managersAndViewers,
    query: history.HistoryQuery,
    response: history.HistoryPage,
  },

  'GET /stores/{storeId}/search': {
    access: managersAndViewers,
    query: search.SearchQuery,
    response: search.SearchResults,
  },

  'GET /stores/{storeId}/orders': { access: everyone, query: orders.OrderPageQuery, response: orders.OrderPage },
  'POST /stores/{storeId}/orders': {
    access: managers,
    body: OrderCreate,
    isRepeatable: true,
    response: orders.OrderDetails,
    status: 201,
  },
  'GET /stores/{storeId}/orders/export': { access: everyone, query: orders.OrderExportQuery, response: csv },
  'GET /stores/{storeId}/orders/board': { access: everyone, query: orders.BoardQuery, response: orders.OrderPage },
  'GET /stores/{storeId}/orders/counts': {
    access: everyone,
    query: orders.OrderCountsQuery,
    response: orders.OrderCounts,
  },
  'POST /stores/{storeId}/orders/bulk': { access: managers, body: orders.BulkChange, response: orders.BulkResult },
  'POST /stores/{storeId}/orders/tracking': {
    access: managers,
    body: orders.TrackOrders,
    response: orders.TrackResult,
  },
  'GET /stores/{storeId}/orders/choices': { access: everyone, response: orders.OrderChoices },
  'GET /stores/{storeId}/orders/products': {
    access: managers,
    query: catalog.ProductSearch,
    response: Type.Array(catalog.FoundProduct),
  },
  'GET /stores/{storeId}/orders/promo-code': {
    access: managers,
    query: promo.PromoLookup,
    response: promo.FoundPromoCode,
  },
  'GET /stores/{storeId}/orders/{orderId}': { access: everyone, response: orders.OrderDetails },
  'PATCH /stores/{storeId}/orders/{orderId}': { access: managers, body: OrderChange, response: orders.OrderDetails },
  'POST /stores/{storeId}/orders/{orderId}/mails': {
    access: managers,
    body: customerMail.MailCustomer,
    response: orders.OrderDetails,
  },
  'POST /stores/{storeId}/orders/deliveries/{deliveryId}/resend': {
    access: ['owner', 'manager', 'integrator'],
    response: Type.Object({ id: Type.String() }),
  },

  'GET /stores/{storeId}/status-mails': { access: managersAndViewers, response: Type.Array(customerMail.StatusMail) },
  'PUT /stores/{storeId}/status-mails/{statusId}': {
    access: managers,
    body: customerMail.SaveStatusMail,
    response: customerMail.StatusMail,
  },
  'GET /stores/{storeId}/seller': { access: everyone, response: customerMail.Seller },
  'PUT /stores/{storeId}/seller': { access: owners, body: customerMail.SaveSeller, response: customerMail.Seller },
  'GET /stores/{storeId}/promo-codes': {
    access: managersAndViewers,
    query: promo.PromoCodeQuery,
    response: promo.PromoCodePage,
  },
  'POST /stores/{storeId}/promo-codes': {
    access: managers,
    body: promo.CreatePromoCode,
    response: promo.PromoCode,
    status: 201,
  },
  'PATCH /stores/{storeId}/promo-codes/{promoCodeId}': {
    access: managers,
    body: promo.SwitchPromoCode,
    response: promo.PromoCode,
  },

  'GET /stores/{storeId}/order-views': { access: everyone, response: Type.Array(orders.SavedOrderView) },
  'POST /stores/{storeId}/order-views': {
    access: managers,
    body: orders.SaveOrderView,
    response: orders.SavedOrderView,
    status: 201,
  },
  'PUT /stores/{storeId}/order-views/{viewId}': {
    access: managers,
    body: orders.SaveOrderView,
    response: orders.SavedOrderView,
  },
  'DELETE /stores/{storeId}/order-views/{viewId}': { access: managers, response: null },

  'GET /stores/{storeId}/products': {
    access: managersAndViewers,
    query: catalog.ProductPageQuery,
    response: catalog.ProductPage,
  },
  'POST /stores/{storeId}/products': { access: managers, body: catalog.CreateProduct, response: Product, status: 201 },
  'GET /stores/{storeId}/products/export': {
    access: managersAndViewers,
    query: catalog.ProductExportQuery,
    response: csv,
  },
  'GET /stores/{storeId}/products/{productId}': { access: managersAndViewers, response: Product },
  // `If-Match` is the `updatedAt` of the product as it was read.
  'PATCH /stores/{storeId}/products/{productId}': { access: managers, body: catalog.ChangeProduct, response: Product },
  'PATCH /stores/{storeId}/products': {
    access: managers,
    body: catalog.ChangeProducts,
    response: Type.Object({ changed: Type.Integer() }),
  },
  'POST /stores/{storeId}/products/import': importProducts,
  'GET /stores/{storeId}/products/{productId}/stock': { access: managersAndViewers, response: stock.ProductStock },
  'POST /stores/{storeId}/products/{productId}/stock': {
    access: managers,
    body: stock.AdjustStock,
    isRepeatable: true,
    response: stock.ProductStock,
  },
  'GET /stores/{storeId}/products/{productId}/movements': {
    access: managersAndViewers,
    query: stock.MovementQuery,
    response: stock.MovementPage,
  },

  'GET /stores/{storeId}/products/{productId}/pictures': {
    access: managersAndViewers,
    response: Type.Array(pictures.Picture),
  },
  'POST /stores/{storeId}/products/{productId}/pictures': {
    access: managers,
    upload: pictureTypes,
    response: pictures.ProductPictures,
    status: 201,
  },
  // Another order of the same pictures.
  'PUT /stores/{storeId}/products/{productId}/pictures': {
    access: managers,
    body: pictures.ArrangePictures,
    response: pictures.ProductPictures,
  },
  'DELETE /stores/{storeId}/products/{productId}/pictures/{pictureId}': {
    access: managers,
    response: pictures.ProductPictures,
  },

  // Changes return the whole tree, which is small.
  'GET /stores/{storeId}/categories': { access: managersAndViewers, response: Type.Array(r.Category) },
  'POST /stores/{storeId}/categories': {
    access: managers,
    body: catalog.CreateCategory,
    response: Type.Array(r.Category),
    status: 201,
  },
  // `If-Match` is the `updatedAt` of the category as it was read, with milliseconds.
  'PATCH /stores/{storeId}/categories/{categoryId}': {
    access: managers,
    body: catalog.ChangeCategory,
    response: Type.Array(r.Category),
  },
  'DELETE /stores/{storeId}/categories/{categoryId}': { access: managers, response: Type.Array(r.Category) },
  'GET /stores/{storeId}/categories/counts': { access: managersAndViewers, response: catalog.CategoryCounts },
  'POST /stores/{storeId}/categories/import': importFile,

  'GET /stores/{storeId}/customers': {
    access: managersAndViewers,
    query: customers.CustomerPageQuery,
    response: customers.CustomerPage,
  },
  'POST /stores/{storeId}/customers': {
    access: managers,
    body: customers.CreateCustomer,
    response: Customer,
    status: 201,
  },
  'GET /stores/{storeId}/customers/export': {
    access: managersAndViewers,
    query: customers.CustomerExportQuery,
    response: csv,
  },
  'GET /stores/{storeId}/customers/{customerId}': { access: managersAndViewers, response: Customer },
  // `If-Match` is the `updatedAt` of the customer as it was read.
  'PATCH /stores/{storeId}/customers/{customerId}': {
    access: managers,
    body: customers.ChangeCustomer,
    response: Customer,
  },
  'POST /stores/{storeId}/customers/{customerId}/merge': {
    access: managers,
    body: customers.MergeCustomer,
    response: Customer,
  },
  // All that is kept about the customer, and the erasure of it.
  'GET /stores/{storeId}/customers/{customerId}/personal-data': { access: owners, response: json },
  'DELETE /stores/{storeId}/customers/{customerId}/personal-data': { access: owners, response: Customer },
  'GET /stores/{storeId}/customers/{customerId}/sales': {
    access: managersAndViewers,
    response: customers.CustomerSales,
  },
  'GET /stores/{storeId}/customers/{customerId}/orders': {
    access: managersAndViewers,
    query: customers.CustomerOrdersQuery,
    response: orders.OrderPage,
  },
  'POST /stores/{storeId}/customers/import': importFile,

  'GET /stores/{storeId}/order-statuses': {
    access: managersAndViewers,
    response: Type.Array(references.VersionedOrderStatus),
  },
  'POST /stores/{storeId}/order-statuses': {
    access: managers,
    body: r.OrderStatusCreate,
    response: references.VersionedOrderStatus,
    status: 201,
  },
  'PUT /stores/{storeId}/order-statuses': {
    access: managers,
    body: references.ArrangeOrderStatuses,
    response: Type.Array(references.VersionedOrderStatus),
  },
  'PATCH /stores/{storeId}/order-statuses/{statusId}': {
    access: managers,
    body: r.OrderStatusChange,
    response: references.VersionedOrderStatus,
  },
  'GET /stores/{storeId}/order-statuses/{statusId}/orders': {
    access: managersAndViewers,
    response: references.OrdersToMove,
  },
  'GET /stores/{storeId}/payment-statuses': {
    access: managersAndViewers,
    response: Type.Array(references.VersionedPaymentStatus),
  },
  'POST /stores/{storeId}/payment-statuses': {
    access: managers,
    body: r.PaymentStatusCreate,
    response: references.VersionedPaymentStatus,
    status: 201,
  },
  'PUT /stores/{storeId}/payment-statuses': {
    access: managers,
    body: references.ArrangePaymentStatuses,
    response: Type.Array(references.VersionedPaymentStatus),
  },
  'PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}': {
    access: managers,
    body: r.PaymentStatusChange,
    response: references.VersionedPaymentStatus,
  },
  'GET /stores/{storeId}/payment-statuses/{paymentStatusId}/orders': {
    access: managersAndViewers,
    response: references.OrdersToMove,
  },
  'GET /stores/{storeId}/delivery-types': {
    access: managersAndViewers,
    response: Type.Array(references.VersionedDeliveryType),
  },
  'POST /stores/{storeId}/delivery-types': {
    access: managers,
    body: references.CreateDeliveryType,
    response: references.VersionedDeliveryType,
    status: 201,
  },
  'PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}': {
    access: managers,
    body: r.DeliveryTypeChange,
    response: references.VersionedDeliveryType,
  },
  'GET /stores/{storeId}/payment-types': { access: managersAndViewers, response: Type.Array(r.PaymentType) },
  'POST /stores/{storeId}/payment-types': {
    access: managers,
    body: r.PaymentTypeCreate,
    response: r.PaymentType,
    status: 201,
  },
  'PATCH /stores/{storeId}/payment-types/{paymentTypeId}': {
    access: managers,
    body: references.ChangePaymentType,
    response: r.PaymentType,
  },
  'GET /stores/{storeId}/warehouses': {
    access: managersAndViewers,
    response: Type.Array(references.VersionedWarehouse),
  },
  'POST /stores/{storeId}/warehouses': {
    access: managers,
    body: r.WarehouseCreate,
    response: references.VersionedWarehouse,
    status: 201,
  },
  'PATCH /stores/{storeId}/warehouses/{warehouseId}': {
    access: managers,
    body: references.ChangeWarehouse,
    response: references.VersionedWarehouse,
  },

  'GET /stores/{storeId}/keys': { access: integratorsAndViewers, response: Type.Array(keys.ApiKey) },
  'POST /stores/{storeId}/keys': {
    access: integrators,
    body: keys.CreateKey,
    response: keys.CreatedKey,
    status: 201,
    stepUp: true,
  },
  'DELETE /stores/{storeId}/keys/{keyId}': { access: integrators, response: keys.ApiKey },

  'GET /stores/{storeId}/requests': {
    access: integratorsAndViewers,
    query: requests.RequestQuery,
    response: requests.RequestPage,
  },
  'GET /stores/{storeId}/requests/counts': {
    access: integratorsAndViewers,
    query: requests.RequestFilter,
    response: requests.RequestCounts,
  },
  'GET /stores/{storeId}/requests/{lineId}': { access: integratorsAndViewers, response: requests.RequestDetails },

  'GET /stores/{storeId}/webhooks': { access: integratorsAndViewers, response: Type.Array(webhooks.Endpoint) },
  'POST /stores/{storeId}/webhooks': {
    access: integrators,
    body: webhooks.CreateEndpoint,
    response: webhooks.EndpointSecret,
    status: 201,
    stepUp: true,
  },
  'GET /stores/{storeId}/webhooks/{endpointId}': { access: integratorsAndViewers, response: webhooks.EndpointDetails },
  // Another address needs a confirmation, as with `stepUp`.
  'PATCH /stores/{storeId}/webhooks/{endpointId}': {
    access: integrators,
    body: webhooks.ChangeEndpoint,
    response: webhooks.EndpointDetails,
  },
  'DELETE /stores/{storeId}/webhooks/{endpointId}': { access: integrators, response: null },
  'POST /stores/{storeId}/webhooks/{endpointId}/ping': {
    access: integrators,
    response: Type.Object({ deliveryId: Type.String() }),
    status: 201,
  },
  'POST /stores/{storeId}/webhooks/{endpointId}/enable': {
    access: integrators,
    body: webhooks.EnableEndpoint,
    response: webhooks.EndpointDetails,
  },
  'POST /stores/{storeId}/webhooks/{endpointId}/disable': { access: integrators, response: webhooks.EndpointDetails },
  'POST /stores/{storeId}/webhooks/{endpointId}/rotate': {
    access: integrators,
    response: webhooks.EndpointSecret,
    stepUp: true,
  },
  'GET /stores/{storeId}/webhooks/{endpointId}/deliveries': {
    access: integratorsAndViewers,
    query: webhooks.DeliveryQuery,
    response: webhooks.DeliveryPage,
  },
  'GET /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}': {
    access: integratorsAndViewers,
    response: webhooks.Delivery,
  },
  'POST /stores/{storeId}/webhooks/{endpointId}/deliveries/{deliveryId}/resend': {
    access: integrators,
    response: webhooks.Delivery,
  },
  // How many deliveries match, for the confirmation dialog.
  'GET /stores/{storeId}/webhooks/{endpointId}/resend': {
    access: integratorsAndViewers,
    query: webhooks.DeliveryFilter,
    response: webhooks.Resendable,
  },
  'POST /stores/{storeId}/webhooks/{endpointId}/resend': {
    access: integrators,
    body: webhooks.DeliveryFilter,
    response: Type.Object({ count: Type.Integer() }),
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, ConsoleEndpoint>;

export type ConsoleRoute = keyof typeof consoleEndpoints;
type Row<Route extends ConsoleRoute> = (typeof consoleEndpoints)[Route];

/** The type of a row's query or body; unknown if it has none. */
export type ConsoleInput<Route extends ConsoleRoute, Part extends 'query' | 'body'> =
  Row<Route> extends { [Key in Part]: infer Schema extends TObject } ? Static<Schema> : unknown;

/** The type of a row's JSON response. */
export type ConsoleOutput<Route extends ConsoleRoute> = Row<Route>['response'] extends infer Schema extends TSchema
  ? Static<Schema> | (Row<Route> extends { mayBeEmpty: true } ? undefined : never)
  : undefined;
