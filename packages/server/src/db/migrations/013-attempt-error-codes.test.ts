import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { webhooksOf } from '../../../test/webhooks.ts';
import { migrate, released, versionOf } from '../migrate.ts';
import { sql } from '../sql.ts';
import { uuid } from '../uuid.ts';
import { attemptErrorCodes } from './013-attempt-error-codes.ts';

const service = await startService();
const hooks = webhooksOf(service);
const { db, clock } = service;

const expected: [before: string | null, after: string | null][] = [
  [null, null],
  ['address not allowed', 'address_not_allowed'],
  ['name not found', 'name_not_found'],
  ['name could not be looked up', 'dns_failed'],
  ['connection refused', 'connection_refused'],
  ['host not reachable', 'host_unreachable'],
  ['connection broken off', 'connection_closed'],
  ['certificate expired', 'certificate_expired'],
  ['certificate not yet valid', 'certificate_not_yet_valid'],
  ['certificate for another name', 'certificate_wrong_host'],
  ['certificate self-signed', 'certificate_self_signed'],
  ['certificate of an unknown authority', 'certificate_unknown_authority'],
  ['certificate not valid', 'certificate_invalid'],
  ['no secure connection', 'tls_failed'],
  ['answer is not HTTP', 'invalid_http'],
  ['timed out', 'timeout'],
  ['signing secret cannot be read', 'secret_unreadable'],
  ['could not be sent', 'failed'],
  ['answered 500', 'http_status'],
  ['answered 404', 'http_status'],
  ['redirected (301)', 'redirect'],
  ['another text', 'failed'],
  ['http_status', 'http_status'],
  ['timeout', 'timeout'],
];

test('stored texts become codes, and nothing else changes', async () => {
  const { id: endpointId, storeId } = await hooks.endpoint('https://93.184.216.34/');
  await hooks.record(storeId);
  const [delivery] = await hooks.log(endpointId);
  for (const [index, [error]] of expected.entries())
    await db.run(
      sql`insert into attempts (store_id, delivery_id, id, started_at, duration_ms, response_status, error, response_body)
          values (${storeId}, ${delivery?.id}, ${uuid(clock.now)}, ${index}, ${index}, 200, ${error}, 'body')`,
    );
  const version = released.indexOf(attemptErrorCodes) + 1;
  await db.run(sql`delete from schema_migrations where version >= ${version}`);
  const migrations = released.slice(0, version);
  expect(await migrate(db, { migrations, batchSize: 5 })).toEqual(['attempt-error-codes']);
  expect(await versionOf(db)).toBe(version);
  const rows = await db.all(
    sql`select duration_ms, response_status, error, response_body from attempts where store_id = ${storeId}
        order by started_at`,
  );
  expect(rows).toEqual(
    expected.map(([, error], index) => ({
      duration_ms: index,
      response_status: 200,
      error,
      response_body: 'body',
    })),
  );
});

test('a text that a node of an earlier version writes afterwards is shown as a failure', async () => {
  const { id: endpointId, storeId } = await hooks.endpoint('https://93.184.216.34/');
  await hooks.record(storeId);
  const [delivery] = await hooks.log(endpointId);
  await db.run(
    sql`insert into attempts (store_id, delivery_id, id, started_at, duration_ms, response_status, error)
        values (${storeId}, ${delivery?.id}, ${uuid(clock.now)}, 1, 1, 500, 'answered 500')`,
  );
  expect((await hooks.log(endpointId))[0]?.attempts).toMatchObject([{ error: 'failed', responseStatus: 500 }]);
});
