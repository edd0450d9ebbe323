import type { FileError, ImportKind, ImportProgress, PriceUnit } from '@store-sales/contract/console';
import { urlOf, withSession } from './client.ts';

/** Why a file was not imported. */
export class ImportFailed extends Error {
  override name = 'ImportFailed';
  constructor(
    readonly code: string,
    /** Set if the file as a whole is invalid. */
    readonly fileError?: FileError,
  ) {
    super(code);
  }
}

interface Sending {
  storeId: string;
  kind: ImportKind;
  file: File;
  /** Products only. */
  prices: PriceUnit;
  /** New products are inactive. */
  addsInactive: boolean;
  isPreview: boolean;
  signal: AbortSignal;
  onProgress(share: number): void;
}

/** Sends a file and reports the progress until the import ends. */
export const importFile = (sending: Sending) => withSession(() => sendFile(sending));

async function sendFile({ storeId, kind, file, prices, addsInactive, isPreview, signal, onProgress }: Sending) {
  const query = { file: file.name.slice(0, 200), ...(isPreview && ({ preview: 'true' } as const)) };
  const url =
    kind === 'products'
      ? urlOf('POST /stores/{storeId}/products/import', {
          params: { storeId },
          query: { ...query, prices, ...(addsInactive && { inactive: 'true' }) },
        })
      : urlOf(`POST /stores/{storeId}/${kind}/import`, { params: { storeId }, query });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body: file,
      signal,
    });
    if (!response.ok || !response.body) {
      const problem = (await response.json().catch(() => ({}))) as { code?: string; errors?: FileError[] };
      throw new ImportFailed(
        problem.code ?? 'internal_error',
        problem.errors?.find(({ params }) => params),
      );
    }
    for await (const line of lines(response.body)) {
      if ('report' in line) return line.report;
      if ('problem' in line) throw new ImportFailed(line.problem.code);
      onProgress(line.progress);
    }
  } catch (error) {
    if (error instanceof ImportFailed) throw error;
    if (signal.aborted) throw new ImportFailed('import_stopped');
  }
  // The connection was lost, or the response ended before its last line.
  throw new ImportFailed('offline');
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportProgress> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) yield JSON.parse(piece) as ImportProgress;
  }
}
