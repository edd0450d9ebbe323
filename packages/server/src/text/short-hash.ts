import { hash } from 'node:crypto';

/** 132 bits of a hash: a version, or a key of fixed length for a text of any length. */
export const shortHash = (content: string | Buffer) => hash('sha256', content, 'base64url').slice(0, 22);
