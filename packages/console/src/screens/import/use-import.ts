import type { ImportKind, ImportReport } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ImportFailed, importFile } from '../../api/imports.ts';
import { useStore } from '../../shell/use-store.ts';

/** Where an import stands. A file is looked through first, and sent again to be imported. */
export type Stage =
  | { at: 'choice'; failure?: ImportFailed }
  | { at: 'reading' | 'importing'; file: File; progress: number }
  | { at: 'preview' | 'done'; file: File; report: ImportReport };

/** The server refuses the same; here nothing is sent in vain. */
const MAX_BYTES = 20 * 1024 * 1024;

export function useImport(kind: ImportKind) {
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [stage, setStage] = useState<Stage>({ at: 'choice' });
  const running = useRef<AbortController>(undefined);
  // Whoever leaves the page stops what it was doing.
  useEffect(() => () => running.current?.abort(), []);

  async function send(file: File, isPreview: boolean) {
    const controller = new AbortController();
    running.current = controller;
    const at = isPreview ? 'reading' : 'importing';
    setStage({ at, file, progress: 0 });
    const onProgress = (progress: number) => setStage({ at, file, progress });
    try {
      const report = await importFile({ storeId, kind, file, isPreview, signal: controller.signal, onProgress });
      setStage({ at: isPreview ? 'preview' : 'done', file, report });
    } catch (error) {
      setStage({ at: 'choice', failure: error as ImportFailed });
    } finally {
      // Even one that was stopped may have written something.
      if (!isPreview) void queryClient.invalidateQueries({ queryKey: ['stores', storeId] });
    }
  }

  return {
    stage,
    choose: (file: File) =>
      file.size > MAX_BYTES
        ? setStage({ at: 'choice', failure: new ImportFailed('body_too_large') })
        : void send(file, true),
    run: (file: File) => void send(file, false),
    stop: () => running.current?.abort(),
    startOver: () => setStage({ at: 'choice' }),
  };
}
