import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { released } from '../migrate.ts';
import type { Engine } from './frozen.ts';

/** Hashes of the statements on SQLite and PostgreSQL. A new migration adds a line; no line ever changes. */
const hashes = {
  initial: ['fe2e637909184e52', '84bf7c6bd02afaf5'],
  'webhook-care': ['dbce8b69953cfc85', 'e253fb351c36611a'],
  history: ['7fb1a8b6f0e837a3', '420e816766ab95f4'],
  'stamped-documents': ['c752312984efc722', '1f429072e2123964'],
  'unfinished-changes': ['caf5c6ffab8c0dc0', '254d4fcd99879395'],
  'sales-days': ['ecaff2bd9d218a0d', '4af95f654b95bd9b'],
  'cheaper-deliveries': ['4f53cda18c2baa0c', '639e744183ae8c4b'],
  'queue-of-endpoint': ['8ebd4d39c4f5d78b', '8ebd4d39c4f5d78b'],
  'secret-keys': ['9b6607692ba05664', 'ac291c5603083ad5'],
  'nodes-and-repairs': ['4352c0c5c2f0ad6b', 'fba9a735cbb8e4cf'],
  'endpoint-switching': ['bb02ace78cccd2d2', '1dd148c6967c10df'],
  'phone-keys': ['ab5a745eccd84d8f', '117c45c8fb393dd3'],
  'attempt-error-codes': ['96e9da2a4ea13da5', '96e9da2a4ea13da5'],
  'idempotency-keys': ['16997a2e9532f72a', 'eeac7ceaef0a613c'],
  'order-search': ['317b86708192cf67', '7837f811202a9b24'],
  'order-views': ['e80020392daef9c9', '6c52a26796adffee'],
  'product-image': ['70e0cf6e8229d251', '70e0cf6e8229d251'],
  shops: ['5cc01c6b4d90141b', 'b5647c2624ae7b08'],
  members: ['1aec73630e97f2e1', '4ba09e940842413f'],
  'second-factor': ['a740004b9ca0b8bc', '0ba4c5c7432b07b7'],
  mail: ['8b51e7c827a54681', '0535b589a965ecca'],
  'request-log': ['ebd5dc237bee5856', '2590fdbdd23fd0ba'],
  'order-totals': ['1ce228d208a3e753', '1ce228d208a3e753'],
  'document-parts': ['aa2d437349022b47', 'aa2d437349022b47'],
  'fill-document-parts': ['6bab9cb0a9566d10', '5c12fb5cab37964c'],
};

const engines: Engine[] = ['sqlite', 'postgres'];

test('released migrations do not change', () => {
  const actual = released.map((migration) => [
    migration.name,
    engines.map((engine) => {
      const statements = 'batch' in migration ? migration.batch(engine) : migration.statements(engine);
      return createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 16);
    }),
  ]);
  expect(actual).toEqual(Object.entries(hashes));
});

test('migrations import only what is frozen with them', () => {
  const dir = new URL('.', import.meta.url);
  const files = readdirSync(dir).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(files).toHaveLength(released.length + 1);
  const imports = files.flatMap((name) =>
    [...readFileSync(new URL(name, dir), 'utf8').matchAll(/from '([^']+)'|import\(/g)].map((match) => match[1]),
  );
  expect([...new Set(imports)]).toEqual(['./frozen.ts']);
});
