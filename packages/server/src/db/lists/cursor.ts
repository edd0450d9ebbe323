import type { SortOrder } from '@store-sales/contract';
import { DomainError } from '../../domain-error.ts';
import { type SecretKeys, signer } from '../../secrets.ts';
import { shortHash } from '../../text/short-hash.ts';

/** The list that a cursor belongs to; another list rejects it. */
export interface CursorScope {
  resource: string;
  storeId: string;
  order: SortOrder;
  /** The filters of the list, in any form. A cursor that is written with them is valid only with the same. */
  filters?: string;
}

/** The sort key of the last record of a page: an instant and a tie-breaker. */
export type Position = readonly [at: number, tie: number | string];

export interface Cursors {
  write(scope: CursorScope, position: Position): string;
  read(scope: CursorScope, cursor: string): Position;
}

/** Short enough for a URL; two different filters never have the same by accident. */
const digestOf = (filters: string) => shortHash(filters).slice(0, 16);

/**
 * Stateless cursors: version, sort order and position, followed by a signature of these and the scope. The sort order
 * is readable, so that the most common mistake gets its own error message.
 */
export function cursors(secretKeys: SecretKeys): Cursors {
  const { sign, isSigned } = signer(secretKeys, 'cursors');
  const signedText = ({ resource, storeId }: CursorScope, body: string) => `${resource}\n${storeId}\n${body}`;

  return {
    write(scope, position) {
      const filters = scope.filters === undefined ? [] : [digestOf(scope.filters)];
      const body = Buffer.from(JSON.stringify([1, scope.order, ...position, ...filters])).toString('base64url');
      return `${body}.${sign(signedText(scope, body))}`;
    },
    read(scope, cursor) {
      const [body = '', given = '', ...rest] = cursor.split('.');
      if (rest.length || !isSigned(signedText(scope, body), given))
        throw refuse('The cursor is damaged, or comes from another list or another store.');
      const [, order, at, tie, filters] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
        1,
        SortOrder,
        number,
        number,
        string?,
      ];
      if (order !== scope.order)
        throw refuse(`The cursor was created with order=${order}; it cannot be used with order=${scope.order}.`);
      if (filters !== undefined && filters !== digestOf(scope.filters ?? ''))
        throw refuse('The cursor is a syncCursor of other filters; it can only be used with the same ones.');
      return [at, tie];
    },
  };
}

function refuse(message: string) {
  return new DomainError('invalid_cursor', message, [{ parameter: 'cursor', code: 'not_allowed', message }]);
}
