/** A replaced secret that is still used for signing. */
export interface ReplacedSecret {
  secret: string;
  until: number;
}

/** Encrypted in the endpoint's row: the last one, and all older ones as one JSON text. */
export interface SealedSecrets {
  previous_secret: string | null;
  previous_secret_until_at: number | null;
  older_secrets: string | null;
}

/** The replaced secrets that are still used for signing at this time, newest first. */
export function replacedSecrets(
  { previous_secret: previous, previous_secret_until_at: until, older_secrets: older }: SealedSecrets,
  time: number,
  open: (sealed: string) => string,
): ReplacedSecret[] {
  // Older ones expire earlier, so all have expired if the last one has.
  if (previous === null || until === null || until <= time) return [];
  const before = older === null ? [] : (JSON.parse(open(older)) as ReplacedSecret[]);
  return [{ secret: open(previous), until }, ...before.filter((replaced) => replaced.until > time)];
}
