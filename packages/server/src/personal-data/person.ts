import { asciiDigits, emailKey, phoneKey } from '../customers/contact.ts';
import { nameKey } from '../text/names.ts';

export interface Contact {
  name: string;
  phone: string;
  email: string;
}

/** A shorter number in a text identifies nobody. */
const MIN_DIGITS = 5;
/** The end of a phone that every notation has: with `+7`, `7`, `8` or nothing in front. */
const NATIONAL_DIGITS = 10;
/** A longer text is no name. */
const MAX_NAME_WORDS = 12;

const digitRuns = /\p{Nd}(?:[\s()+.\-\u2010-\u2015\u2212_/]*\p{Nd})*/gu;
/** What an e-mail in a text ends at. A pattern of whole addresses would be quadratic in long texts without an `@`. */
const separators = /[\s"'<>()[\],;:&=?/\\|{}]+/u;

/** What is known of a person, and whether a text names them. */
export class Person {
  /** @param until What was written later is about somebody else. */
  constructor(readonly until: number) {}

  /** The ids of the customers that are this person. */
  readonly ids = new Set<string>();
  /** The numbers of their orders. */
  readonly orders = new Set<number>();
  /** As they are compared. */
  readonly phones = new Set<string>();
  readonly emails = new Set<string>();
  /** In words, each after a space. */
  private readonly names = new Set<string>();
  private readonly digits = new Set<string>();

  add({ name, phone, email }: Contact, texts: readonly string[] = []) {
    const [phoneAsCompared, emailAsCompared] = [phoneKey(phone), emailKey(email)];
    if (phoneAsCompared) this.phones.add(phoneAsCompared);
    if (emailAsCompared) this.emails.add(emailAsCompared);
    // A phone may have a second number, or an extension, after a word.
    for (const digits of [phoneAsCompared ?? '', ...runsIn(phone)])
      if (digits.length >= MIN_DIGITS) this.digits.add(digits.slice(-NATIONAL_DIGITS));
    for (const text of [name, ...texts]) {
      const words = wordsOf(text);
      if (words.length && words.length <= MAX_NAME_WORDS) this.names.add(words.join(' '));
    }
  }

  /** What another customer has too is theirs: it says nothing of this person where it is found. */
  remove(keys: ReadonlySet<string>) {
    for (const key of keys) {
      this.phones.delete(key);
      this.emails.delete(key);
      this.digits.delete(key.slice(-NATIONAL_DIGITS));
    }
  }

  hasEmail = (address: string) => this.emails.has(emailKey(address) ?? '');

  /** Whether a text is the name or the address of the person, or mentions them. */
  isNamed = (text: string) => this.names.has(wordsOf(text).join(' ')) || this.mentions(text);

  /** Whether a phone, an e-mail or the full name of the person is in a text, in any notation and as a part of a URL. */
  mentions = (text: string): boolean => spellings(text).some((each) => this.isIn(each));

  private isIn(text: string): boolean {
    return runsIn(text).some(this.hasPhone) || addressesIn(text).some(this.hasEmail) || this.hasName(wordsOf(text));
  }

  private hasPhone = (digits: string): boolean => {
    // A short number is a part of too many others.
    if (digits.length < NATIONAL_DIGITS) return this.digits.has(digits);
    for (let start = 0; start <= digits.length - NATIONAL_DIGITS; start++)
      if (this.digits.has(digits.slice(start, start + NATIONAL_DIGITS))) return true;
    return false;
  };

  /** One word is the name of too many. */
  private hasName(words: readonly string[]): boolean {
    for (let start = 0; start < words.length - 1; start++) {
      let part = words[start] as string;
      for (const word of words.slice(start + 1, start + MAX_NAME_WORDS)) {
        part += ` ${word}`;
        if (this.names.has(part)) return true;
      }
    }
    return false;
  }
}

const runsIn = (text: string): string[] =>
  [...text.normalize('NFKC').matchAll(digitRuns)].map(([run]) => asciiDigits(run).replace(/[^0-9]/g, ''));

function addressesIn(text: string): string[] {
  if (!text.includes('@')) return [];
  return text
    .normalize('NFKC')
    .split(separators)
    .flatMap((token) => {
      const parts = token.split('@');
      return parts.slice(1).map((domain, index) => `${parts[index]}@${domain.replace(/\.$/, '')}`);
    });
}

const wordsOf = (text: string): string[] =>
  nameKey(text)
    .replaceAll('ё', 'е')
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** A text, and what it says as a part of a URL. */
function spellings(text: string): string[] {
  if (!/[%+]/.test(text)) return [text];
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, (part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const spaced = decoded.replaceAll('+', ' ');
  return [...new Set([text, decoded, spaced])];
}
