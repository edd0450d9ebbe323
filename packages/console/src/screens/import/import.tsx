import { Alert, Box, Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import type { ImportKind } from '@store-sales/contract/console';
import { IconAlertCircle, IconDownload } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/client.ts';
import type { ImportFailed } from '../../api/imports.ts';
import { explain } from '../../shell/explain.ts';
import { Panel } from '../../shell/panel.tsx';
import { ListHead } from '../references/list.tsx';
import { DropZone } from './drop-zone.tsx';
import { useReason } from './reasons.ts';
import { ImportResult } from './report.tsx';
import { columnsOf, kinds, saveTemplate } from './templates.ts';
import { type Stage, useImport } from './use-import.ts';

const route = getRouteApi('/signed-in/stores/$storeId/catalog/import');

/** From a file into the store: choose, look, import. */
export function Import() {
  const { what = 'products' } = route.useSearch();
  // Another list is another import.
  return <ImportOf key={what} kind={what} />;
}

function ImportOf({ kind }: { kind: ImportKind }) {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { stage, choose, run, stop, startOver } = useImport(kind);
  return (
    <Stack gap="lg">
      <ListHead text={t('catalog.files.text')} />
      {stage.at === 'choice' && (
        <>
          <SegmentedControl
            aria-label={t('catalog.files.what')}
            w={{ base: '100%', xs: 'fit-content' }}
            value={kind}
            onChange={(what) =>
              void navigate({ search: what === 'products' ? {} : { what: what as ImportKind }, replace: true })
            }
            data={kinds.map((value) => ({ value, label: t(`catalog.files.kinds.${value}`) }))}
          />
          <Failure of={stage.failure} />
          <DropZone onFile={choose} />
          <Columns kind={kind} />
        </>
      )}
      {(stage.at === 'reading' || stage.at === 'importing') && <Running stage={stage} onStop={stop} />}
      {(stage.at === 'preview' || stage.at === 'done') && (
        <ImportResult kind={kind} stage={stage} onRun={() => run(stage.file)} onStartOver={startOver} />
      )}
    </Stack>
  );
}

function Columns({ kind }: { kind: ImportKind }) {
  const { t } = useTranslation();
  return (
    <Panel
      title={t('catalog.files.columns')}
      action={
        <Button variant="default" leftSection={<IconDownload size={18} />} onClick={() => saveTemplate(kind)}>
          {t('catalog.files.template')}
        </Button>
      }
    >
      <Stack gap="sm">
        <Text className="code-text">{columnsOf(kind).join(', ')}</Text>
        <Text size="sm" c="dimmed">
          {t('catalog.files.columnsText')} {t(`catalog.files.foundBy.${kind}`)}
        </Text>
      </Stack>
    </Panel>
  );
}

function Running({ stage, onStop }: { stage: Extract<Stage, { progress: number }>; onStop(): void }) {
  const { t } = useTranslation();
  const words = t(stage.at === 'reading' ? 'catalog.files.reading' : 'catalog.files.importing', {
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
            {stage.at === 'importing' && t('catalog.files.keepOpen')}
          </Text>
          <Button variant="default" onClick={onStop}>
            {t('catalog.files.stop')}
          </Button>
        </Group>
      </Stack>
    </Box>
  );
}

/** What the page can say in its own words it does; about the file itself, the server's sentence is shown. */
function Failure({ of }: { of: ImportFailed | undefined }) {
  const { t } = useTranslation();
  const reason = useReason();
  if (!of) return null;
  const words = {
    invalid_body: capital(reason(of.detail.replace(/^The file cannot be imported: /, '').replace(/\.$/, ''))),
    body_too_large: t(/rows/.test(of.detail) ? 'catalog.files.tooManyRows' : 'catalog.files.tooLarge'),
    import_stopped: t('catalog.files.stopped'),
  };
  return (
    <Alert
      color="red"
      variant="outline"
      role="alert"
      icon={<IconAlertCircle size={18} />}
      c="var(--mantine-color-error)"
      title={of.code === 'invalid_body' ? t('catalog.files.notImported') : undefined}
    >
      {words[of.code as keyof typeof words] ?? explain(new ApiError(of.code), t)}
    </Alert>
  );
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
