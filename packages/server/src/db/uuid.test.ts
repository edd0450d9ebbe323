import { expect, test } from 'vitest';
import { uuid } from './uuid.ts';

test('ids of one instant are in the order of their creation, also with those of other instants in between', () => {
  const instants = [1000, 2000, 1500, 3000];
  const ids = Array.from({ length: 400 }, (_, index) => {
    const at = instants[index % instants.length] as number;
    return { at, id: uuid(at) };
  });
  for (const instant of instants) {
    const created = ids.filter(({ at }) => at === instant).map(({ id }) => id);
    expect(created).toEqual([...created].sort());
  }
});
