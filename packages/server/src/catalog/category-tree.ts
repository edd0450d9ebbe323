import { uuid } from '../db/uuid.ts';
import type { RowError } from '../imports/cells.ts';
import { Pace } from '../imports/pace.ts';
import { changeOf, emptyReport, type ImportOptions, type Report, reject } from '../imports/report.ts';
import { excerpt } from '../imports/table.ts';
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
  /** Number of its rows that are not rejected. A new category without any does not exist. */
  rowCount: number;
  /** Its rows that set a parent or none, in file order; rejected ones are removed from the end. */
  parentRows: CategoryRow[];
  state: 'new' | 'on path' | 'done';
  /** For a node that keeps its stored parent: an ancestor on the path to one that may move; null if there is none. */
  shortcut: Node | null | undefined;
}

/**
 * Plans the tree that results from the store's categories and the rows of a file. Only the final tree counts: a child
 * may precede its parent, and two categories may swap positions. A rejected row changes nothing at all. Rejected are
 *
 * - new categories beyond the limit, or without a name;
 * - rows whose parent does not exist;
 * - one row of each cycle. Its category keeps the parent that an earlier row or the store gives it; a new category has
 *   none and is not created, and the rows that name it as their parent are rejected too.
 *
 * Runs in linear time, whatever the rows contain.
 */
export async function planTree(stored: readonly StoredCategory[], rows: readonly CategoryRow[], options: TreeOptions) {
  const tree = new Tree(rows, options);
  await tree.build(stored);
  await tree.rejectNameless();
  await tree.rejectOrphans();
  await tree.rejectCycles();
  return tree.plan();
}

class Tree {
  private readonly byId = new Map<string, Node>();
  private readonly byExternalId = new Map<string, Node>();
  /** Rows by the parent they name. */
  private readonly below = new Map<string, CategoryRow[]>();
  private readonly rejected = new Map<CategoryRow, RowError>();
  private readonly beyondLimit = new Set<string>();
  private readonly pace = new Pace();

  constructor(
    private readonly rows: readonly CategoryRow[],
    private readonly options: TreeOptions,
  ) {}

  async build(stored: readonly StoredCategory[]) {
    const { limit, now } = this.options;
    for (const category of stored) {
      this.add(category.id, category.external_id, category);
      await this.pace.step();
    }
    for (const row of this.rows) {
      await this.pace.step();
      const known = this.byExternalId.get(row.externalId);
      if (!known && this.byId.size >= limit) {
        this.rejected.set(row, { column: null, code: 'category_limit', params: { max: limit } });
        this.beyondLimit.add(row.externalId);
        continue;
      }
      const node = known ?? this.add(uuid(now), row.externalId, undefined);
      node.rowCount++;
      if (row.parent !== undefined) node.parentRows.push(row);
      if (!row.parent) continue;
      const siblings = this.below.get(row.parent);
      if (siblings) siblings.push(row);
      else this.below.set(row.parent, [row]);
    }
  }

  async rejectNameless() {
    for (const row of this.rows) {
      if (row.name === undefined && !this.byExternalId.get(row.externalId)?.stored)
        await this.reject(row, { column: 'name', code: 'required', params: {} });
      await this.pace.step();
    }
  }

  async rejectOrphans() {
    for (const row of this.rows) {
      const { parent } = row;
      if (parent && !this.exists(this.byExternalId.get(parent)))
        await this.reject(row, this.beyondLimit.has(parent) ? rejectedParent(parent) : unknownParent(parent));
      await this.pace.step();
    }
  }

  /**
   * Follows the parents of each row, last row first, and records the path. Where the path meets itself, the row that
   * closed the cycle is rejected, and the path continues from the remaining parent. A node is done when its path ends
   * at a root; nothing on that path can change any more, so every node is visited once.
   */
  async rejectCycles() {
    const path: Node[] = [];
    for (let index = this.rows.length - 1; index >= 0; index--) {
      const row = this.rows[index] as CategoryRow;
      await this.pace.step();
      const start =
        row.parent && !this.rejected.has(row) ? this.movableFrom(this.byExternalId.get(row.parent)) : undefined;
      if (start?.state === 'new') this.push(path, start);
      for (let node = path.at(-1); node; node = path.at(-1)) {
        await this.pace.step();
        if (this.isFixed(node)) {
          // Its last row was rejected: from now on it is skipped like any other node that keeps its stored parent.
          path.pop();
          const above = path.length ? undefined : this.movableFrom(node);
          if (above?.state === 'new') this.push(path, above);
          continue;
        }
        const next = this.exists(node) ? this.movableFrom(this.parentOf(node)) : undefined;
        if (next?.state === 'new') this.push(path, next);
        else if (next?.state === 'on path')
          await this.reject(this.parentRow(node) as CategoryRow, this.cycleError(node));
        else {
          node.state = 'done';
          path.pop();
        }
      }
    }
  }

  async plan(): Promise<TreePlan> {
    const { onChange, maxRejections } = this.options;
    const report = emptyReport();
    const planned = new Map<Node, StoredCategory>();
    for (const row of this.rows) {
      await this.pace.step();
      const { line, externalId } = row;
      const error = this.rejected.get(row);
      if (error) {
        reject(report, line, [error], maxRejections);
        continue;
      }
      const node = this.nodeOf(row);
      const before = planned.get(node) ?? node.stored;
      const after = {
        id: node.id,
        external_id: externalId,
        name: row.name ?? before?.name ?? '',
        parent_id: row.parent === undefined ? (before?.parent_id ?? null) : this.idOf(row.parent),
      };
      report[!before ? 'created' : isSame(before, after) ? 'unchanged' : 'updated']++;
      if (!before || !isSame(before, after)) onChange?.(() => this.change(row, before, after));
      planned.set(node, after);
    }
    const added: StoredCategory[] = [];
    const changed: StoredCategory[] = [];
    for (const [{ stored }, category] of planned) {
      if (!stored) added.push(category);
      else if (!isSame(stored, category)) changed.push(category);
      await this.pace.step();
    }
    return { report, added: await parentsFirst(added, this.pace), changed };
  }

  private change({ line, externalId }: CategoryRow, before: StoredCategory | undefined, after: StoredCategory) {
    const described = ({ name, parent_id }: StoredCategory) => {
      const parent = parent_id ? this.byId.get(parent_id) : undefined;
      return { name, externalId, parent: parent?.externalId ?? parent?.stored?.name ?? null };
    };
    const columns = { name: 'name', externalId: 'externalId', parentExternalId: 'parent' } as const;
    return changeOf(line, before && described(before), described(after), columns);
  }

  private add(id: string, externalId: string | null, stored: StoredCategory | undefined): Node {
    const node: Node = { id, externalId, stored, rowCount: 0, parentRows: [], state: 'new', shortcut: undefined };
    this.byId.set(id, node);
    if (externalId) this.byExternalId.set(externalId, node);
    return node;
  }

  private push(path: Node[], node: Node) {
    node.state = 'on path';
    path.push(node);
  }

  private nodeOf = (row: CategoryRow) => this.byExternalId.get(row.externalId) as Node;
  private idOf = (externalId: string) => this.byExternalId.get(externalId)?.id ?? null;
  private exists = (node: Node | undefined) => node !== undefined && (node.stored !== undefined || node.rowCount > 0);

  /** The row that determines the parent: the last one that is not rejected. */
  private parentRow({ parentRows }: Node): CategoryRow | undefined {
    let row = parentRows.at(-1);
    while (row && this.rejected.has(row)) {
      parentRows.pop();
      row = parentRows.at(-1);
    }
    return row;
  }

  private parentOf(node: Node): Node | undefined {
    const row = this.parentRow(node);
    if (row) return this.byExternalId.get(row.parent as string);
    return node.stored?.parent_id ? this.byId.get(node.stored.parent_id) : undefined;
  }

  /** Whether it keeps its stored parent because no row sets another one. This never changes back. */
  private isFixed(node: Node): boolean {
    if (!node.stored) return false;
    const row = this.parentRow(node);
    return !row || this.idOf(row.parent as string) === node.stored.parent_id;
  }

  /** The node, or its nearest ancestor, that does not keep its stored parent. Uses path compression. */
  private movableFrom(node: Node | undefined): Node | undefined {
    const passed: Node[] = [];
    let at: Node | null | undefined = node;
    while (at && this.isFixed(at)) {
      passed.push(at);
      const next: Node | null | undefined = at.shortcut === undefined ? this.parentOf(at) : at.shortcut;
      // If this node is reached again, the path is a cycle that was stored earlier: stop there.
      at.shortcut = null;
      at = next;
    }
    for (const each of passed) each.shortcut = at ?? null;
    return at ?? undefined;
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
      node.rowCount--;
      if (this.exists(node)) continue;
      for (const child of this.below.get(lost.externalId) ?? []) pending.push([child, rejectedParent(lost.externalId)]);
    }
  }

  private cycleError(start: Node): RowError {
    const names = [nameOf(start)];
    let at = this.parentOf(start);
    for (; at && at !== start && names.length < 4; at = this.parentOf(at)) names.push(nameOf(at));
    if (at !== start) names.push('…');
    const path = [...names, names[0]].join(' → ');
    return { column: 'parentExternalId', code: 'category_cycle', params: { path } };
  }
}

const nameOf = ({ externalId, stored }: Node) => excerpt(externalId ?? stored?.name ?? '');
const unknownParent = (parent: string): RowError => ({
  column: 'parentExternalId',
  code: 'unknown_category',
  params: { value: excerpt(parent) },
});
const rejectedParent = (parent: string): RowError => ({
  column: 'parentExternalId',
  code: 'rejected_category',
  params: { value: excerpt(parent) },
});

const isSame = (a: StoredCategory, b: StoredCategory) => a.name === b.name && a.parent_id === b.parent_id;

/** Topological order: parents first. */
async function parentsFirst(categories: readonly StoredCategory[], pace: Pace): Promise<StoredCategory[]> {
  const waiting = new Map(categories.map((category) => [category.id, category]));
  const placed: StoredCategory[] = [];
  for (const category of categories) {
    const branch: StoredCategory[] = [];
    let at: StoredCategory | undefined = waiting.get(category.id);
    for (; at; at = at.parent_id ? waiting.get(at.parent_id) : undefined) {
      waiting.delete(at.id);
      branch.push(at);
      await pace.step();
    }
    for (const each of branch.reverse()) placed.push(each);
  }
  return placed;
}
