import type { Product } from '@store-sales/contract';
import type { ListedProduct, ProductPage, ProductPageQuery } from '@store-sales/contract/console';
import { keepPreviousData, type QueryClient } from '@tanstack/react-query';
import { FORM_QUERY, query } from './query.ts';

/**
 * The URL parameters of the product list; `product` is the id of the open one, or `new`, then `copy` may be another.
 * `stockOf` is the one whose stock is open.
 */
export interface ProductView extends ProductPageQuery {
  product?: string;
  copy?: string;
  stockOf?: string;
}

const LIST = 'GET /stores/{storeId}/products';

export const productPageQuery = (storeId: string, search: ProductPageQuery) => ({
  ...query(LIST, { params: { storeId }, query: search }),
  placeholderData: keepPreviousData,
});
export const productQuery = (storeId: string, productId: string) => ({
  ...query('GET /stores/{storeId}/products/{productId}', { params: { storeId, productId } }),
  ...FORM_QUERY,
});
export const categoriesQuery = (storeId: string) => query('GET /stores/{storeId}/categories', { params: { storeId } });

/** The small picture is known only to the list: until that is loaded again, another one is shown whole. */
const thumbnailOf = ({ imageUrl, thumbnailUrl }: ListedProduct, changed: Product) =>
  changed.imageUrl === imageUrl ? thumbnailUrl : changed.imageUrl;

/** Updates the cached pages with a changed product, and reloads the lists. */
export function updateCachedProduct(queryClient: QueryClient, storeId: string, product: Product) {
  queryClient.setQueriesData<ProductPage>({ queryKey: [{ storeId }, LIST] }, (page) =>
    page
      ? {
          ...page,
          data: page.data.map((other) =>
            other.id === product.id ? { ...other, ...product, thumbnailUrl: thumbnailOf(other, product) } : other,
          ),
        }
      : page,
  );
  reloadProducts(queryClient, storeId);
}

export function reloadProducts(queryClient: QueryClient, storeId: string) {
  void queryClient.invalidateQueries({ queryKey: [{ storeId }, LIST] });
  // The order form searches active products.
  void queryClient.invalidateQueries({ queryKey: [{ storeId }, 'GET /stores/{storeId}/orders/products'] });
}
