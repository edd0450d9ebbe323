/** The value of `--name`, or the default. */
export function option(name: string, defaultValue: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? defaultValue : (process.argv[at + 1] as string);
}

export const engine = process.argv.includes('postgres') ? 'postgres' : 'sqlite';
