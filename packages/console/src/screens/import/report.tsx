import { Box, Button, Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { ImportChange, ImportKind, ImportReport } from '@store-sales/contract/console';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from '../orders/formats.ts';
import { Mark } from '../references/badge.tsx';
import { useReason } from './reasons.ts';
import { saveCsv } from './templates.ts';
import type { Stage } from './use-import.ts';

/** Rejected lines on the page; all that the server lists are in the file that can be downloaded. */
const SHOWN = 100;

interface ImportResultProps {
  kind: ImportKind;
  stage: Extract<Stage, { report: ImportReport }>;
  onRun(): void;
  onStartOver(): void;
}

/** What would change and, after the import, what did. */
export function ImportResult({ kind, stage: { at, file, report }, onRun, onStartOver }: ImportResultProps) {
  const { t } = useTranslation();
  const isPreview = at === 'preview';
  const isEmpty = report.created + report.updated === 0;
  return (
    <>
      <Panel
        title={t(isPreview ? 'catalog.files.previewTitle' : 'catalog.files.doneTitle')}
        text={isPreview ? `${file.name} · ${t('catalog.files.previewText')}` : file.name}
        action={
          <Group gap="sm">
            <Button variant="default" onClick={onStartOver}>
              {t('catalog.files.another')}
            </Button>
            {isPreview ? (
              <Button onClick={onRun} disabled={isEmpty}>
                {t('catalog.files.run')}
              </Button>
            ) : (
              <Onwards kind={kind} />
            )}
          </Group>
        }
      >
        <Counts of={report} />
        {isPreview && isEmpty && (
          <Text size="sm" c="dimmed" mt="md">
            {t('catalog.files.nothing')}
          </Text>
        )}
      </Panel>
      {report.rejected.length > 0 && <Rejected kind={kind} of={report} />}
      {isPreview && report.changes.length > 0 && <Changes of={report} />}
    </>
  );
}

function Counts({ of }: { of: ImportReport }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const counts = { created: of.created, updated: of.updated, unchanged: of.unchanged, rejected: of.rejectedCount };
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
      {(Object.keys(counts) as (keyof typeof counts)[]).map((name) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {t(`catalog.files.${name}`)}
          </Text>
          <Text
            component="dd"
            m={0}
            fz={26}
            fw={600}
            lh={1.3}
            style={{ fontVariantNumeric: 'tabular-nums' }}
            {...(name === 'rejected' && counts.rejected > 0 && { c: 'var(--mantine-color-error)' })}
          >
            {number.format(counts[name])}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

function Onwards({ kind }: { kind: ImportKind }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const targets = {
    products: { to: '/stores/$storeId/catalog/products', words: t('catalog.files.toProducts') },
    categories: { to: '/stores/$storeId/catalog/categories', words: t('catalog.files.toCategories') },
    customers: { to: '/stores/$storeId/customers', words: t('catalog.files.toCustomers') },
  } as const;
  const { to, words } = targets[kind];
  return <Button renderRoot={(props) => <Link {...props} to={to} params={{ storeId }} />}>{words}</Button>;
}

function Rejected({ kind, of: { rejected, rejectedCount } }: { kind: ImportKind; of: ImportReport }) {
  const { t } = useTranslation();
  const reason = useReason();
  const save = () =>
    saveCsv(`${kind}-rejected.csv`, [
      ['line', 'message'],
      ...rejected.map(({ line, message }) => [line, reason(message)]),
    ]);
  return (
    <Panel
      title={t('catalog.files.rejectedTitle')}
      text={t('catalog.files.rejectedText')}
      action={
        <Button variant="default" leftSection={<IconDownload size={18} />} onClick={save}>
          {t(rejected.length < rejectedCount ? 'catalog.files.downloadFirst' : 'catalog.files.download', {
            count: rejected.length,
          })}
        </Button>
      }
    >
      <Lines
        label={t('catalog.files.rejectedTitle')}
        head={[t('catalog.files.line'), t('catalog.files.reason')]}
        rows={rejected.slice(0, SHOWN).map(({ line, message }) => [line, reason(message)])}
      />
      {rejectedCount > SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('catalog.files.shownOf', { shown: SHOWN, count: rejectedCount })}
        </Text>
      )}
    </Panel>
  );
}

function Changes({ of: { changes } }: { of: ImportReport }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('catalog.files.firstChanges')}>
      <Lines
        label={t('catalog.files.firstChanges')}
        head={[t('catalog.files.line'), t('catalog.files.change')]}
        rows={changes.map((change) => [change.line, <ChangeWords key={change.line} of={change} />])}
      />
    </Panel>
  );
}

/** A record with what it begins with, or with each field that becomes another. */
function ChangeWords({ of: { outcome, name, fields } }: { of: ImportChange }) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const shown = (column: string, value: ImportChange['fields'][string][0]) => {
    if (column === 'price') return money(Number(value ?? 0));
    if (column === 'isActive') return value ? t('history.yes') : t('history.no');
    return value === null || value === '' ? '—' : String(value);
  };
  const words = Object.entries(fields).map(([column, [before, after]]) =>
    outcome === 'created' || column === 'categoryExternalId'
      ? `${column}: ${shown(column, after)}`
      : `${column}: ${shown(column, before)} → ${shown(column, after)}`,
  );
  return (
    <Stack gap={2}>
      <Group gap={8}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {outcome === 'created' && <Mark>{t('catalog.files.isNew')}</Mark>}
      </Group>
      <Text size="sm" c="dimmed" lineClamp={4}>
        {words.filter((text) => text !== `name: ${name}`).join(' · ')}
      </Text>
    </Stack>
  );
}

interface LinesProps {
  label: string;
  head: string[];
  /** Each begins with the line of the file. */
  rows: [line: number, ...cells: ReactNode[]][];
}

const Lines = ({ label, head, rows }: LinesProps) => (
  <Box
    mx={{ base: 'calc(-1 * var(--mantine-spacing-md))', sm: 'calc(-1 * var(--mantine-spacing-lg))' }}
    my="calc(-1 * var(--mantine-spacing-lg))"
  >
    <Table aria-label={label} layout="fixed" horizontalSpacing="md" style={{ overflowWrap: 'anywhere' }}>
      <Table.Thead>
        <Table.Tr>
          {head.map((words, index) => (
            <Table.Th key={words} {...(index === 0 && { w: 88 })}>
              {words}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([line, ...cells], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line may be told of twice, and none ever moves
          <Table.Tr key={index}>
            <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{line}</Table.Td>
            {cells.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
              <Table.Td key={column}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Box>
);
