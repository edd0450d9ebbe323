export const MAX_CODE_LENGTH = 64;

const cyrillic: Record<string, string> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l' },
  ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh' },
  ...{ щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  // Belarusian and Ukrainian.
  ...{ ґ: 'g', є: 'ye', і: 'i', ї: 'yi', ў: 'u' },
};

/** Derives a code from a name: `Склад Москва` gives `sklad-moskva`, `Café № 5` gives `cafe-no-5`. */
export function slug(name: string, fallback: string): string {
  const latin = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Script=Cyrillic}/gu, (letter) => cyrillic[letter] ?? letter);
  const plain = latin.normalize('NFKD').replace(/\p{Mark}/gu, '');
  const code = plain.replace(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return code.slice(0, MAX_CODE_LENGTH).replace(/-$/, '') || fallback;
}

/** Appends -2, -3 … (nothing for 1), truncating the code to the maximum length. */
function numbered(code: string, number: number): string {
  const suffix = number === 1 ? '' : `-${number}`;
  return code.slice(0, MAX_CODE_LENGTH - suffix.length) + suffix;
}

/** The first variant of the code that is free. Call it under the lock that those hold who take codes. */
export function freeCode(code: string, taken: ReadonlySet<string>): string {
  let number = 1;
  while (taken.has(numbered(code, number))) number++;
  return numbered(code, number);
}
