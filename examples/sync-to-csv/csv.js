/** CSV as RFC 4180 has it: cells with a comma, a quote or a line break stand in quotes. */

export function parse(text) {
  const [header = [], ...rows] = cells(text);
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])));
}

export function stringify(header, rows) {
  const line = (values) => values.map(quote).join(',');
  return `${[line(header), ...rows.map((row) => line(header.map((name) => row[name] ?? '')))].join('\r\n')}\r\n`;
}

/** A spreadsheet would run a text that starts like a formula. */
export const asText = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const quote = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

function cells(text) {
  const rows = [];
  let row = [];
  // A cell in quotes or a bare one, and what ends it. Spreadsheets may put a byte order mark first.
  for (const [, quoted, bare = '', end] of text
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
