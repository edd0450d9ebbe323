import { Box, Skeleton, Stack, Text } from '@mantine/core';
import type { RequestDetails } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import { requestQuery } from '../../api/requests.ts';
import { useTranslation } from '../../i18n/index.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { useDates } from '../../shell/dates.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Duration, Outcome } from './request-list.tsx';

/** One request with its problem document. */
export function RequestDialog({ storeId, lineId, onClose }: { storeId: string; lineId: string; onClose(): void }) {
  const { t } = useTranslation();
  const request = useQuery(requestQuery(storeId, lineId));
  return (
    <Dialog opened onClose={onClose} title={t('requests.details')} place="right">
      {request.data ? (
        <Details of={request.data} />
      ) : request.error ? (
        <ErrorState error={request.error} onRetry={() => void request.refetch()} />
      ) : (
        <Stack role="status" aria-label={t('common.loading')}>
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} h={22} />
          ))}
        </Stack>
      )}
    </Dialog>
  );
}

function Details({ of: request }: { of: RequestDetails }) {
  const { t } = useTranslation();
  const { instant } = useDates();
  const { problem } = request;
  return (
    <Stack gap="lg">
      <Box>
        <Text className="code-text" mb={8}>
          <Text span inherit fw={600}>
            {request.method}
          </Text>{' '}
          {request.route}
        </Text>
        <Outcome of={request} />
      </Box>
      <Facts
        cols={2}
        of={[
          [t('requests.at'), instant(request.at)],
          [t('requests.duration'), <Duration key="duration" of={request} />],
          [t('requests.key'), request.key.name ?? request.key.id],
          [t('requests.address'), request.address],
        ]}
      />
      {request.query && <Part name={t('requests.query')} text={request.query.replaceAll('&', '\n&')} />}
      <Part name={t('requests.requestId')} text={request.requestId} />
      {problem && <Part name={t('requests.problem')} text={JSON.stringify(problem, null, 2)} />}
    </Stack>
  );
}

const Part = ({ name, text }: { name: string; text: string }) => (
  <Box component="section" aria-label={name}>
    <Text size="sm" c="dimmed" mb={4}>
      {name}
    </Text>
    <CodeBox text={text} />
  </Box>
);
