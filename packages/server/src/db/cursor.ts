import type { SortOrder } from '@store-sales/contract';
import { Refusal } from '../refusal.ts';
import { type SecretKeys, signer } from '../secrets.ts';

/** Where a cursor belongs; used anywhere else it is refused. */
export interface CursorScope {
  resource: string;
  storeId: string;
  order: SortOrder;
}

/** The sort key of the last record of a page: an instant and what breaks ties. */
export type Position = readonly [at: number, tie: number | string];

export interface Cursors {
  write(scope: CursorScope, position: Position): string;
  read(scope: CursorScope, cursor: string): Position;
}

/**
 * Cursors that need no memory: version, sort order and position, followed by a tag over these and the scope.
 * The sort order is in the clear so that the commonest mistake gets its own words.
 */
export function cursors(secretKeys: SecretKeys): Cursors {
  const { sign, isSigned } = signer(secretKeys, 'cursors');
  const signedText = ({ resource, storeId }: CursorScope, body: string) => `${resource}\n${storeId}\n${body}`;

  return {
    write(scope, position) {
      const body = Buffer.from(JSON.stringify([1, scope.order, ...position])).toString('base64url');
      return `${body}.${sign(signedText(scope, body))}`;
    },
    read(scope, cursor) {
      const [body = '', given = '', ...rest] = cursor.split('.');
      if (rest.length || !isSigned(signedText(scope, body), given))
        throw refuse('The cursor is damaged, or comes from another list or another store.');
      const [, order, at, tie] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
        1,
        SortOrder,
        number,
        number,
      ];
      if (order !== scope.order)
        throw refuse(`The cursor was made with order=${order}; it cannot be used with order=${scope.order}.`);
      return [at, tie];
    },
  };
}

function refuse(message: string) {
  return new Refusal('invalid_cursor', message, [{ parameter: 'cursor', code: 'not_allowed', message }]);
}
