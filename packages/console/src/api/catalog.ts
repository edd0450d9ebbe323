import type { Category, Product } from '@store-sales/contract';
import type {
  ChangeCategory,
  ChangeProduct,
  CreateCategory,
  CreateProduct,
  ProductPage,
  ProductPageQuery,
  SwitchProducts,
} from '@store-sales/contract/console';
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** The URL parameters of the product list; `product` is the id of the open one, or `new`, then `copy` may be another. */
export interface ProductView extends ProductPageQuery {
  product?: string;
  copy?: string;
}

const key = (storeId: string, ...rest: unknown[]) => ['stores', storeId, 'products', ...rest] as const;

export const productPageQuery = (storeId: string, query: ProductPageQuery) =>
  queryOptions({
    queryKey: key(storeId, 'page', query),
    queryFn: () => call('GET /stores/{storeId}/products', { params: { storeId }, query }),
    placeholderData: keepPreviousData,
  });

export const productQuery = (storeId: string, productId: string) =>
  queryOptions({
    queryKey: key(storeId, 'one', productId),
    queryFn: () => call('GET /stores/{storeId}/products/{productId}', { params: { storeId, productId } }),
    // A form must start from the current values, and keep what was typed until it is closed.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });

export const categoriesQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'categories'],
    queryFn: () => call('GET /stores/{storeId}/categories', { params: { storeId } }),
  });

export const createProduct = (storeId: string, body: CreateProduct) =>
  call('POST /stores/{storeId}/products', { params: { storeId }, body });
export const changeProduct = (storeId: string, productId: string, body: ChangeProduct, updatedAt?: string) =>
  call('PATCH /stores/{storeId}/products/{productId}', {
    params: { storeId, productId },
    body,
    ...(updatedAt && { headers: { 'If-Match': `"${updatedAt}"` } }),
  });

export const switchProducts = (storeId: string, body: SwitchProducts) =>
  call('PATCH /stores/{storeId}/products', { params: { storeId }, body });

export const categoryCountsQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['stores', storeId, 'category-counts'],
    queryFn: () => call('GET /stores/{storeId}/categories/counts', { params: { storeId } }),
    staleTime: 0,
  });

export const createCategory = (storeId: string, body: CreateCategory) =>
  call('POST /stores/{storeId}/categories', { params: { storeId }, body });
export const changeCategory = (storeId: string, base: Category, body: ChangeCategory) =>
  call('PATCH /stores/{storeId}/categories/{categoryId}', {
    params: { storeId, categoryId: base.id },
    body,
    // The API shows the times of categories with microseconds.
    headers: { 'If-Match': `"${new Date(base.updatedAt).toISOString()}"` },
  });
export const deleteCategory = (storeId: string, categoryId: string) =>
  call('DELETE /stores/{storeId}/categories/{categoryId}', { params: { storeId, categoryId } });

/** Updates the cached pages with a changed product, and reloads the lists. */
export function updateCachedProduct(queryClient: QueryClient, storeId: string, product: Product) {
  queryClient.setQueriesData<ProductPage>({ queryKey: key(storeId, 'page') }, (page) =>
    page ? { ...page, data: page.data.map((other) => (other.id === product.id ? product : other)) } : page,
  );
  reloadProducts(queryClient, storeId);
}

export function reloadProducts(queryClient: QueryClient, storeId: string) {
  void queryClient.invalidateQueries({ queryKey: key(storeId, 'page') });
  // The order form searches active products.
  void queryClient.invalidateQueries({ queryKey: ['stores', storeId, 'orders', 'products'] });
}
