import type { FileError, ImportKind, ImportReport, PriceUnit } from '@store-sales/contract/console';
import { MAX_IMPORT_BYTES } from '@store-sales/contract/values';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ImportFailed, importFile } from '../../api/imports.ts';
import { useStore } from '../../shell/use-store.ts';

/** The file is sent twice: for the preview, and for the import. */
export type Stage =
  | { at: 'choice'; failure?: ImportFailed }
  | { at: 'reading' | 'importing'; file: File; progress: number }
  | { at: 'preview' | 'done'; file: File; report: ImportReport };

const TOO_LARGE: FileError = {
  code: 'file_too_large',
  params: { maxMiB: MAX_IMPORT_BYTES / 1024 / 1024 },
  line: null,
};

export function useImport(kind: ImportKind, prices: PriceUnit, addsInactive: boolean) {
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [stage, setStage] = useState<Stage>({ at: 'choice' });
  const running = useRef<AbortController>(undefined);
  // Leaving the page stops the import.
  useEffect(() => () => running.current?.abort(), []);

  async function send(file: File, isPreview: boolean) {
    const controller = new AbortController();
    running.current = controller;
    const at = isPreview ? 'reading' : 'importing';
    setStage({ at, file, progress: 0 });
    const onProgress = (progress: number) => setStage({ at, file, progress });
    try {
      const report = await importFile({
        storeId,
        kind,
        file,
        prices,
        addsInactive,
        isPreview,
        signal: controller.signal,
        onProgress,
      });
      setStage({ at: isPreview ? 'preview' : 'done', file, report });
    } catch (error) {
      setStage({ at: 'choice', failure: error as ImportFailed });
    } finally {
      // An import that was stopped may have changed records.
      if (!isPreview) void queryClient.invalidateQueries({ queryKey: [{ storeId }] });
    }
  }

  return {
    stage,
    choose: (file: File) =>
      // A file that is too large is not sent.
      file.size > MAX_IMPORT_BYTES
        ? setStage({ at: 'choice', failure: new ImportFailed('body_too_large', TOO_LARGE) })
        : void send(file, true),
    run: (file: File) => void send(file, false),
    stop: () => running.current?.abort(),
    startOver: () => setStage({ at: 'choice' }),
  };
}
