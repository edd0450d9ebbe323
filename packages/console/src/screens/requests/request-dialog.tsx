import { Box, Stack, Text } from '@mantine/core';
import type { RequestDetails } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { useDates } from '../../shell/dates.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Facts } from '../../shell/facts.tsx';
import { FieldsSkeleton, Loaded } from '../../shell/loaded.tsx';
import { Duration, Outcome } from './request-list.tsx';

/** One request with its problem document. */
export function RequestDialog({ storeId, lineId, onClose }: { storeId: string; lineId: string; onClose(): void }) {
  const { t } = useTranslation();
  const request = useQuery(query('GET /stores/{storeId}/requests/{lineId}', { params: { storeId, lineId } }));
  return (
    <Dialog onClose={onClose} title={t('requests.details')} place="right">
      <Loaded query={request} pending={<FieldsSkeleton />}>
        {(of) => <Details of={of} />}
      </Loaded>
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
