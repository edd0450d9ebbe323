import { DatabaseUnavailable } from '../database.ts';
import type { WritePlan } from '../write/plan.ts';
import type { AnyPlan, Outcome } from '../write/run-plans.ts';

/** Bounds how long the store's clock is locked, and how much is repeated when a group fails. */
const MAX_GROUP_SIZE = 32;

interface Waiting {
  plan: AnyPlan;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Runs plans in one transaction; rejects if nothing was committed. */
type RunGroup = (plans: readonly AnyPlan[]) => Promise<Outcome[]>;
type RunAlone = (plan: AnyPlan) => Promise<unknown>;

/**
 * Group commit: plans of one store that wait at the same time share one transaction, and so one lock of the store's
 * clock and one fsync. A plan that finds no group running starts at once; the next group is what has arrived meanwhile.
 * If the transaction of a group fails, each of its plans runs alone, so that only the faulty one fails.
 */
export function writeGroups(runGroup: RunGroup, runAlone: RunAlone) {
  /** The plans that wait, by store; a store is here while a group of it runs. */
  const stores = new Map<string, Waiting[]>();

  async function run(storeId: string, waiting: Waiting[]) {
    while (waiting.length) await runTogether(takeGroup(waiting));
    stores.delete(storeId);
  }

  async function runTogether(group: readonly Waiting[]) {
    const [first] = group as [Waiting];
    if (group.length === 1) return settle(first);
    let outcomes: Outcome[];
    try {
      outcomes = await runGroup(group.map(({ plan }) => plan));
    } catch (error) {
      if (error instanceof DatabaseUnavailable) for (const { reject } of group) reject(error);
      else for (const one of group) await settle(one);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if ('error' in outcome) reject(outcome.error);
      else resolve(outcome.result);
    }
  }

  const settle = ({ plan, resolve, reject }: Waiting) => runAlone(plan).then(resolve, reject);

  return <Result>(plan: WritePlan<never, Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      const one = { plan, resolve: resolve as Waiting['resolve'], reject };
      const waiting = stores.get(plan.storeId);
      if (waiting) {
        waiting.push(one);
        return;
      }
      const first = [one];
      stores.set(plan.storeId, first);
      void run(plan.storeId, first);
    });
}

/** Takes the first plan, and those after it that have no key in common. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  const taken = new Set<string>();
  const mayJoin = ({ plan: { keys } }: Waiting) =>
    !group.length ||
    (group.length < MAX_GROUP_SIZE &&
      group[0]?.plan.keys !== 'unknown' &&
      keys !== 'unknown' &&
      !keys.some((key) => taken.has(key)));
  const left = waiting.filter((one) => {
    if (!mayJoin(one)) return true;
    group.push(one);
    for (const key of one.plan.keys) taken.add(key);
    return false;
  });
  waiting.splice(0, waiting.length, ...left);
  return group;
}
