import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { engine } from '../../../test/database.ts';
import { readConfig, secretFile } from '../../config.ts';
import { migrate } from '../migrations/migrate.ts';
import { databaseFile, openDatabase } from '../open.ts';
import { backupTo, canRestoreInto, restoreFrom } from './backup.ts';
import { publishFile } from './private-files.ts';

const SECRET = 'a secret of the tests of 36 letters.';
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const newDir = () => mkdtempSync(join(tmpdir(), 'store-sales-backup-'));

/** An installation with a migrated, closed database. */
async function installation() {
  const dir = join(newDir(), 'data');
  const db = openDatabase({ dataDir: dir });
  await migrate(db);
  await db.close();
  return { dir, file: databaseFile(dir) };
}

async function backup() {
  const { dir, file } = await installation();
  const copy = join(newDir(), 'copy.db');
  backupTo(copy, file, SECRET);
  return { dir, file, copy };
}

describe.runIf(engine === 'sqlite')('files with secrets', () => {
  test('of a new installation are accessible to its user only', async () => {
    const dir = join(newDir(), 'a', 'data');
    readConfig({ DATA_DIR: dir });
    const db = openDatabase({ dataDir: dir });
    await migrate(db);
    for (const path of [dir, join(dir, '..')]) expect(modeOf(path)).toBe('700');
    const names = readdirSync(dir).sort();
    expect(names).toEqual(['secret.key', 'store-sales.db', 'store-sales.db-shm', 'store-sales.db-wal']);
    for (const name of names) expect([name, modeOf(join(dir, name))]).toEqual([name, '600']);
    await db.close();
  });

  test('lose access for others at the next start, but not for the group', async () => {
    const { dir, file } = await installation();
    chmodSync(file, 0o644);
    await openDatabase({ dataDir: dir }).close();
    expect(modeOf(file)).toBe('640');
  });

  test('a backup and its draft are accessible to its user only', async () => {
    const { copy } = await backup();
    expect(modeOf(copy)).toBe('600');
    expect(publishFile(join(newDir(), 'x'), (draft) => [draft.endsWith('/x.part'), modeOf(draft)])).toEqual([
      true,
      '600',
    ]);
    expect(readdirSync(join(copy, '..'))).toEqual(['copy.db']);
  });

  test('restored files are accessible to their user only, even from a world-readable backup', async () => {
    const { copy } = await backup();
    chmodSync(copy, 0o644);
    const dir = newDir();
    restoreFrom(copy, databaseFile(dir), secretFile(dir));
    expect(readdirSync(dir).sort()).toEqual(['secret.key', 'store-sales.db']);
    for (const name of readdirSync(dir)) expect(modeOf(join(dir, name))).toBe('600');
    expect(readFileSync(secretFile(dir), 'utf8').trim()).toBe(SECRET);
  });
});

describe.runIf(engine === 'sqlite')('a backup that fails', () => {
  test('after the copy leaves no files', () => {
    const dir = newDir();
    // A database without the table of orders: the copy succeeds, the next step does not.
    const source = new Sqlite(join(dir, 'other.db'));
    source.exec('create table other (id integer)');
    source.close();
    expect(() => backupTo(join(dir, 'copy.db'), join(dir, 'other.db'), SECRET)).toThrow(/no such table/);
    expect(readdirSync(dir)).toEqual(['other.db']);
  });

  test('before the copy leaves no files', () => {
    const dir = newDir();
    writeFileSync(join(dir, 'other.db'), 'not a database');
    expect(() => backupTo(join(dir, 'copy.db'), join(dir, 'other.db'), SECRET)).toThrow(/not a database/);
    expect(readdirSync(dir)).toEqual(['other.db']);
  });

  test('the draft of a killed backup is replaced, with its journal', async () => {
    const { file } = await installation();
    const dir = newDir();
    for (const name of ['copy.db.part', 'copy.db.part-journal']) writeFileSync(join(dir, name), 'incomplete');
    backupTo(join(dir, 'copy.db'), file, SECRET);
    expect(readdirSync(dir)).toEqual(['copy.db']);
  });
});

describe.runIf(engine === 'sqlite')('a restore', () => {
  test('that fails leaves an empty directory', () => {
    const dir = newDir();
    const file = join(newDir(), 'other.db');
    writeFileSync(file, 'not a database');
    expect(() => restoreFrom(file, databaseFile(dir), secretFile(dir))).toThrow(/not a Store Sales backup/);
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each([
    ['while copying', ['store-sales.db.part']],
    ['while writing the secret', ['store-sales.db.part', 'secret.key.part']],
    ['after writing the secret', ['store-sales.db.part', 'secret.key']],
  ])('that was killed %s can be started again, and the database cannot be opened until then', async (_name, left) => {
    const { copy } = await backup();
    const dir = newDir();
    for (const name of left) writeFileSync(join(dir, name), 'incomplete or complete');
    const target = [databaseFile(dir), secretFile(dir)] as const;
    expect(() => openDatabase({ dataDir: dir })).toThrow(/restore.*interrupted/);
    expect(existsSync(databaseFile(dir))).toBe(false);
    expect(canRestoreInto(dir, ...target)).toBe(true);
    restoreFrom(copy, ...target);
    expect(readdirSync(dir).sort()).toEqual(['secret.key', 'store-sales.db']);
    expect(readFileSync(secretFile(dir), 'utf8').trim()).toBe(SECRET);
  });

  test.each([['secret.key'], ['store-sales.db'], ['notes.txt']])('does not overwrite %s', (name) => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, name), 'of another installation');
    expect(canRestoreInto(dir, databaseFile(dir), secretFile(dir))).toBe(false);
  });
});
