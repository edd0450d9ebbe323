/** CSV as in RFC 4180: cells with a comma, a quote or a line break are quoted. */

export function parse(text) {
  const [header = [], ...rows] = cells(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

export function stringify(header, rows) {
  const line = (values) => values.map(quote).join(',');
  return `${[line(header), ...rows.map((row) => line(header.map((name) => row[name] ?? '')))].join('\r\n')}\r\n`;
}

/** Prevents a spreadsheet from evaluating the text as a formula. */
export const asText = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quote = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

function cells(text) {
  const rows = [];
  let row = [];
  // A quoted or plain cell and its terminator. Spreadsheets may add a byte order mark.
  for (const [, quoted, plain = '', end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
