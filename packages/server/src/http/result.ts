/** What a handler returns. */
export interface Result<Body> {
  /** If it differs from the row's. */
  status?: number;
  headers?: Record<string, string>;
  /** The record, or the serialized response if the database produced it. */
  body: Body | Buffer;
  /** Depends only on the URL and the store's change number, so it is cacheable until that number changes. */
  cacheableBySeq?: boolean;
}
