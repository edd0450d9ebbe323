import { Box, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ImportChange, ImportKind, ImportReport, PriceUnit } from '@store-sales/contract/console';
import { IconDownload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { LinkButton } from '../../shell/link.tsx';
import { useMoney } from '../../shell/money.ts';
import { Panel } from '../../shell/panel.tsx';
import { Table } from '../../shell/table.tsx';
import { useStore } from '../../shell/use-store.ts';
import { RecordBadge } from '../references/record-badge.tsx';
import { reasonsByLine } from './errors.ts';
import { saveCsv } from './templates.ts';
import type { Stage } from './use-import.ts';

/** Maximum rejected lines on the page; the download has all that the server lists. */
const MAX_SHOWN = 100;

interface ImportResultProps {
  kind: ImportKind;
  prices: PriceUnit;
  stage: Extract<Stage, { report: ImportReport }>;
  onRun(): void;
  onStartOver(): void;
}

/** The preview and, after the import, the result. */
export function ImportResult({ kind, prices, stage, onRun, onStartOver }: ImportResultProps) {
  const { t } = useTranslation();
  const { currency } = useStore();
  const { at, file, report } = stage;
  const isPreview = at === 'preview';
  const isEmpty = report.created + report.updated === 0;
  return (
    <>
      <Panel
        title={t(isPreview ? 'importPage.previewTitle' : 'importPage.doneTitle')}
        text={isPreview ? `${file.name} · ${t('importPage.previewText')}` : file.name}
        action={
          <Group gap="sm">
            <Button variant="default" onClick={onStartOver}>
              {t('importPage.another')}
            </Button>
            {isPreview ? (
              <Button onClick={onRun} disabled={isEmpty}>
                {t('importPage.run')}
              </Button>
            ) : (
              <Onwards kind={kind} />
            )}
          </Group>
        }
      >
        <Counts of={report} />
        {isPreview && kind === 'products' && report.changes.length > 0 && (
          <Text size="sm" mt="md">
            {t(`importPage.readAs.${prices}`, { currency })}
          </Text>
        )}
        {isPreview && isEmpty && (
          <Text size="sm" c="dimmed" mt="md">
            {t('importPage.nothing')}
          </Text>
        )}
      </Panel>
      {report.rejected.length > 0 && <Rejected kind={kind} of={report} />}
      {isPreview && report.changes.length > 0 && <Changes of={report} />}
    </>
  );
}

function Counts({ of }: { of: ImportReport }) {
  const { t, language } = useTranslation();
  const number = new Intl.NumberFormat(language);
  const counts = { created: of.created, updated: of.updated, unchanged: of.unchanged, rejected: of.rejectedCount };
  return (
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
      {(Object.keys(counts) as (keyof typeof counts)[]).map((name) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {t(`importPage.${name}`)}
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
    products: { to: '/stores/$storeId/catalog/products', words: t('importPage.toProducts') },
    categories: { to: '/stores/$storeId/catalog/categories', words: t('importPage.toCategories') },
    customers: { to: '/stores/$storeId/customers', words: t('importPage.toCustomers') },
  } as const;
  const { to, words } = targets[kind];
  return (
    <LinkButton to={to} params={{ storeId }}>
      {words}
    </LinkButton>
  );
}

function Rejected({ kind, of: { rejected, rejectedCount } }: { kind: ImportKind; of: ImportReport }) {
  const { t, language } = useTranslation();
  const lines = reasonsByLine(rejected, t);
  const save = () => saveCsv(`${kind}-rejected.csv`, [['line', 'message'], ...lines], language);
  return (
    <Panel
      title={t('importPage.rejectedTitle')}
      text={t('importPage.rejectedText')}
      action={
        <Button variant="default" leftSection={<IconDownload size={18} />} onClick={save}>
          {t(lines.length < rejectedCount ? 'importPage.downloadFirst' : 'importPage.download', {
            count: lines.length,
          })}
        </Button>
      }
    >
      <Lines
        label={t('importPage.rejectedTitle')}
        head={[t('importPage.line'), t('importPage.reason')]}
        rows={lines.slice(0, MAX_SHOWN)}
      />
      {rejectedCount > MAX_SHOWN && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('importPage.shownOf', { shown: MAX_SHOWN, count: rejectedCount })}
        </Text>
      )}
    </Panel>
  );
}

function Changes({ of: { changes } }: { of: ImportReport }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('importPage.firstChanges')}>
      <Lines
        label={t('importPage.firstChanges')}
        head={[t('importPage.line'), t('importPage.change')]}
        rows={changes.map((change) => [change.line, <ChangeWords key={change.line} of={change} />])}
      />
    </Panel>
  );
}

/** A new record with its fields, or the changed fields of an existing one. */
function ChangeWords({ of: { outcome, name, fields } }: { of: ImportChange }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const formatted = (column: string, value: ImportChange['fields'][string][0]) => {
    if (column === 'price' || (column === 'oldPrice' && value !== null)) return money(Number(value ?? 0));
    if (column === 'isActive') return value ? t('common.yes') : t('common.no');
    return value === null || value === '' ? '—' : String(value);
  };
  const words = Object.entries(fields).map(([column, [before, after]]) =>
    outcome === 'created' || column === 'categoryExternalId'
      ? `${column}: ${formatted(column, after)}`
      : `${column}: ${formatted(column, before)} → ${formatted(column, after)}`,
  );
  return (
    <Stack gap={2}>
      <Group gap={8}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        {outcome === 'created' && <RecordBadge>{t('importPage.isNew')}</RecordBadge>}
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
    <Table aria-label={label} layout="fixed" style={{ overflowWrap: 'anywhere' }}>
      <thead>
        <tr>
          {head.map((words, index) => (
            <Table.Th key={words} {...(index === 0 && { w: 88 })}>
              {words}
            </Table.Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([line, ...cells], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are never reordered
          <tr key={index}>
            <Table.Td style={{ fontVariantNumeric: 'tabular-nums' }}>{line}</Table.Td>
            {cells.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are never reordered
              <Table.Td key={column}>{cell}</Table.Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  </Box>
);
