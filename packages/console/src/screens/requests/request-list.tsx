import { Badge, Box, Group, Text } from '@mantine/core';
import type { LoggedRequest } from '@store-sales/contract/console';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { Table } from '../../shell/table.tsx';
import classes from './requests.module.css';

/** A table on wide screens, a list on a phone. */
export function RequestList({ requests }: { requests: LoggedRequest[] }) {
  const { t } = useTranslation();
  const { instant } = useDates();
  return (
    <Box>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <Table aria-label={t('nav.requests')} highlightOnHover>
          <thead>
            <tr>
              <Table.Th>{t('requests.at')}</Table.Th>
              <Table.Th>{t('requests.request')}</Table.Th>
              <Table.Th>{t('requests.status')}</Table.Th>
              <Table.Th>{t('requests.key')}</Table.Th>
              <Table.Th ta="right">{t('requests.duration')}</Table.Th>
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <tr key={request.id} className={classes.row}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{instant(request.at)}</Table.Td>
                <Table.Td>
                  <Open of={request} />
                </Table.Td>
                <Table.Td>
                  <Outcome of={request} />
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{request.key.name ?? '—'}</Table.Td>
                <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                  <Duration of={request} />
                </Table.Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Box>
      <Box component="ol" className="panel" hiddenFrom="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {requests.map((request) => (
          <Box component="li" key={request.id} className={`panel-part ${classes.row}`} px="md" py="sm">
            <Open of={request} />
            <Group justify="space-between" gap="xs" mt={4}>
              <Outcome of={request} />
              <Text size="sm" c="dimmed">
                {instant(request.at)}
              </Text>
            </Group>
          </Box>
        ))}
      </Box>
    </Box>
  );
}

/** The link covers the whole row. */
const Open = ({ of: { id, method, route } }: { of: LoggedRequest }) => (
  <Link
    from="/stores/$storeId/settings/requests"
    to="."
    search={(previous) => ({ ...previous, line: id })}
    resetScroll={false}
    className={`code-text whole-link ${classes.request}`}
  >
    <Text span inherit fw={600}>
      {method}
    </Text>{' '}
    {route}
  </Link>
);

export const Outcome = ({ of: { status, code } }: { of: Pick<LoggedRequest, 'status' | 'code'> }) => (
  <Badge variant="dot" color={status < 400 ? 'teal' : status < 500 ? 'orange' : 'red'} fz="xs" maw="100%">
    {status} {code}
  </Badge>
);

export function Duration({ of: { durationMs } }: { of: LoggedRequest }) {
  const { t, language } = useTranslation();
  return durationMs
    ? t('requests.ms', { value: new Intl.NumberFormat(language).format(durationMs) })
    : t('requests.fast');
}
