import type pg from 'pg';
import { corkWrites, destroyStream } from './pg-internals.ts';

/** More gain nothing: the server works on one statement of each at a time, and there are as many readers as nodes. */
const LANES = 2;

interface SharedConnection {
  client: pg.Client;
  ready: Promise<unknown>;
  isOpen: boolean;
  /** To be called before each statement. */
  hold: () => void;
  waiting: number;
}

/**
 * The statements here have one good plan whatever their values. Left to choose, the server makes a new one at every
 * execution as soon as stores differ in size, which takes as long as the statement itself.
 */
const KEEP_PLANS = 'set plan_cache_mode = force_generic_plan';

/** So many of one round go one behind the other; more are shared out. */
const TOGETHER = 32;

/**
 * A few connections that quick statements share. Those of one round of the event loop go out in one write, and their
 * answers come back in one read. Slow statements have no place here: others wait behind them. Nor have statements
 * whose plan depends on their values.
 */
export function sharedConnections(open: () => pg.Client, setUp: (client: pg.Client) => void, limitMs: number) {
  const known: (SharedConnection | undefined)[] = Array(LANES).fill(undefined);
  let isClosed = false;
  /** Where the statements of this round go. */
  let chosen: SharedConnection | undefined;

  function laneAt(index: number): SharedConnection {
    const client = open();
    const hold = corkWrites(client, setImmediate);
    const ready = client.connect().then(() => {
      setUp(client);
      return client.query(limited({ text: KEEP_PLANS }));
    });
    const lane: SharedConnection = { client, ready, isOpen: false, hold, waiting: 0 };
    const drop = () => {
      if (known[index] === lane) known[index] = undefined;
      if (chosen === lane) chosen = undefined;
    };
    const fail = () => {
      drop();
      // Connected all the same where only the setting was refused.
      client.end().catch(() => {});
    };
    lane.ready.then(() => {
      lane.isOpen = true;
    }, fail);
    // What is under way on it fails by itself; the next statement opens another.
    client.on('error', drop);
    client.on('end', drop);
    known[index] = lane;
    return lane;
  }

  const limited = (config: pg.QueryConfig) => ({ ...config, query_timeout: limitMs });

  /** The driver's timer begins when a statement is sent; this one is for the time before. */
  async function inTime(ready: Promise<unknown>) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('timeout exceeded while connecting')), limitMs);
    });
    try {
      await Promise.race([ready, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One server process wakes up for all of a round: two, with half of it each, take longer where all cores are busy. */
  function laneNow(): SharedConnection {
    if (chosen && chosen.waiting < TOGETHER) return chosen;
    chosen = leastBusy();
    setImmediate(() => {
      chosen = undefined;
    });
    return chosen;
  }

  function leastBusy(): SharedConnection {
    let best: SharedConnection | undefined;
    for (let index = 0; index < LANES; index++) {
      const lane = known[index] ?? laneAt(index);
      if (!best || lane.waiting < best.waiting) best = lane;
    }
    return best as SharedConnection;
  }

  return {
    async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
      if (isClosed) throw new Error('the database is closed');
      const lane = laneNow();
      lane.waiting++;
      try {
        if (!lane.isOpen) await inTime(lane.ready);
        lane.hold();
        return await lane.client.query(limited(config));
      } finally {
        lane.waiting--;
      }
    },
    /** Replaces the connections that are open: those that are idle at once, the others when they are. */
    discard() {
      for (const [index, lane] of known.entries()) {
        if (!lane?.isOpen) continue;
        known[index] = undefined;
        if (lane.waiting) lane.client.end().catch(() => {});
        else destroyStream(lane.client);
      }
      chosen = undefined;
    },
    async close() {
      isClosed = true;
      const end = async ({ client }: SharedConnection) => {
        // A server that is gone never closes its side.
        const timer = setTimeout(destroyStream, limitMs, client);
        await client.end();
        clearTimeout(timer);
      };
      await Promise.all(known.map((lane) => lane && end(lane)));
    },
  };
}
