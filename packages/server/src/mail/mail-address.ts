import { domainToASCII } from 'node:url';

/** Only ASCII: some servers close the connection when they get anything else. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for. */
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** Control characters, line separators, and characters that change the direction of the text after them. */
export const hasControls = (text: string) => text.search(CONTROLS) >= 0;

export const withoutControls = (text: string) => text.replace(CONTROLS, ' ');

/**
 * The address as it can be mailed to, with an ASCII domain; undefined for anything else. Stricter than what people may
 * sign in with: no quotes, commas or brackets, so that a mail always has one recipient.
 */
export function mailAddress(text: string): string | undefined {
  const [local = '', domain = '', ...rest] = text.trim().split('@');
  if (rest.length || !LOCAL_PART.test(local) || local.startsWith('.') || local.endsWith('.') || local.includes('..'))
    return undefined;
  const host = domainToASCII(domain);
  if (!host || host.length > 253 || !host.split('.').every((label) => LABEL.test(label))) return undefined;
  // An IPv4 address, which `domainToASCII` normalizes.
  if (/^[\d.]+$/.test(host)) return undefined;
  const address = `${local}@${host}`;
  return address.length <= 254 ? address : undefined;
}
