import { expect, test } from 'vitest';
import { readConfig, variables } from './config.ts';

const read = (env: Record<string, string>) => readConfig({ SECRET_KEY: 'a secret key of these tests only', ...env });

test.each([
  ['DRAIN_TIME', '1d', '25h', 'at most 1d'],
  ['REQUEST_TIMEOUT', '1d', '25d', 'at most 1d'],
  ['WEBHOOK_TIMEOUT', '1d', '999999999y', 'at most 1d'],
  ['WEBHOOK_DISABLE_AFTER', '1y', '366d', 'at most 1y'],
  ['WEBHOOK_RETRY_DELAYS', '1m,365d', '1m,999999999y', 'at most 1y'],
  ['REQUEST_TIMEOUT', '1s', '0s', 'at least 1s'],
])('%s may be %s; %s is refused', (name, allowed, refused, reason) => {
  expect(read({ [name]: allowed })).toHaveProperty(name);
  expect(() => read({ [name]: refused })).toThrow(`${name} must be ${reason}, but is "${refused}"`);
});

test('no duration is longer than a timer can be, or than a date can hold', () => {
  const durations = Object.entries(variables).filter(([, variable]) => {
    const given = 'default' in variable ? variable.default : '';
    return /^\d+[smhdy](,|$)/.test(given);
  });
  expect(durations.length).toBeGreaterThanOrEqual(5);
  for (const [name] of durations) expect(() => read({ [name]: '100y' })).toThrow(/must be at most/);
});
