import type { Role } from '@store-sales/contract/console';

const owners: readonly Role[] = ['owner'];
const managers: readonly Role[] = ['owner', 'manager'];
const integrators: readonly Role[] = ['owner', 'integrator'];
const managersAndViewers: readonly Role[] = ['owner', 'manager', 'viewer'];
const integratorsAndViewers: readonly Role[] = ['owner', 'integrator', 'viewer'];
const ownersAndViewers: readonly Role[] = ['owner', 'viewer'];

/**
 * Which roles may do what. Everyone sees orders. The contract's table, repeated here: to import it would add its
 * validator to every page.
 */
export const abilities = {
  seeHome: managersAndViewers,
  search: managersAndViewers,
  seeHistory: managersAndViewers,
  /** Also the saved views of the list. */
  changeOrders: managers,
  /** From the timeline of an order. */
  resendDeliveries: ['owner', 'manager', 'integrator'] as readonly Role[],
  seeCatalog: managersAndViewers,
  changeCatalog: managers,
  seeCustomers: managersAndViewers,
  changeCustomers: managers,
  seeOrderSettings: managersAndViewers,
  changeOrderSettings: managers,
  seeShop: managersAndViewers,
  changeShop: managers,
  seeKeys: integratorsAndViewers,
  changeKeys: integrators,
  seeRequests: integratorsAndViewers,
  seeWebhooks: integratorsAndViewers,
  changeWebhooks: integrators,
  seeTeam: ownersAndViewers,
  changeTeam: owners,
  /** The page; what it shows comes with the list of stores. */
  seeStore: ownersAndViewers,
  changeStore: owners,
};

export type Ability = keyof typeof abilities;
