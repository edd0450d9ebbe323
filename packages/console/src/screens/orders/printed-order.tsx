import type { Order } from '@store-sales/contract';
import type { OrderChoices, Seller } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { useMoney } from '../../shell/money.ts';
import { paymentTypeName, statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { balance } from './balance.tsx';
import { shippingAddress } from './order-table.tsx';
import classes from './print.module.css';

interface DocumentProps {
  order: Order;
  choices: OrderChoices | undefined;
}

interface PrintedOrderProps extends DocumentProps {
  kind: 'slip' | 'invoice';
  seller: Seller;
  /** For the customer. */
  note: string;
}

/** A packing slip has boxes to tick and no prices; an invoice has prices and totals. */
export function PrintedOrder({ order, choices, kind, seller, note }: PrintedOrderProps) {
  const { t } = useTranslation();
  const { date } = useDates();
  const store = useStore();
  const { customer, delivery } = order;
  const { full, parts } = shippingAddress(delivery);
  const title = t(kind === 'slip' ? 'orders.printed.slipNumber' : 'orders.printed.invoiceNumber', {
    number: order.number,
  });
  const filled = (lines: string[]) => lines.filter(Boolean).map((line) => <p key={line}>{line}</p>);
  return (
    <article className={classes.document} aria-label={title}>
      <header className={classes.head}>
        <div>
          <p>
            <strong>{seller.name || store.name}</strong>
          </p>
          {seller.address && <p style={{ whiteSpace: 'pre-wrap' }}>{seller.address}</p>}
          {seller.taxNumber && (
            <p>
              {t('stores.sellerTaxNumber')}: {seller.taxNumber}
            </p>
          )}
        </div>
        <div>
          <h2>{title}</h2>
          <p>{date(order.createdAt)}</p>
          {order.externalId && (
            <p>
              {t('orders.externalId')}: {order.externalId}
            </p>
          )}
        </div>
      </header>
      <div className={classes.parties}>
        <section>
          <h3>{t('orders.printed.billTo')}</h3>
          {filled([customer.name, customer.phone, customer.email])}
        </section>
        <section>
          <h3>{t('orders.printed.shipTo')}</h3>
          {filled([delivery.type, full, parts])}
          {delivery.trackingNumber && (
            <p>
              {t('orders.trackingNumber')}: {delivery.trackingNumber}
            </p>
          )}
        </section>
      </div>
      {kind === 'slip' ? <SlipLines order={order} /> : <InvoiceLines order={order} />}
      {kind === 'invoice' && <Totals order={order} choices={choices} />}
      {kind === 'slip' && <SlipBalance order={order} choices={choices} />}
      {kind === 'slip' && order.notes && (
        <p className={classes.notes}>
          <strong>{t('orders.notes')}:</strong> {order.notes}
        </p>
      )}
      {note.trim() && (
        <p className={classes.notes} style={{ whiteSpace: 'pre-wrap' }}>
          {note.trim()}
        </p>
      )}
    </article>
  );
}

/** For whoever hands over the parcel. */
function SlipBalance({ order, choices }: DocumentProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { due } = balance(order, choices);
  return (
    <p className={classes.notes}>
      <strong>{t('orders.due')}:</strong> {money(due)}
      {order.paymentType && ` (${paymentTypeName(order.paymentType, t)})`}
    </p>
  );
}

function SlipLines({ order }: { order: Order }) {
  const { t } = useTranslation();
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th>{t('orders.printed.packed')}</th>
          <th>{t('orders.printed.item')}</th>
          <th>{t('orders.printed.sku')}</th>
          <th className={classes.number}>{t('orders.printed.quantity')}</th>
        </tr>
      </thead>
      <tbody>
        {order.items?.map((item) => (
          <tr key={item.id}>
            <td>
              <span className={classes.box} />
            </td>
            <td>{item.name}</td>
            <td>{item.sku}</td>
            <td className={classes.number}>{item.quantity}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function InvoiceLines({ order }: { order: Order }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th>{t('orders.printed.item')}</th>
          <th className={classes.number}>{t('orders.printed.quantity')}</th>
          <th className={classes.number}>{t('orders.price')}</th>
          <th className={classes.number}>{t('orders.discount')}</th>
          <th className={classes.number}>{t('orders.printed.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {order.items?.map((item) => (
          <tr key={item.id}>
            <td>{[item.name, item.sku].filter(Boolean).join(', ')}</td>
            <td className={classes.number}>{item.quantity}</td>
            <td className={classes.number}>{money(item.unitPrice)}</td>
            <td className={classes.number}>{item.discount > 0 && money(item.discount)}</td>
            <td className={classes.number}>{money(item.lineTotal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Totals({ order, choices }: DocumentProps) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { due, overpaid } = balance(order, choices);
  const items = order.items ?? [];
  const lineTotal = items.reduce((sum, item) => sum + item.lineTotal, 0);
  const itemDiscounts = items.reduce((sum, { discount }) => sum + discount, 0);
  const rows: [string, number][] = [
    [t('orders.subtotal'), lineTotal],
    [t('orders.orderDiscount'), itemDiscounts - order.discountTotal],
    [t('orders.deliveryCost'), order.delivery.cost],
    [t('orders.deliveryDiscount'), -order.delivery.discount],
  ];
  return (
    <dl className={classes.totals}>
      {rows
        .filter(([, amount], index) => amount !== 0 || index === 0)
        .map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{money(amount)}</dd>
          </div>
        ))}
      <div className={classes.total}>
        <dt>{t('orders.total')}</dt>
        <dd>{money(order.totalAmount)}</dd>
      </div>
      <div>
        <dt>{t('orders.payment')}</dt>
        <dd>
          {statusName(order.paymentStatus, t)}
          {order.paymentType && ` (${paymentTypeName(order.paymentType, t)})`}
        </dd>
      </div>
      {order.paidAmount > 0 && (
        <div>
          <dt>{t('orders.paid')}</dt>
          <dd>{money(order.paidAmount)}</dd>
        </div>
      )}
      <div className={classes.total}>
        <dt>{t(overpaid ? 'orders.overpaid' : 'orders.due')}</dt>
        <dd>{money(overpaid || due)}</dd>
      </div>
    </dl>
  );
}
