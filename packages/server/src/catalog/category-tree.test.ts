import type { Rejection } from '@store-sales/contract/console';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CategoryRow, planTree } from './category-tree.ts';
import type { StoredCategory } from './import.queries.ts';

type Edge = [externalId: string, parent: string];

const rowsOf = (edges: readonly Edge[]): CategoryRow[] =>
  edges.map(([externalId, parent], index) => ({ line: index + 2, externalId, name: 'N', parent }));
const plan = (stored: readonly StoredCategory[], edges: readonly Edge[], limit = 1_000_000) =>
  planTree(stored, rowsOf(edges), { now: 1, limit });

/** Parents by external id after applying a plan to the stored categories. */
function parentsOf(stored: readonly StoredCategory[], { added, changed }: Awaited<ReturnType<typeof planTree>>) {
  const all = new Map([...stored, ...added, ...changed].map((category) => [category.id, category]));
  const externalId = (id: string | null) => (id ? (all.get(id)?.external_id as string) : '');
  return new Map([...all.values()].map((category) => [category.external_id as string, externalId(category.parent_id)]));
}

function expectTree(parents: ReadonlyMap<string, string>) {
  for (const start of parents.keys()) {
    const seen = new Set<string>();
    for (let at = start; at; at = parents.get(at) as string) {
      expect(parents.has(at)).toBe(true);
      expect(seen.has(at)).toBe(false);
      seen.add(at);
    }
  }
}

/** The cycles of a graph where every category has one parent, each by its smallest member. */
function cyclesIn(parents: ReadonlyMap<string, string>) {
  return [...parents.keys()].filter((start) => {
    const seen = new Set<string>();
    let at = parents.get(start);
    for (; at && at !== start && !seen.has(at); at = parents.get(at)) seen.add(at);
    return at === start && [...seen].every((other) => other > start);
  }).length;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const edges = (parents: readonly string[]) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...parents)) as fc.Arbitrary<Edge>, {
    selector: ([externalId]) => externalId,
  });
/** A random stored tree: the parent of each category precedes it. */
const storedTrees = fc.array(fc.nat(6), { maxLength: 5 }).map((picks) =>
  picks.map(
    (pick, index): StoredCategory => ({
      id: `id-${index}`,
      external_id: names[index] as string,
      name: 'N',
      parent_id: index && pick < index ? `id-${pick}` : null,
    }),
  ),
);
const isCircular = ({ code }: Rejection) => code === 'category_cycle';

describe('the tree that a file produces', () => {
  test('has no cycles, and results from the rows that are not rejected', async () => {
    await fc.assert(
      fc.asyncProperty(storedTrees, edges([...names, '', 'nowhere']), async (stored, rows) => {
        const planned = await plan(stored, rows);
        const parents = parentsOf(stored, planned);
        expectTree(parents);
        const rejected = new Set(planned.report.rejected.map(({ line }) => line));
        const expected = parentsOf(stored, { ...planned, added: [], changed: [] });
        for (const [index, [externalId, parent]] of rows.entries())
          if (!rejected.has(index + 2)) expected.set(externalId, parent);
        expect(parents).toEqual(expected);

        const { created, updated, unchanged, rejectedCount } = planned.report;
        expect(created + updated + unchanged + rejectedCount).toBe(rows.length);
        expect(rejectedCount).toBe(rejected.size);
        // A row is rejected for its parent only if that category does not exist in the final tree.
        for (const rejection of planned.report.rejected)
          if (!isCircular(rejection)) expect(parents.has(rows[rejection.line - 2]?.[1] as string)).toBe(false);
      }),
      { numRuns: 3000 },
    );
  });

  test('one row of each cycle is rejected if every category has a row and no stored parent', async () => {
    await fc.assert(
      fc.asyncProperty(edges([...names, '']), fc.boolean(), async (rows, areStored) => {
        const parents = new Map(rows);
        for (const parent of [...parents.values()]) if (parent && !parents.has(parent)) parents.set(parent, '');
        const stored = [...parents.keys()].map((name) => ({
          id: `id-${name}`,
          external_id: name,
          name: 'N',
          parent_id: null,
        }));
        const planned = await plan(areStored ? stored : [], [...parents]);
        const circular = planned.report.rejected.filter(isCircular);
        expect(circular).toHaveLength(cyclesIn(parents));
        if (areStored) expect(planned.report.rejectedCount).toBe(circular.length);
      }),
      { numRuns: 3000 },
    );
  });

  test('a cycle is rejected at its last row, together with the rows that depend on its category', async () => {
    const ring: Edge[] = [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ];
    const { report } = await plan([], ring);
    expect(report.rejected).toEqual([
      { line: 2, column: 'parentExternalId', code: 'rejected_category', params: { value: 'b' } },
      { line: 3, column: 'parentExternalId', code: 'rejected_category', params: { value: 'c' } },
      { line: 4, column: 'parentExternalId', code: 'category_cycle', params: { path: 'c → a → b → c' } },
    ]);
    const stored = ['a', 'b', 'c'].map((name) => ({ id: name, external_id: name, name: 'N', parent_id: null }));
    const moved = await plan(stored, ring);
    expect(moved.report).toMatchObject({ updated: 2, rejectedCount: 1, rejected: [{ line: 4 }] });
  });

  test('new categories beyond the limit are rejected, known ones are not', async () => {
    const stored = ['a', 'b'].map((name) => ({ id: name, external_id: name, name: 'N', parent_id: null }));
    const rows: Edge[] = [
      ['c', 'a'],
      ['d', 'c'],
      ['b', 'a'],
      ['e', 'd'],
    ];
    const { report } = await plan(stored, rows, 3);
    expect(report).toMatchObject({ created: 1, updated: 1, unchanged: 0, rejectedCount: 2 });
    const beyondLimit = { column: null, code: 'category_limit', params: { max: 3 } };
    expect(report.rejected).toEqual([
      { line: 3, ...beyondLimit },
      { line: 5, ...beyondLimit },
    ]);
  });

  test('a stored cycle does not block an import', async () => {
    const stored = [
      { id: 'a', external_id: 'a', name: 'N', parent_id: 'b' },
      { id: 'b', external_id: 'b', name: 'N', parent_id: 'a' },
    ];
    expect((await plan(stored, [['c', 'a']])).report).toMatchObject({ created: 1, rejectedCount: 0 });
    expect((await plan(stored, [['a', '']])).report).toMatchObject({ updated: 1, rejectedCount: 0 });
  });
});

/** These take minutes if the time is not linear in the size of the file. */
describe('100,000 rows', () => {
  const COUNT = 100_000;
  const many = (parent: (index: number) => string) =>
    Array.from({ length: COUNT }, (_, index): Edge => [`c${index}`, parent(index)]);
  const chain = (count: number): StoredCategory[] =>
    Array.from({ length: count }, (_, index) => ({
      id: `i${index}`,
      external_id: `c${index}`,
      name: 'N',
      parent_id: index ? `i${index - 1}` : null,
    }));

  test.each<[string, StoredCategory[], Edge[], object]>([
    ['a ring', [], many((index) => `c${(index + 1) % COUNT}`), { created: 0, rejectedCount: COUNT }],
    ['a chain', [], many((index) => (index ? `c${index - 1}` : '')), { created: COUNT, rejectedCount: 0 }],
    ['a chain, the last first', [], many((index) => (index < COUNT - 1 ? `c${index + 1}` : '')), { created: COUNT }],
    ['pairs', [], many((index) => `c${index ^ 1}`), { rejectedCount: COUNT }],
    ['the root of a stored chain, moved below its end', chain(10_000), [['c0', 'c9999']], { rejectedCount: 1 }],
    [
      'a stored chain, reversed',
      chain(10_000),
      Array.from({ length: 10_000 }, (_, index): Edge => [`c${index}`, `c${(index + 1) % 10_000}`]),
      { created: 0 },
    ],
  ])(
    '%s',
    async (_, stored, rows, expected) => {
      const planned = await plan(stored, rows);
      expect(planned.report).toMatchObject(expected);
    },
    60_000,
  );
});
