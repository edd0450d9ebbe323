import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Exchange } from './exchange.ts';

const TIMEOUT_MS = 10_000;
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** The part of undici's controller that an exchange uses. */
function startExchange() {
  const abort = vi.fn();
  const controller = { abort } as unknown as Parameters<Exchange['onRequestStart']>[0];
  return { exchange: new Exchange(TIMEOUT_MS), controller, abort };
}

test('a response that trickles in is aborted when the timeout of the whole exchange has passed', async () => {
  const { exchange, controller, abort } = startExchange();
  vi.advanceTimersByTime(TIMEOUT_MS / 2);
  exchange.onRequestStart(controller);
  exchange.onResponseStart(controller, 200);
  for (let passed = TIMEOUT_MS / 2; passed < TIMEOUT_MS; passed += 20) {
    expect(abort).not.toHaveBeenCalled();
    exchange.onResponseData(controller, Buffer.from('x'));
    vi.advanceTimersByTime(20);
  }
  expect(abort).toHaveBeenCalledOnce();
  expect(await exchange.response).toEqual({
    responseStatus: 200,
    error: 'timeout',
    responseBody: 'x'.repeat(TIMEOUT_MS / 2 / 20),
    durationMs: TIMEOUT_MS,
  });
});

test('a request is not sent if the connection is established after the timeout', async () => {
  const { exchange, controller, abort } = startExchange();
  vi.advanceTimersByTime(TIMEOUT_MS);
  exchange.onRequestStart(controller);
  expect(abort).toHaveBeenCalledOnce();
  expect(await exchange.response).toMatchObject({ responseStatus: null, error: 'timeout', durationMs: TIMEOUT_MS });
});
