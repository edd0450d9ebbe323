/** Rights of an API key, with their descriptions. */
export const rights = {
  'orders:read': 'List and read orders',
  'orders:write': 'Create and change orders',
  'products:read': 'List and read products',
  'customers:read': 'List and read customers',
  'references:read': 'Read statuses, delivery and payment types, warehouses and categories',
  'references:write': 'Create and change statuses, delivery and payment types and warehouses',
  'stock:write': 'Set and change the stock of products',
} as const;

export type Right = keyof typeof rights;

/** No longer issued; old keys that have them keep working. */
export const retiredRights = ['products:write', 'customers:write'] as const;

export const isRight = (value: string): value is Right => Object.hasOwn(rights, value);

export const plans = ['optimal', 'basic'] as const;
export type Plan = (typeof plans)[number];
