export const MAX_IMAGE_URL = 2000;

/**
 * An https address, or a path of this service. Browsers read `//host` and `/\\host` as another host, so a path begins
 * with one slash.
 */
export function isImageUrl(text: string): boolean {
  if (/[\s\\\p{Cc}]/u.test(text)) return false;
  if (text.startsWith('/')) return !text.startsWith('//');
  if (!/^https:\/\/[^/]/i.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return !username && !password;
}
