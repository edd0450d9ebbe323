import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE } from '../../time/duration.ts';
import { applyOutcome, type DeliveryState, type EndpointState, type Outcome, type Rules } from './outcome.ts';

const rules: Rules = {
  retryDelays: [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR],
  disableFailures: 50,
  disableAfter: 24 * HOUR,
};
const fresh = (): DeliveryState => ({ status: 'pending', attempts: 0, nextAttemptAt: 0 });
const healthy: EndpointState = { isActive: true, failures: 0, failingSince: null };

test('seven failures: retried after 1 m, 5 m, 30 m, 2 h, 6 h, 12 h, then failed', () => {
  let delivery = fresh();
  let endpoint = healthy;
  const waits: (number | null)[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) {
    const at = delivery.nextAttemptAt as number;
    ({ delivery, endpoint } = applyOutcome(delivery, endpoint, { kind: 'failed', at }, rules));
    waits.push(delivery.nextAttemptAt === null ? null : delivery.nextAttemptAt - at);
  }
  expect(waits).toEqual([...rules.retryDelays, null]);
  expect(delivery).toEqual({ status: 'failed', attempts: 7, nextAttemptAt: null });
});

describe('disabling after failures', () => {
  const failing = (failures: number, failingSince: number) => ({ isActive: true, failures, failingSince });
  const after = (endpoint: EndpointState, at: number, kind: Outcome['kind'] = 'failed') =>
    applyOutcome(fresh(), endpoint, { kind, at }, rules);

  test.each([
    ['the 50th failure after more than a day', failing(49, 0), 24 * HOUR + 1, true],
    ['the 50th after exactly a day', failing(49, 0), 24 * HOUR, false],
    ['the 49th after two days', failing(48, 0), 48 * HOUR, false],
    ['the 500th within a day', failing(499, 0), 23 * HOUR, false],
    ['the 51st, the first after the day', failing(50, 0), 25 * HOUR, true],
  ])('%s', (_name, endpoint, at, isOff) => {
    const result = after(endpoint, at);
    expect(result.endpoint.isActive).toBe(!isOff);
    expect(result.notice).toBe(isOff ? 'disabled' : undefined);
    expect(result.delivery.status).toBe(isOff ? 'stopped' : 'pending');
  });

  test('a delivery without attempts left is failed, not stopped', () => {
    const last: DeliveryState = { status: 'pending', attempts: 6, nextAttemptAt: 0 };
    const result = applyOutcome(last, failing(49, 0), { kind: 'failed', at: 25 * HOUR }, rules);
    expect([result.notice, result.delivery.status]).toEqual(['disabled', 'failed']);
  });

  test('a failure on our side is retried and does not change the failure count and time', () => {
    const endpoint = failing(49, 0);
    const outcome = { kind: 'unsent', at: 25 * HOUR } as const;
    expect(applyOutcome(fresh(), endpoint, outcome, rules)).toEqual({
      delivery: { status: 'pending', attempts: 1, nextAttemptAt: 25 * HOUR + MINUTE },
      endpoint,
      notice: undefined,
    });
    const last: DeliveryState = { status: 'pending', attempts: 6, nextAttemptAt: 0 };
    expect(applyOutcome(last, endpoint, outcome, rules).delivery.status).toBe('failed');
  });

  test('a success resets both the count and the time', () => {
    expect(after(failing(49, 0), 25 * HOUR, 'delivered').endpoint).toEqual(healthy);
  });

  test('warnings are created at 10, 25 and 40 failures, if below the limit for disabling', () => {
    const warned = (disableFailures: number) => {
      const at: number[] = [];
      let endpoint = healthy;
      for (let count = 1; count < 60; count++) {
        const result = applyOutcome(fresh(), endpoint, { kind: 'failed', at: 0 }, { ...rules, disableFailures });
        if (result.notice === 'warning') at.push(count);
        endpoint = result.endpoint;
      }
      return at;
    };
    expect(warned(50)).toEqual([10, 25, 40]);
    expect(warned(25)).toEqual([10]);
  });
});

/** Attempts at one endpoint, with time between them. */
const history = fc.array(
  fc.record({
    wait: fc.integer({ min: 0, max: 3 * HOUR }),
    kind: fc.constantFrom<Outcome['kind'][]>('delivered', 'failed'),
  }),
  {
    maxLength: 200,
  },
);
const someRules = fc.record({
  retryDelays: fc.array(fc.integer({ min: 0, max: 12 * HOUR }), { maxLength: 8 }),
  disableFailures: fc.integer({ min: 1, max: 12 }),
  disableAfter: fc.integer({ min: 0, max: 10 * HOUR }),
});

describe('any history', () => {
  test('makes at most one attempt more than there are delays, and ends in a consistent final status', () => {
    fc.assert(
      fc.property(someRules, history, (given, steps) => {
        let delivery = fresh();
        let endpoint = healthy;
        let at = 0;
        for (const { wait, kind } of steps) {
          if (delivery.status !== 'pending') break;
          at = (delivery.nextAttemptAt as number) + wait;
          const before = delivery;
          ({ delivery, endpoint } = applyOutcome(delivery, endpoint, { kind, at }, given));
          expect(delivery.attempts).toBe(before.attempts + 1);
          expect(delivery.attempts).toBeLessThanOrEqual(given.retryDelays.length + 1);
          expect(delivery.nextAttemptAt === null).toBe(delivery.status !== 'pending');
          if (delivery.status === 'pending')
            expect(delivery.nextAttemptAt).toBe(at + (given.retryDelays[before.attempts] as number));
          if (delivery.status === 'delivered') expect(kind).toBe('delivered');
          if (delivery.status === 'failed') expect(delivery.attempts).toBe(given.retryDelays.length + 1);
          if (delivery.status === 'stopped') expect(endpoint.isActive).toBe(false);
        }
      }),
    );
  });

  test('disables an endpoint exactly when both limits of consecutive failures are exceeded', () => {
    fc.assert(
      fc.property(someRules, history, (given, steps) => {
        let endpoint = healthy;
        let at = 0;
        let run: number[] = [];
        for (const { wait, kind } of steps) {
          at += wait;
          const result = applyOutcome(fresh(), endpoint, { kind, at }, given);
          run = kind === 'delivered' ? [] : [...run, at];
          const isOff = run.length >= given.disableFailures && at - (run[0] ?? at) > given.disableAfter;
          expect(result.endpoint).toEqual({ isActive: !isOff, failures: run.length, failingSince: run[0] ?? null });
          expect(result.notice === 'disabled').toBe(isOff);
          endpoint = result.endpoint;
          if (isOff) break;
        }
        if (endpoint.isActive) return;
        // Attempts in flight when the endpoint is disabled do not change the endpoint.
        for (const kind of ['delivered', 'failed'] as const) {
          const late = applyOutcome({ ...fresh(), status: 'stopped' }, endpoint, { kind, at }, given);
          expect(late.endpoint).toEqual(endpoint);
          expect(late.notice).toBeUndefined();
          expect(late.delivery.nextAttemptAt).toBeNull();
          expect(late.delivery.status === 'delivered').toBe(kind === 'delivered');
        }
      }),
    );
  });
});
