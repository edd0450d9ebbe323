import type { Engine } from './frozen.ts';

/** Characters that NFKC normalizes to `+`. */
const PLUS = '+\u207a\u208a\ufb29\ufe62\uff0b';

/** The code point of zero in each script except ASCII. */
const ZEROS = [
  ...[0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50],
  ...[0x0ed0, 0x0f20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50],
  ...[0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10],
];

/**
 * Corrects wrong phone keys: `+8…` with eleven digits was treated as a Russian number, and digits of other scripts were
 * dropped. One statement is enough, because few rows have such phones.
 */
export const phoneKeys = {
  name: 'phone-keys',
  statements(engine: Engine): string[] {
    const digits = engine === 'sqlite' ? digitsInSqlite() : digitsInPostgres();
    const has = (set: string) => (engine === 'sqlite' ? `phone glob '*[${set}]*'` : `phone ~ '[${set}]'`);
    const otherScripts = ZEROS.map((zero) => `${String.fromCodePoint(zero)}-${String.fromCodePoint(zero + 9)}`).join(
      '',
    );
    const correct = `case when length(${digits}) = 11 and ${digits} like '8%' and not (${has(PLUS)})
                          then '7' || substr(${digits}, 2) else nullif(${digits}, '') end`;
    // The phone begins with 8 if its first 8 comes before any 7.
    const at = (digit: string) => (engine === 'sqlite' ? `instr(phone, '${digit}')` : `strpos(phone, '${digit}')`);
    const beginsWith8 = `${at('8')} > 0 and (${at('7')} = 0 or ${at('8')} < ${at('7')})`;
    return [
      `update customers set phone_key = ${correct}
       where (length(phone_key) = 11 and phone_key like '7%' and ${beginsWith8} and ${has(PLUS)}) or ${has(otherScripts)}`,
    ];
  },
};

function digitsInPostgres(): string {
  const from = ZEROS.flatMap((zero) => Array.from({ length: 10 }, (_, index) => String.fromCodePoint(zero + index)));
  return `regexp_replace(translate(phone, '${from.join('')}', '${'0123456789'.repeat(ZEROS.length)}'), '[^0-9]', '', 'g')`;
}

/** SQLite has no regular expressions, so this scans the text character by character. */
function digitsInSqlite(): string {
  const code = 'unicode(substr(phone, place, 1))';
  const cases = [0x30, ...ZEROS].map((zero) => `when ${code} between ${zero} and ${zero + 9} then ${code} - ${zero}`);
  return `(with recursive scan (place, digits) as (
             select 1, ''
             union all
             select place + 1, digits || case ${cases.join(' ')} else '' end from scan where place <= length(phone))
           select digits from scan order by place desc limit 1)`;
}
