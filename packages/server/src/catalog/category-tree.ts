import { uuid } from '../db/uuid.ts';
import { shown } from '../imports/cells.ts';
import { type Change, changeOf, emptyReport, type Report } from '../imports/report.ts';
import type { StoredCategory } from './import.store.ts';

/** What a row says of a category. Undefined where the file leaves the column out; `parent` is '' for none. */
export interface Claim {
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
  /** What each row does, in the order of the file. */
  changes: Change[];
}

interface Node {
  id: string;
  externalId: string | null;
  stored: StoredCategory | undefined;
  /** What the file says of it and is not refused, in the order of the file. */
  claims: Claim[];
}

/**
 * Works out the tree that the store's categories and the rows of a file make together. It is the tree at the end
 * that counts: a child may stand before its parent, and two may change places. Refused are rows that name an unknown
 * parent, and rows by which a category would end up below itself; a refused row changes nothing at all.
 */
export function planTree(stored: readonly StoredCategory[], claims: readonly Claim[], now: number): TreePlan {
  const tree = new Tree(stored, claims, now);
  tree.refuseNameless();
  tree.refuseOrphans();
  tree.refuseCycles();
  return tree.plan();
}

class Tree {
  private readonly byId = new Map<string, Node>();
  private readonly byExternalId = new Map<string, Node>();
  /** Rows by the parent they name. */
  private readonly below = new Map<string, Claim[]>();
  private readonly refused = new Map<Claim, string>();
  /** Categories whose parent may lead round in a circle. */
  private readonly suspects: Node[] = [];

  constructor(
    stored: readonly StoredCategory[],
    private readonly claims: readonly Claim[],
    now: number,
  ) {
    for (const category of stored)
      this.add({ id: category.id, externalId: category.external_id, stored: category, claims: [] });
    for (const claim of claims) {
      const { externalId, parent } = claim;
      const known = this.byExternalId.get(externalId);
      if (known) known.claims.push(claim);
      else this.add({ id: uuid(now), externalId, stored: undefined, claims: [claim] });
      if (!parent) continue;
      const siblings = this.below.get(parent);
      if (siblings) siblings.push(claim);
      else this.below.set(parent, [claim]);
    }
  }

  refuseNameless() {
    for (const claim of this.claims) {
      const { stored, claims } = this.nodeOf(claim);
      if (!stored && claims[0] === claim && claim.name === undefined) this.refuse([claim], () => NAMELESS);
    }
  }

  refuseOrphans() {
    for (const claim of this.claims) if (claim.parent && !this.exists(claim.parent)) this.refuse([claim], orphan);
  }

  refuseCycles() {
    const harmless = new Set<Node>();
    for (const claim of this.claims) this.suspects.push(this.nodeOf(claim));
    for (let node = this.suspects.pop(); node; node = this.suspects.pop()) {
      const path = new Set<Node>();
      let at: Node | undefined = node;
      for (; at && !harmless.has(at) && !path.has(at); at = this.parentOf(at)) path.add(at);
      const cycle = at && path.has(at) ? [...path].slice([...path].indexOf(at)) : [];
      const guilty = cycle.flatMap((each) => this.movingClaim(each) ?? []);
      if (guilty.length) harmless.clear();
      else for (const each of path) harmless.add(each);
      this.refuse(guilty, (claim) => circular(cycle, this.nodeOf(claim)));
    }
  }

  plan(): TreePlan {
    const report = emptyReport();
    const changes: Change[] = [];
    const now = new Map<Node, StoredCategory>();
    for (const claim of this.claims) {
      const message = this.refused.get(claim);
      if (message !== undefined) {
        report.rejected.push({ line: claim.line, message });
        continue;
      }
      const node = this.nodeOf(claim);
      const before = now.get(node) ?? node.stored;
      const after = {
        id: node.id,
        external_id: claim.externalId,
        name: claim.name ?? before?.name ?? '',
        parent_id: claim.parent === undefined ? (before?.parent_id ?? null) : this.idOf(claim.parent),
      };
      report[!before ? 'created' : isSame(before, after) ? 'unchanged' : 'updated']++;
      if (!before || !isSame(before, after)) changes.push(this.told(claim, before, after));
      now.set(node, after);
    }
    const changed = [...now].filter(([{ stored }, category]) => stored && !isSame(stored, category));
    const added = [...now].filter(([{ stored }]) => !stored);
    return {
      report,
      added: parentsFirst(added.map(([, each]) => each)),
      changed: changed.map(([, each]) => each),
      changes,
    };
  }

  private told({ line, externalId }: Claim, before: StoredCategory | undefined, after: StoredCategory): Change {
    const inWords = ({ name, parent_id }: StoredCategory) => {
      const parent = parent_id ? this.byId.get(parent_id) : undefined;
      return { name, externalId, parent: parent?.externalId ?? parent?.stored?.name ?? null };
    };
    const columns = { name: 'name', externalId: 'externalId', parentExternalId: 'parent' } as const;
    return changeOf(line, before && inWords(before), inWords(after), columns);
  }

  private add(node: Node) {
    this.byId.set(node.id, node);
    if (node.externalId) this.byExternalId.set(node.externalId, node);
  }

  private nodeOf = (claim: Claim) => this.byExternalId.get(claim.externalId) as Node;
  private idOf = (externalId: string) => this.byExternalId.get(externalId)?.id ?? null;

  private exists(externalId: string) {
    const node = this.byExternalId.get(externalId);
    return node !== undefined && (node.stored !== undefined || node.claims.length > 0);
  }

  /** The row that has the last word on the parent. */
  private parentClaim = (node: Node) => node.claims.findLast((claim) => claim.parent !== undefined);

  private parentOf(node: Node): Node | undefined {
    const claim = this.parentClaim(node);
    if (claim) return this.byExternalId.get(claim.parent as string);
    return node.stored?.parent_id ? this.byId.get(node.stored.parent_id) : undefined;
  }

  /** The same row, where it says anything new. */
  private movingClaim(node: Node): Claim | undefined {
    const claim = this.parentClaim(node);
    return claim && this.idOf(claim.parent as string) !== node.stored?.parent_id ? claim : undefined;
  }

  /** Refuses rows, and then those that cannot stand without them. */
  private refuse(claims: readonly Claim[], why: (claim: Claim) => string) {
    const pending = claims.map((claim): [Claim, string] => [claim, why(claim)]);
    for (const [lost, reason] of pending) {
      if (this.refused.has(lost)) continue;
      this.refused.set(lost, reason);
      const node = this.nodeOf(lost);
      node.claims = node.claims.filter((other) => other !== lost);
      this.suspects.push(node);
      if (node.stored) continue;
      const [first] = node.claims;
      if (first && first.name === undefined) pending.push([first, NAMELESS]);
      if (!first) for (const child of this.below.get(lost.externalId) ?? []) pending.push([child, orphan(child)]);
    }
  }
}

const NAMELESS = 'is a new category and needs a name';
const orphan = ({ parent = '' }: Claim) => `parentExternalId names no category of this store: ${shown(parent)}`;

function circular(cycle: readonly Node[], start: Node) {
  const at = cycle.indexOf(start);
  const names = [...cycle.slice(at), ...cycle.slice(0, at)]
    .slice(0, 4)
    .map(({ externalId }) => shown(externalId ?? ''));
  const path = [...names, ...(cycle.length > 4 ? ['…'] : []), names[0]].join(' in ');
  return `parentExternalId would put the category below itself: ${path}`;
}

const isSame = (a: StoredCategory, b: StoredCategory) => a.name === b.name && a.parent_id === b.parent_id;

/** The order in which they can be inserted. */
function parentsFirst(categories: readonly StoredCategory[]): StoredCategory[] {
  const waiting = new Map(categories.map((category) => [category.id, category]));
  const placed: StoredCategory[] = [];
  for (const category of categories) {
    const branch: StoredCategory[] = [];
    let at: StoredCategory | undefined = waiting.get(category.id);
    for (; at; at = at.parent_id ? waiting.get(at.parent_id) : undefined) {
      waiting.delete(at.id);
      branch.push(at);
    }
    for (const each of branch.reverse()) placed.push(each);
  }
  return placed;
}
