import { uuid } from '../db/uuid.ts';
import type { RowError } from '../imports/cells.ts';
import { changeOf, emptyReport, type ImportOptions, type Report, reject } from '../imports/report.ts';
import { excerpt } from '../imports/table.ts';
import { Pace } from '../time/pace.ts';
import type { StoredCategory } from './import.queries.ts';

/** A category as a row describes it. Undefined if the file lacks the column; `parent` is '' for none. */
export interface CategoryRow {
  line: number;
  externalId: string;
  name: string | undefined;
  parent: string | undefined;
}

export interface TreePlan {
  report: Report;
  /** Parents before their children. */
  added: StoredCategory[];
  changed: StoredCategory[];
}

export interface TreeOptions extends Pick<ImportOptions, 'onChange' | 'maxRejections'> {
  now: number;
  /** Maximum number of categories per store. */
  limit: number;
}

interface Node {
  id: string;
  externalId: string | null;
  stored: StoredCategory | undefined;
  /** Undefined if the file has none, or it is rejected. A new category without it does not exist. */
  row: CategoryRow | undefined;
  state: 'new' | 'on path' | 'sorted';
}

/**
 * Plans the tree that results from the store's categories and the rows of a file, which has at most one for a category.
 * Only the final tree counts: a child may precede its parent, and two categories may swap positions. A rejected row
 * changes nothing at all. Rejected are
 *
 * - new categories beyond the limit, or without a name;
 * - rows whose parent does not exist;
 * - the last row of each cycle. Its category keeps the parent that it has in the store; a new category is not created, and
 *   the rows that name it as their parent are rejected too.
 */
export async function planTree(stored: readonly StoredCategory[], rows: readonly CategoryRow[], options: TreeOptions) {
  const tree = new Tree(rows, options);
  await tree.build(stored);
  await tree.rejectNameless();
  await tree.rejectOrphans();
  return tree.plan(await tree.sort());
}

class Tree {
  private readonly byId = new Map<string, Node>();
  private readonly byExternalId = new Map<string, Node>();
  /** Rows by the parent they name. */
  private readonly below = new Map<string, CategoryRow[]>();
  private readonly rejected = new Map<CategoryRow, RowError>();
  private readonly pace = new Pace();

  constructor(
    private readonly rows: readonly CategoryRow[],
    private readonly options: TreeOptions,
  ) {}

  async build(stored: readonly StoredCategory[]) {
    const { limit, now } = this.options;
    for (const category of stored) {
      this.add({ id: category.id, externalId: category.external_id, stored: category, row: undefined, state: 'new' });
      await this.pace.step();
    }
    let count = stored.length;
    for (const row of this.rows) {
      await this.pace.step();
      const { externalId, parent } = row;
      const node =
        this.byExternalId.get(externalId) ??
        this.add({ id: uuid(now), externalId, stored: undefined, row: undefined, state: 'new' });
      if (!node.stored && ++count > limit)
        this.rejected.set(row, { column: null, code: 'category_limit', params: { max: limit } });
      else node.row = row;
      if (!parent) continue;
      const siblings = this.below.get(parent);
      if (siblings) siblings.push(row);
      else this.below.set(parent, [row]);
    }
  }

  async rejectNameless() {
    for (const row of this.rows) {
      if (row.name === undefined && !this.nodeOf(row).stored)
        await this.reject(row, { column: 'name', code: 'required', params: {} });
      await this.pace.step();
    }
  }

  async rejectOrphans() {
    for (const row of this.rows) {
      const parent = row.parent ? this.byExternalId.get(row.parent) : undefined;
      if (row.parent && !exists(parent))
        await this.reject(row, parentError(parent ? 'rejected_category' : 'unknown_category', row.parent));
      await this.pace.step();
    }
  }

  /** All categories, parents before their children. Follows the parents of each up to one that is sorted already. */
  async sort(): Promise<Node[]> {
    const sorted: Node[] = [];
    const path: Node[] = [];
    for (const start of this.byId.values()) {
      let node: Node | undefined = start;
      while (exists(node) && node.state !== 'sorted') {
        await this.pace.step();
        if (node.state === 'new') {
          node.state = 'on path';
          path.push(node);
          node = this.parentOf(node);
        } else {
          const last = await this.rejectCycle(path.slice(path.lastIndexOf(node)));
          // A cycle without rows was stored before.
          if (!last) break;
          for (const left of path.splice(path.lastIndexOf(last))) left.state = 'new';
          // Those that named it as their parent, if it is not created.
          while (path.at(-1)?.state === 'new') path.pop();
          const end = path.at(-1);
          node = end ? this.parentOf(end) : start;
        }
      }
      for (let end = path.pop(); end; end = path.pop()) {
        end.state = 'sorted';
        sorted.push(end);
      }
    }
    return sorted;
  }

  async plan(sorted: readonly Node[]): Promise<TreePlan> {
    const { onChange, maxRejections } = this.options;
    const report = emptyReport();
    const results = new Map<Node, StoredCategory>();
    for (const row of this.rows) {
      await this.pace.step();
      const error = this.rejected.get(row);
      if (error) {
        reject(report, row.line, [error], maxRejections);
        continue;
      }
      const node = this.nodeOf(row);
      const { id, stored } = node;
      const result = {
        id,
        external_id: row.externalId,
        name: row.name ?? stored?.name ?? '',
        parent_id: this.parentOf(node)?.id ?? null,
      };
      const outcome = !stored ? 'created' : isSame(stored, result) ? 'unchanged' : 'updated';
      report[outcome]++;
      if (outcome === 'unchanged') continue;
      results.set(node, result);
      onChange?.(() => this.change(row, stored, result));
    }
    const written = (areStored: boolean) =>
      sorted.flatMap((node) => (areStored === (node.stored !== undefined) ? (results.get(node) ?? []) : []));
    return { report, added: written(false), changed: written(true) };
  }

  private change({ line, externalId }: CategoryRow, before: StoredCategory | undefined, after: StoredCategory) {
    const described = ({ name, parent_id }: StoredCategory) => {
      const parent = parent_id ? this.byId.get(parent_id) : undefined;
      return { name, externalId, parent: parent?.externalId ?? parent?.stored?.name ?? null };
    };
    const columns = { name: 'name', externalId: 'externalId', parentExternalId: 'parent' } as const;
    return changeOf(line, before && described(before), described(after), columns);
  }

  private add(node: Node): Node {
    this.byId.set(node.id, node);
    if (node.externalId) this.byExternalId.set(node.externalId, node);
    return node;
  }

  private nodeOf = (row: CategoryRow) => this.byExternalId.get(row.externalId) as Node;

  private parentOf({ row, stored }: Node): Node | undefined {
    if (row?.parent !== undefined) return this.byExternalId.get(row.parent);
    return stored?.parent_id ? this.byId.get(stored.parent_id) : undefined;
  }

  /** Rejects the last row of a cycle and returns its category; undefined if there is no row. */
  private async rejectCycle(cycle: readonly Node[]): Promise<Node | undefined> {
    let last: Node | undefined;
    for (const node of cycle) if (node.row && node.row.line > (last?.row?.line ?? 0)) last = node;
    if (!last?.row) return undefined;
    const start = cycle.indexOf(last);
    const names = [...cycle.slice(start), ...cycle.slice(0, start)].slice(0, 4).map(nameOf);
    const path = [...names, ...(cycle.length > names.length ? ['…'] : []), names[0]].join(' → ');
    await this.reject(last.row, { column: 'parentExternalId', code: 'category_cycle', params: { path } });
    return last;
  }

  /** Rejects a row, and then those that depend on it. */
  private async reject(row: CategoryRow, error: RowError) {
    const pending: [CategoryRow, RowError][] = [[row, error]];
    for (let next = pending.pop(); next; next = pending.pop()) {
      await this.pace.step();
      const [lost, reason] = next;
      if (this.rejected.has(lost)) continue;
      this.rejected.set(lost, reason);
      const node = this.nodeOf(lost);
      node.row = undefined;
      node.state = 'new';
      if (exists(node)) continue;
      const { externalId } = lost;
      for (const child of this.below.get(externalId) ?? [])
        pending.push([child, parentError('rejected_category', externalId)]);
    }
  }
}

const exists = (node: Node | undefined): node is Node =>
  node !== undefined && (node.stored !== undefined || node.row !== undefined);

const nameOf = ({ externalId, stored }: Node) => excerpt(externalId ?? stored?.name ?? '');

const parentError = (code: 'unknown_category' | 'rejected_category', parent: string): RowError => ({
  column: 'parentExternalId',
  code,
  params: { value: excerpt(parent) },
});

const isSame = (a: StoredCategory, b: StoredCategory) => a.name === b.name && a.parent_id === b.parent_id;
