import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { BulkChange, ListedOrder, OrderPageQuery } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { TextLink } from '../../shell/link.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useUnsavedWork } from '../../shell/unsaved.tsx';
import { useStore } from '../../shell/use-store.ts';
import { type BulkProgress, useBulkChange } from './use-bulk-change.ts';

export interface BulkTarget {
  change: BulkChange['change'];
  /** Name of the status. */
  name: string;
}

interface BulkDialogProps {
  target: BulkTarget;
  /** Without them, all orders that match the filters. */
  orders: ListedOrder[] | undefined;
  filters: OrderPageQuery;
  /** Undefined if it is not known. */
  total: number | undefined;
  onClose(isStarted?: boolean): void;
}

/** Asks, changes the orders in chunks with a progress bar, and reports. */
export default function BulkDialog({ target, orders, filters, total, onClose }: BulkDialogProps) {
  const { t } = useTranslation();
  const { state, progress, problem, run, stop } = useBulkChange(target.change, orders, filters);
  const isRunning = state === 'running';
  useUnsavedWork(() => isRunning);
  const close = () => {
    stop();
    onClose(state !== 'ready');
  };
  const isPayment = target.change.paymentStatusId !== undefined;
  const question = isPayment
    ? (['orders.bulk.questionPayment', 'orders.bulk.questionAllPayment'] as const)
    : (['orders.bulk.question', 'orders.bulk.questionAll'] as const);
  const { done } = progress;
  return (
    <Dialog onClose={close} title={t('orders.bulk.title')} closeOnClickOutside={!isRunning}>
      <Stack>
        {state === 'ready' && (
          <>
            <Text>{t(question[orders ? 0 : 1], { status: target.name, total })}</Text>
            <Text size="sm" c="dimmed">
              {t('orders.bulk.text')}
            </Text>
          </>
        )}
        {isRunning && (
          <Stack gap="xs">
            <Progress
              value={total ? (100 * done) / Math.max(total, done) : 100}
              animated={!total}
              aria-label={t('orders.bulk.title')}
            />
            <Text size="sm" role="status">
              {total ? t('orders.bulk.runningOf', { done, total }) : t('orders.bulk.running', { done })}
            </Text>
          </Stack>
        )}
        <ProblemAlert>{problem}</ProblemAlert>
        {state === 'paused' && <Text size="sm">{t('orders.bulk.paused')}</Text>}
        {state === 'stopped' && <Text size="sm">{t('orders.bulk.stopped')}</Text>}
        {state !== 'ready' && !isRunning && <Result progress={progress} />}
        <Group justify="flex-end" gap="sm">
          {isRunning ? (
            <Button variant="default" onClick={stop}>
              {t('orders.bulk.stop')}
            </Button>
          ) : (
            <Button variant="default" onClick={close}>
              {t(state === 'ready' ? 'common.cancel' : 'common.close')}
            </Button>
          )}
          {state === 'ready' && (
            <Button onClick={run} data-autofocus>
              {t('orders.bulk.start')}
            </Button>
          )}
          {state === 'paused' && <Button onClick={run}>{t('orders.bulk.continue')}</Button>}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** A longer list helps nobody; the rest is counted. */
const MAX_LISTED = 100;

function Result({ progress: { changed, unchanged, failures } }: { progress: BulkProgress }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <Stack gap="xs" role="status">
      <Text size="sm" fw={500}>
        {t('orders.bulk.changed', { total: changed })}
      </Text>
      {unchanged > 0 && <Text size="sm">{t('orders.bulk.unchanged', { total: unchanged })}</Text>}
      {failures.length > 0 && (
        <>
          <Text size="sm">{t('orders.bulk.failed', { total: failures.length })}</Text>
          <Box component="ul" fz="sm" m={0} pl="lg" mah={240} style={{ overflowY: 'auto' }}>
            {failures.slice(0, MAX_LISTED).map(({ id, number, reason }) => (
              <li key={id}>
                <TextLink
                  inherit
                  underline="always"
                  to="/stores/$storeId/orders/$orderId"
                  params={{ storeId, orderId: id }}
                  target="_blank"
                >
                  #{number}
                </TextLink>
                : {t(`orders.bulk.reasons.${reason}`)}
              </li>
            ))}
            {failures.length > MAX_LISTED && <li>{t('orders.bulk.more', { total: failures.length - MAX_LISTED })}</li>}
          </Box>
        </>
      )}
    </Stack>
  );
}
