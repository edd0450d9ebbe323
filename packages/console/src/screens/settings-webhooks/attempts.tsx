import { Box, Group, Stack, Text } from '@mantine/core';
import type { Delivery, DeliveryAttempt } from '@store-sales/contract/console';
import { eventHeaders, standardHeaders } from '@store-sales/contract/values';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { failureName } from './words.ts';

const SIGNATURE_HEADERS = [eventHeaders.signature, standardHeaders.timestamp, standardHeaders.signature];

/** What was sent, and what came back at each attempt. */
export const Attempts = ({ of }: { of: Delivery }) => (
  <Stack gap="md">
    <SentRequest of={of} />
    <Responses of={of} />
  </Stack>
);

function SentRequest({ of: { request } }: { of: Delivery }) {
  const { t } = useTranslation();
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const signatures = SIGNATURE_HEADERS.map((name) => `${name}: ${t('webhooks.signatureNote')}`);
  return (
    <div>
      <Text size="sm" fw={500}>
        {t('webhooks.request')}
      </Text>
      <Box
        component="pre"
        className="code-box code-text"
        mt={6}
        mah={240}
        style={{ overflow: 'auto' }}
        tabIndex={0}
        role="region"
        aria-label={t('webhooks.request')}
      >
        {[...headers, ...signatures, '', request.body].join('\n')}
      </Box>
    </div>
  );
}

function Responses({ of: { attempts } }: { of: Delivery }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  if (!attempts.length)
    return (
      <Text size="sm" c="dimmed">
        {t('webhooks.noAttempts')}
      </Text>
    );
  return (
    <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {attempts.map((attempt, index) => (
        <Box component="li" key={attempt.at}>
          <Group gap="xs" justify="space-between">
            <Text size="sm" fw={500}>
              {t('webhooks.attempt', { number: index + 1 })} ·{' '}
              {failureName(attempt, t) || t('webhooks.response', { status: attempt.responseStatus ?? '' })}
            </Text>
            <Text size="sm" c="dimmed">
              {dateTime(attempt.at)} · {t('webhooks.ms', { value: attempt.durationMs })}
            </Text>
          </Group>
          <ResponseBody of={attempt} />
        </Box>
      ))}
    </Stack>
  );
}

/** The server keeps the first 4 KiB. Shown as text, whatever its content type. */
export function ResponseBody({ of: { responseBody, responseStatus } }: { of: DeliveryAttempt }) {
  const { t } = useTranslation();
  if (responseStatus === null) return null;
  return (
    <Box
      component="pre"
      className="code-box code-text"
      mt={6}
      mah={240}
      style={{ overflow: 'auto' }}
      // Focusable, so that it can be scrolled with the keyboard.
      tabIndex={0}
      role="region"
      aria-label={t('webhooks.responseBody')}
    >
      {responseBody || t('webhooks.emptyBody')}
    </Box>
  );
}
