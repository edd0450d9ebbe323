/** A secret that was replaced and still signs. */
export interface ReplacedSecret {
  secret: string;
  until: number;
}

/** As the endpoint's row holds them, sealed: the last one, and all before it as one text of JSON. */
export interface SealedSecrets {
  previous_secret: string | null;
  previous_secret_until_at: number | null;
  older_secrets: string | null;
}

/** The replaced secrets of an endpoint that still sign at this time, newest first. */
export function replacedSecrets(
  { previous_secret: previous, previous_secret_until_at: until, older_secrets: older }: SealedSecrets,
  time: number,
  open: (sealed: string) => string,
): ReplacedSecret[] {
  // Those before it were replaced earlier, so they have ended when it has.
  if (previous === null || until === null || until <= time) return [];
  const before = older === null ? [] : (JSON.parse(open(older)) as ReplacedSecret[]);
  return [{ secret: open(previous), until }, ...before.filter((replaced) => replaced.until > time)];
}
