import type { LimitParams } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import { ApiError } from '../api/client.ts';
import { en } from '../i18n/en.ts';
import { ru } from '../i18n/ru.ts';
import { translator } from '../i18n/translate.ts';
import { explain } from './explain.ts';

const until = new Date(2026, 10, 16, 14, 30).toISOString();
const limitReached = (params?: LimitParams) => new ApiError('limit_reached', 409, [], 0, params);

test.each([
  ['en', en, 'A store can have at most 10,000 categories.', /after Nov 16, 2026, 2:30\sPM\.$/],
  ['ru', ru, 'В магазине может быть не больше 10\u00a0000 категорий.', /после 16 нояб\. 2026\sг\., 14:30\.$/],
])('in %s a limit is explained with its parameters', (language, texts, categories, secrets) => {
  const t = translator(texts, language);
  expect(explain(limitReached({ limit: 'categories', max: 10_000 }), t)).toBe(categories);
  expect(explain(limitReached({ limit: 'replaced_secrets', max: 4, until }), t)).toMatch(secrets);
  expect(explain(limitReached(), t)).toBe(texts.errors.limit_reached);
});

test('an unknown error has a general text', () => {
  const t = translator(en, 'en');
  for (const error of [new ApiError('no_such_code'), new Error()]) expect(explain(error, t)).toBe(en.errors.unknown);
});
