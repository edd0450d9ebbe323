import { Button, Group, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import { IconCopy } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { productQuery, updateCachedProduct } from '../../api/catalog.ts';
import { call, ifMatch } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { kopecks } from '../../shell/money.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { notify } from '../../shell/notify.tsx';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { useRecordForm } from '../../shell/use-record-form.ts';
import { useStore } from '../../shell/use-store.ts';
import { validators } from '../../shell/validators.ts';
import { CategorySelect } from './category-select.tsx';
import { ProductImage } from './product-image.tsx';
import { ProductPictures } from './product-pictures.tsx';
import { StockButton } from './stock-count.tsx';
import { useTree } from './use-tree.ts';

interface ProductDrawerProps {
  /** `new` for a new product. */
  id: string;
  /** The product that a new one is a copy of. */
  copy: string | undefined;
  onDuplicate(id: string): void;
  onOpenStock(): void;
  onClose(): void;
}

export default function ProductDrawer({ id, copy, onDuplicate, onOpenStock, onClose }: ProductDrawerProps) {
  if (id === 'new' && !copy) return <ProductForm onClose={onClose} />;
  return (
    <LoadedForm
      key={`${id} ${copy}`}
      id={copy ?? id}
      isCopy={copy !== undefined}
      onDuplicate={onDuplicate}
      onOpenStock={onOpenStock}
      onClose={onClose}
    />
  );
}

interface LoadedFormProps extends Pick<ProductDrawerProps, 'onDuplicate' | 'onOpenStock' | 'onClose'> {
  id: string;
  isCopy: boolean;
}

function LoadedForm({ id, isCopy, onDuplicate, onOpenStock, onClose }: LoadedFormProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data, error, refetch } = useQuery(productQuery(storeId, id));
  // SKU and external ID are unique.
  if (data && isCopy) {
    // Uploaded pictures belong to their product.
    const imageUrl = isUploaded(data) ? '' : data.imageUrl;
    return <ProductForm from={{ ...data, sku: '', externalId: '', imageUrl }} onClose={onClose} />;
  }
  if (data)
    return <ProductForm of={data} onDuplicate={() => onDuplicate(id)} onOpenStock={onOpenStock} onClose={onClose} />;
  if (!error) return null;
  return (
    <Dialog onClose={onClose} place="right" title={t('catalog.editProduct')}>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Dialog>
  );
}

/** Set by the first of its pictures. */
const isUploaded = ({ imageUrl }: Product) => imageUrl.startsWith('/files/');

interface Values {
  name: string;
  price: number | string;
  oldPrice: number | string;
  sku: string;
  externalId: string;
  categoryId: string;
  description: string;
  imageUrl: string;
  isActive: boolean;
}

type TextField = Exclude<keyof Values, 'categoryId'>;

const blank: Values = {
  name: '',
  price: '',
  oldPrice: '',
  sku: '',
  externalId: '',
  categoryId: '',
  description: '',
  imageUrl: '',
  isActive: true,
};

const valuesOf = ({
  name,
  price,
  oldPrice,
  sku,
  externalId,
  categoryId,
  description,
  imageUrl,
  isActive,
}: Product): Values => ({
  name,
  price: price / 100,
  oldPrice: oldPrice === null ? '' : oldPrice / 100,
  sku,
  externalId,
  categoryId: categoryId ?? '',
  description,
  imageUrl,
  isActive,
});

const toProduct = ({ price, oldPrice, ...values }: Values) => ({
  ...values,
  price: kopecks(price),
  oldPrice: kopecks(oldPrice),
});

interface ProductFormProps {
  of?: Product;
  /** The values of a new product. */
  from?: Product;
  onDuplicate?(): void;
  onOpenStock?(): void;
  onClose(): void;
}

function ProductForm({ of, from = of, onDuplicate, onOpenStock, onClose }: ProductFormProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { pathOf } = useTree();
  const record = useRecordForm({
    of,
    blank: from ? valuesOf(from) : blank,
    valuesOf,
    validate: () => ({
      name: validators(t).required(200),
      price: (value) => (value === '' ? t('fieldErrors.required') : validators(t).amount(value)),
      oldPrice: validators(t).amount,
    }),
    create: (values) => call('POST /stores/{storeId}/products', { params: { storeId }, body: toProduct(values) }),
    change: ({ id, updatedAt }, { price, oldPrice, ...changed }) =>
      call('PATCH /stores/{storeId}/products/{productId}', {
        params: { storeId, productId: id },
        body: {
          ...changed,
          ...(price !== undefined && { price: kopecks(price) }),
          ...(oldPrice !== undefined && { oldPrice: kopecks(oldPrice) }),
        },
        ...ifMatch(`"${updatedAt}"`),
      }),
    reload: ({ id }) => queryClient.fetchQuery({ ...productQuery(storeId, id), staleTime: 0 }),
    onSaved(product) {
      if (product) updateCachedProduct(queryClient, storeId, product);
      notify(t(of ? 'common.saved' : 'catalog.productCreated'));
      onClose();
    },
  });
  const { form, base } = record;
  const labelOf = (field: string) =>
    field === 'categoryId' ? t('catalog.category') : t(`catalog.${field as TextField}`);
  const textOf = (field: string, value: string) => {
    if (field === 'categoryId') return pathOf(value);
    return field === 'isActive' ? t(value === 'true' ? 'catalog.on' : 'catalog.off') : value;
  };
  return (
    <RecordDialog
      record={record}
      place="right"
      title={t(of ? 'catalog.editProduct' : 'catalog.newProduct')}
      create={t('catalog.create')}
      labelOf={labelOf}
      textOf={textOf}
      onClose={onClose}
    >
      <TextInput label={t('catalog.name')} maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <Group grow align="flex-start">
        <MoneyInput label={t('catalog.price')} {...form.getInputProps('price')} />
        <MoneyInput
          label={t('catalog.oldPrice')}
          title={t('catalog.oldPriceHint')}
          {...form.getInputProps('oldPrice')}
        />
      </Group>
      <TextInput label={t('catalog.sku')} maxLength={255} {...form.getInputProps('sku')} />
      <CategorySelect
        label={t('catalog.category')}
        none={t('catalog.noCategory')}
        {...form.getInputProps('categoryId')}
      />
      <TextInput
        label={t('catalog.externalId')}
        description={t('catalog.externalIdHint')}
        maxLength={255}
        {...form.getInputProps('externalId')}
      />
      <Textarea
        label={t('catalog.description')}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={5000}
        {...form.getInputProps('description')}
      />
      {base && <ProductPictures productId={base.id} onChange={record.setBase} />}
      {!(base && isUploaded(base)) && (
        <Group wrap="nowrap" align="flex-start">
          <TextInput
            flex={1}
            label={t('catalog.imageUrl')}
            description={t('catalog.imageUrlHint')}
            placeholder="https://"
            inputMode="url"
            maxLength={2000}
            {...form.getInputProps('imageUrl')}
          />
          <ProductImage url={form.values.imageUrl.trim()} size={72} />
        </Group>
      )}
      {!base && (
        <Text size="sm" c="dimmed">
          {t('pictures.hintNew')}
        </Text>
      )}
      <Switch
        label={t('catalog.isActive')}
        description={t('catalog.isActiveHint')}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
      {of && onOpenStock && <StockButton of={of.stock} onClick={onOpenStock} />}
      {onDuplicate && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconCopy size={16} />} onClick={onDuplicate}>
          {t('catalog.duplicate')}
        </Button>
      )}
    </RecordDialog>
  );
}
