/** Of a file for spreadsheets; with a comma, cells are separated by semicolons. */
export type Decimal = 'point' | 'comma';

/** Excel needs a BOM to detect UTF-8. */
export const UTF8_BOM = Buffer.from('\uFEFF');

/** An amount in units of the currency. */
export function amountCell(kopecks: number, decimal: Decimal): string {
  const digits = String(kopecks).padStart(3, '0');
  return `${digits.slice(0, -2)}${decimal === 'comma' ? ',' : '.'}${digits.slice(-2)}`;
}

/**
 * LEFT-TO-RIGHT MARK: invisible, and a cell that begins with it is a text in every spreadsheet. See
 * docs/decisions/spreadsheet-text.md.
 */
const MARK = '\u200e';

/** What a formula begins with. */
const FORMULA = /^[=+\-@＝＋－＠]/;
/** What may separate it from the text before: delimiters, and characters that spreadsheets ignore. Matched at once. */
const GAP = /[,;"\s\p{Cf}]+/gu;
/** A spreadsheet that takes another delimiter begins a cell after one of these. */
const DELIMITER = /[,;\t\r\n"]/g;
/**
 * Digits and punctuation that spreadsheets turn into a number or a date, such as `0042`, `1-2` or `1E5`. A character can
 * belong to one repetition only, so a mismatch takes linear time.
 */
const NUMBER_OR_DATE = /^\s*\(?\d[\d\s.,:/()-]*(?:(?:e[+-]?\d+%?|%)\s*)?$/i;
/** A number that a spreadsheet shows as it is. */
const INTEGER = /^(?:0|[1-9]\d{0,14})$/;

/** A text that no spreadsheet evaluates or converts. In linear time: strangers type these texts. */
export function textCell(text: string): string {
  if (NUMBER_OR_DATE.test(text) && !INTEGER.test(text)) return MARK + text;
  const marked = text.replace(GAP, (gap, index: number) =>
    FORMULA.test(text.charAt(index + gap.length)) ? markedGap(gap, index === 0) : gap,
  );
  return FORMULA.test(text) ? MARK + marked : marked;
}

/** Marks each place before a formula where its cell may begin. */
function markedGap(gap: string, isStart: boolean): string {
  // Up to here, something else than ignored characters comes before the formula.
  const last = Math.max(...[',', ';', '"'].map((delimiter) => gap.lastIndexOf(delimiter)));
  const end = gap.slice(Math.max(0, last)).replace(DELIMITER, `$&${MARK}`);
  return last < 0 ? (isStart ? MARK : '') + end : gap.slice(0, last) + end;
}

/** Phones are texts even if they are integers: spreadsheets show a long one as 7.9E+10. */
export const phoneCell = (phone: string) => (INTEGER.test(phone) ? MARK + phone : textCell(phone));
