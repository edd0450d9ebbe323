import { describe, expect, test } from 'vitest';
import { attempts } from './attempts.ts';
import { hashingQueue } from './hashing-queue.ts';

describe('failed attempts', () => {
  test('an attacker who invents names does not evict blocked records', () => {
    const counter = attempts(5);
    for (let failure = 0; failure < 5; failure++) counter.begin('guesser', 0);
    for (let name = 0; name < 25_000; name++) counter.begin(`made up ${name}`, 1);
    expect(() => counter.check('guesser', 1)).toThrow(/wait 5 s/);
    const remaining = Array.from({ length: 25_000 }, (_, name) => counter.failures(`made up ${name}`, 1));
    expect(remaining.filter(Boolean)).toHaveLength(20_000);
  });

  test('a success does not reset the failures of others', () => {
    const counter = attempts(2);
    for (let failure = 0; failure < 4; failure++) counter.begin('network', 0);
    counter.cancel('network');
    expect(counter.failures('network', 0)).toBe(3);
    counter.reset('network');
    expect(counter.failures('network', 0)).toBe(0);
  });
});

describe('password hashing', () => {
  /** A queue with jobs that the test completes. */
  function jobs() {
    const queue = hashingQueue();
    const started: { name: string; end(): void }[] = [];
    const run = (name: string, isPreferred = false, key = name, isGone = () => false) =>
      queue.run({ key, isPreferred, isGone }, () => new Promise<void>((end) => started.push({ name, end })));
    return { run, started };
  }

  test('unknown browsers run one at a time, in a short queue, and the rest are rejected immediately', async () => {
    const { run, started } = jobs();
    const admitted = [];
    let rejected = 0;
    for (let client = 0; client < 1000; client++)
      try {
        admitted.push(run(`client ${client}`));
      } catch (error) {
        expect(error).toMatchObject({ code: 'too_many_attempts', retryAfter: 2 });
        rejected++;
      }
    expect([started.length, admitted.length, rejected]).toEqual([1, 32, 968]);
    for (let ended = 0; ended < 32; ended++) {
      started[ended]?.end();
      await admitted[ended];
      expect(started.length).toBeLessThanOrEqual(ended + 2);
    }
    expect(started).toHaveLength(32);
  });

  test('known browsers run first, and one owner is limited to a share', async () => {
    const { run, started } = jobs();
    const [first] = Array.from({ length: 32 }, (_, client) => run(`client ${client}`));
    const known = run('known', true);
    run('known too', true, 'known');
    expect(() => run('known again', true, 'known')).toThrow(/Too many/);
    run('another owner', true);
    expect(started.map(({ name }) => name)).toEqual(['client 0', 'known']);
    started[1]?.end();
    await known;
    expect(started[2]?.name).toBe('known too');
    started[0]?.end();
    await first;
    expect(started[3]?.name).toBe('another owner');
    run('known again', true, 'known');
  });

  test('one network is limited to a share', () => {
    const { run } = jobs();
    for (let count = 0; count < 8; count++) run(`guess ${count}`, false, 'network');
    expect(() => run('guess 9', false, 'network')).toThrow(/Too many/);
    run('another', false, 'another network');
  });

  test('jobs of disconnected clients are dropped', async () => {
    const { run, started } = jobs();
    const first = run('first');
    let isGone = false;
    const gone = run('gone', false, 'gone', () => isGone);
    const last = run('last');
    isGone = true;
    started[0]?.end();
    await first;
    await expect(gone).rejects.toThrow(/Too many/);
    expect(started).toHaveLength(2);
    started[1]?.end();
    await last;
    expect(started.map(({ name }) => name)).toEqual(['first', 'last']);
  });
});
