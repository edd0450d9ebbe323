/** A secret, sealed, that was replaced and still signs. */
export interface ReplacedSecret {
  secret: string;
  until: number;
}

/** The replaced secrets of an endpoint that still sign at this time, newest first. */
export function replacedSecrets(
  endpoint: { previous_secret: string | null; previous_secret_until_at: number | null; older_secrets: string },
  time: number,
): ReplacedSecret[] {
  const { previous_secret: secret, previous_secret_until_at: until } = endpoint;
  if (secret === null || until === null || until <= time) return [];
  const older = JSON.parse(endpoint.older_secrets) as ReplacedSecret[];
  return [{ secret, until }, ...older.filter((replaced) => replaced.until > time)];
}
