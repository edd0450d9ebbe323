import type { Problem } from '@store-sales/contract';
import type { ImportKind, ImportNews, ImportReport } from '@store-sales/contract/console';

/** Why a file was not imported; `detail` is the server's own sentence about the file. */
export class ImportFailed extends Error {
  override name = 'ImportFailed';
  constructor(
    readonly code: string,
    readonly detail = '',
  ) {
    super(code);
  }
}

interface Sending {
  storeId: string;
  kind: ImportKind;
  file: File;
  isPreview: boolean;
  signal: AbortSignal;
  onProgress(share: number): void;
}

/** Sends a file and listens, line by line, to how far the work is. */
export async function importFile({ storeId, kind, file, isPreview, signal, onProgress }: Sending) {
  const query = new URLSearchParams({ file: file.name.slice(0, 200), ...(isPreview && { preview: 'true' }) });
  try {
    const response = await fetch(`/console/api/stores/${storeId}/${kind}/import?${query}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body: file,
      signal,
    });
    if (!response.ok || !response.body) {
      const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
      throw new ImportFailed(problem.code ?? 'internal_error', problem.detail);
    }
    for await (const news of lines(response.body)) {
      if ('report' in news) return news.report satisfies ImportReport;
      if ('problem' in news) throw new ImportFailed(news.problem.code, news.problem.detail);
      onProgress(news.progress);
    }
  } catch (error) {
    if (error instanceof ImportFailed) throw error;
    if (signal.aborted) throw new ImportFailed('import_stopped');
  }
  // The connection broke off, or the answer ended before its last line.
  throw new ImportFailed('offline');
}

async function* lines(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportNews> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const pieces = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    for (const piece of pieces) yield JSON.parse(piece) as ImportNews;
  }
}
