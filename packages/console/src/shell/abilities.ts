import {
  integrators,
  integratorsAndViewers,
  managers,
  managersAndViewers,
  owners,
  ownersAndViewers,
  type Role,
} from '@store-sales/contract/values';

export type Ability = keyof typeof abilities;

/** The roles that an ability is limited to; every member sees orders. A test compares it with the table of endpoints. */
export const rolesWith = (ability: Ability): readonly Role[] => abilities[ability];

export const abilities = {
  seeHome: managersAndViewers,
  search: managersAndViewers,
  seeHistory: managersAndViewers,
  /** Also the saved views of the list. */
  changeOrders: managers,
  /** From the timeline of an order. */
  resendDeliveries: ['owner', 'manager', 'integrator'],
  seeCatalog: managersAndViewers,
  changeCatalog: managers,
  seeCustomers: managersAndViewers,
  changeCustomers: managers,
  /** Hand it over or erase it, when a customer asks for it. */
  managePersonalData: owners,
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
} as const;
