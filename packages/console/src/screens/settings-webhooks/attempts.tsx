import { Box, Group, Stack, Text } from '@mantine/core';
import type { Delivery, DeliveryAttempt } from '@store-sales/contract/console';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/formats.ts';
import { failureName } from './words.ts';

/** Every attempt of a delivery: when, how long, and what was answered. */
export function Attempts({ of: { attempts } }: { of: Delivery }) {
  const { t } = useTranslation();
  const { dateTime } = useFormats();
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
              {attempt.error
                ? failureName(attempt.error, t)
                : t('webhooks.answered', { status: attempt.responseStatus ?? '' })}
            </Text>
            <Text size="sm" c="dimmed">
              {dateTime(attempt.at)} · {t('webhooks.ms', { value: attempt.durationMs })}
            </Text>
          </Group>
          <AnswerText of={attempt} />
        </Box>
      ))}
    </Stack>
  );
}

/** The first 4 KiB of an answer, as text, whatever it claims to be. */
export function AnswerText({ of: { responseBody, responseStatus } }: { of: DeliveryAttempt }) {
  const { t } = useTranslation();
  if (responseStatus === null) return null;
  return (
    <Box
      component="pre"
      className="code-box code-text"
      mt={6}
      mah={240}
      style={{ overflow: 'auto' }}
      // A long answer is scrolled by keyboard too.
      tabIndex={0}
      role="region"
      aria-label={t('webhooks.answerBody')}
    >
      {responseBody || t('webhooks.emptyBody')}
    </Box>
  );
}
