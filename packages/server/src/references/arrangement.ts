import { asUuid } from '../db/uuid.ts';
import { Faults } from '../refusal.ts';

/** Sort positions for the ids sent, which must name every record exactly once. */
export function sortPositions(found: readonly { id: string }[], ids: readonly string[]) {
  const known = new Set(found.map(({ id }) => id));
  const wanted = ids.map((id) => asUuid(id) ?? '');
  if (wanted.length !== known.size || new Set(wanted).size !== known.size || !wanted.every((id) => known.has(id))) {
    const faults = new Faults();
    faults.add('/ids', 'not_allowed', 'must name every status of the list once; it may have changed meanwhile');
    faults.throwIfAny();
  }
  return wanted.map((id, place) => ({ id, place }));
}
