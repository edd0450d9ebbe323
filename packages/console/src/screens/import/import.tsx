import { Alert, Box, Button, Checkbox, Group, Progress, Radio, SegmentedControl, Stack, Text } from '@mantine/core';
import { type ImportKind, importKinds, type PriceUnit, priceUnits } from '@store-sales/contract/values';
import { IconAlertCircle, IconDownload } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { ImportFailed } from '../../api/imports.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';
import { ListHead } from '../references/list.tsx';
import { DropZone } from './drop-zone.tsx';
import { fileErrorText } from './errors.ts';
import { ImportResult } from './report.tsx';
import { columnsOf, saveTemplate } from './templates.ts';
import { type Stage, useImport } from './use-import.ts';

const route = getRouteApi('/signed-in/stores/$storeId/catalog/import');

/** Choose a file, preview the changes, import. */
export function Import() {
  const { what = 'products' } = route.useSearch();
  // The key resets the state when another list is chosen.
  return <ImportOf key={what} kind={what} />;
}

function ImportOf({ kind }: { kind: ImportKind }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const [prices, setPrices] = useState<PriceUnit>('units');
  const [addsInactive, setAddsInactive] = useState(false);
  const { stage, choose, run, stop, startOver } = useImport(kind, prices, addsInactive);
  return (
    <Stack gap="lg">
      <ListHead text={t('importPage.text')} />
      {stage.at === 'choice' && (
        <>
          <SegmentedControl
            aria-label={t('importPage.what')}
            w={{ base: '100%', xs: 'fit-content' }}
            value={kind}
            onChange={(what) =>
              void navigate({ search: what === 'products' ? {} : { what: what as ImportKind }, replace: true })
            }
            data={importKinds.map((value) => ({ value, label: t(`catalog.fileKinds.${value}`) }))}
          />
          <Failure of={stage.failure} />
          {kind === 'products' && (
            <>
              <PriceChoice value={prices} onChange={setPrices} />
              <Checkbox
                label={t('importPage.addInactive')}
                checked={addsInactive}
                onChange={(event) => setAddsInactive(event.currentTarget.checked)}
              />
            </>
          )}
          <DropZone onFile={choose} />
          <Columns kind={kind} prices={prices} />
        </>
      )}
      {(stage.at === 'reading' || stage.at === 'importing') && <Running stage={stage} onStop={stop} />}
      {(stage.at === 'preview' || stage.at === 'done') && (
        <ImportResult kind={kind} prices={prices} stage={stage} onRun={() => run(stage.file)} onStartOver={startOver} />
      )}
    </Stack>
  );
}

/** Files from spreadsheets have units; those made for the API or the command line have hundredths. */
function PriceChoice({ value, onChange }: { value: PriceUnit; onChange(unit: PriceUnit): void }) {
  const { t } = useTranslation();
  const { currency } = useStore();
  return (
    <Radio.Group
      label={t('importPage.prices')}
      value={value}
      onChange={(unit) => onChange(unit === 'kopecks' ? 'kopecks' : 'units')}
    >
      <Group mt="xs" gap="xl" style={{ rowGap: 'var(--mantine-spacing-xs)' }}>
        {priceUnits.map((unit) => (
          <Radio
            key={unit}
            value={unit}
            label={t(`importPage.priceUnits.${unit}`, { currency })}
            description={t(`importPage.priceExamples.${unit}`)}
          />
        ))}
      </Group>
    </Radio.Group>
  );
}

function Columns({ kind, prices }: { kind: ImportKind; prices: PriceUnit }) {
  const { t, language } = useTranslation();
  return (
    <Panel
      title={t('importPage.columns')}
      action={
        <Button
          variant="default"
          leftSection={<IconDownload size={18} />}
          onClick={() => saveTemplate(kind, prices, language)}
        >
          {t('importPage.template')}
        </Button>
      }
    >
      <Stack gap="sm">
        <Text className="code-text">{columnsOf(kind).join(', ')}</Text>
        <Text size="sm" c="dimmed">
          {t('importPage.columnsText')} {t(`importPage.foundBy.${kind}`)}
        </Text>
      </Stack>
    </Panel>
  );
}

function Running({ stage, onStop }: { stage: Extract<Stage, { progress: number }>; onStop(): void }) {
  const { t } = useTranslation();
  const words = t(stage.at === 'reading' ? 'importPage.reading' : 'importPage.importing', {
    name: stage.file.name,
  });
  const percent = Math.round(stage.progress * 100);
  return (
    <Box className="panel" p="lg">
      <Stack gap="md">
        <Group justify="space-between" wrap="nowrap">
          <Text fw={500} role="status" style={{ overflowWrap: 'anywhere' }}>
            {words}
          </Text>
          <Text size="sm" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {percent} %
          </Text>
        </Group>
        <Progress value={percent} size="lg" radius="xl" aria-label={words} transitionDuration={300} />
        <Group justify="space-between" gap="sm">
          <Text size="sm" c="dimmed" flex="1 1 260px">
            {stage.at === 'importing' && t('importPage.keepOpen')}
          </Text>
          <Button variant="default" onClick={onStop}>
            {t('importPage.stop')}
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}

function Failure({ of }: { of: ImportFailed | undefined }) {
  const { t } = useTranslation();
  if (!of) return null;
  const { code, fileError } = of;
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      icon={<IconAlertCircle size={18} />}
      c="var(--mantine-color-error)"
      title={fileError && t('importPage.notImported')}
    >
      {fileError
        ? fileErrorText(fileError, t)
        : code === 'import_stopped'
          ? t('importPage.stopped')
          : explain(new ApiError(code), t)}
    </Alert>
  );
}
