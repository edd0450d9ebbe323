import type { Category, Product } from '@store-sales/contract';
import type {
  ChangeCategory,
  ChangeProduct,
  CreateCategory,
  CreateProduct,
  ProductPage,
  ProductPageQuery,
} from '@store-sales/contract/console';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** What the address of the products says: which of them, and which one is open (`new` for one that is not there yet). */
export interface ProductView extends ProductPageQuery {
  product?: string;
}

const path = (storeId: string) => `/stores/${storeId}/products`;
const key = (storeId: string, ...rest: unknown[]) => ['stores', storeId, 'products', ...rest] as const;

export const productPageQuery = (storeId: string, view: ProductPageQuery) =>
  queryOptions({
    queryKey: key(storeId, 'page', view),
    queryFn: () => call<ProductPage>('GET', `${path(storeId)}?${new URLSearchParams(view as Record<string, string>)}`),
    placeholderData: keepPreviousData,
  });

export const productQuery = (storeId: string, id: string) =>
  queryOptions({
    queryKey: key(storeId, 'one', id),
    queryFn: () => call<Product>('GET', `${path(storeId)}/${id}`),
    // What is about to be edited is looked at as it is now.
    staleTime: 0,
  });

export const categoriesQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'categories'],
    queryFn: () => call<Category[]>('GET', `/stores/${storeId}/categories`),
  });

export const createProduct = (storeId: string, body: CreateProduct) => call<Product>('POST', path(storeId), body);
export const changeProduct = (storeId: string, id: string, body: ChangeProduct) =>
  call<Product>('PATCH', `${path(storeId)}/${id}`, body);

export const createCategory = (storeId: string, body: CreateCategory) =>
  call<Category[]>('POST', `/stores/${storeId}/categories`, body);
export const changeCategory = (storeId: string, id: string, body: ChangeCategory) =>
  call<Category[]>('PATCH', `/stores/${storeId}/categories/${id}`, body);
export const deleteCategory = (storeId: string, id: string) =>
  call<Category[]>('DELETE', `/stores/${storeId}/categories/${id}`);

/** After a change: the product as it is now in the pages that show it, and lists are read again. */
export function keepProduct(queryClient: QueryClient, storeId: string, product: Product) {
  queryClient.setQueryData(productQuery(storeId, product.id).queryKey, product);
  queryClient.setQueriesData<ProductPage>({ queryKey: key(storeId, 'page') }, (page) =>
    page ? { ...page, data: page.data.map((other) => (other.id === product.id ? product : other)) } : page,
  );
  void queryClient.invalidateQueries({ queryKey: key(storeId, 'page') });
  // The new order offers what is on sale.
  void queryClient.invalidateQueries({ queryKey: ['stores', storeId, 'orders', 'products'] });
}
