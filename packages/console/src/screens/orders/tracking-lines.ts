import { MAX_SELECTED } from '@store-sales/contract/values';

export interface TrackingLine {
  line: string;
  number: number;
  trackingNumber: string;
}

export type LineProblem = 'invalid' | 'twice' | 'tooMany';

/** A number of an order, a comma, semicolon, tab or space, and the number of its parcel. */
const LINE = /^[#№]?\s*([1-9]\d{0,14})\s*[,;\t ]\s*(\S.{0,99})$/;

/** The lines that can be sent, and those that cannot. */
export function readTrackingLines(text: string) {
  const lines: TrackingLine[] = [];
  const problems: { line: string; problem: LineProblem }[] = [];
  for (const each of text.split(/\r\n|\r|\n/)) {
    const line = each.trim();
    if (!line) continue;
    const [, number, trackingNumber = ''] = LINE.exec(line) ?? [];
    if (number === undefined) problems.push({ line, problem: 'invalid' });
    else if (lines.some((other) => other.number === Number(number))) problems.push({ line, problem: 'twice' });
    else if (lines.length === MAX_SELECTED) problems.push({ line, problem: 'tooMany' });
    else lines.push({ line, number: Number(number), trackingNumber: trackingNumber.trim() });
  }
  return { lines, problems };
}
