import {
  chmodSync,
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../../refusal.ts';

const FILE_MODE = 0o600;
const OTHERS = 0o007;
const COPY_BYTES = 1024 * 1024;

/** Directories that have to be made are for this user alone; one that exists keeps its mode. */
export const makePrivateDir = (dir: string) => mkdirSync(dir, { recursive: true, mode: 0o700 });

/**
 * Creates the database file for this user alone; SQLite gives the files beside it the same mode. An existing one that
 * everybody may read loses that right; rights of its group, which somebody may have given on purpose, stay.
 */
export function makeDatabasePrivate(file: string) {
  try {
    closeSync(openSync(file, 'a', FILE_MODE));
  } catch {
    // A read-only disk: SQLite reports it in its own words.
  }
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(one, { throwIfNoEntry: false })?.mode ?? 0;
    try {
      if (mode & OTHERS) chmodSync(one, mode & 0o7777 & ~OTHERS);
    } catch {
      // The file belongs to another user, who decides.
    }
  }
}

/**
 * Writes a file under a temporary name, readable by this user alone from its first byte, and gives it its name once it
 * is complete and on the disk. If anything fails, nothing is left.
 */
export function publishFile<Result>(file: string, write: (draft: string) => Result): Result {
  const draft = draftOf(file);
  removeDatabase(draft);
  const handle = openSync(draft, 'wx', FILE_MODE);
  // Another process that writes the same file replaces the draft by its own.
  const isOurs = (name: string) => statSync(name, { throwIfNoEntry: false })?.ino === fstatSync(handle).ino;
  try {
    const result = write(draft);
    fsyncSync(handle);
    if (!isOurs(draft)) throw new Refusal('name_taken', `Another process is writing ${file} too.`);
    renameSync(draft, file);
    syncDir(dirname(file));
    return result;
  } catch (error) {
    if (isOurs(draft)) removeDatabase(draft);
    if (isOurs(file)) rmSync(file);
    throw error;
  } finally {
    closeSync(handle);
  }
}

/** With its journal, which SQLite would otherwise apply to the next file of this name. */
function removeDatabase(file: string) {
  for (const suffix of ['-journal', '-wal', '-shm', '']) rmSync(file + suffix, { force: true });
}

export const draftOf = (file: string) => `${file}.part`;

/** Copies the content into an existing file, and not the mode, as `copyFileSync` would. */
export function copyContent(from: string, to: string) {
  const source = openSync(from, 'r');
  const target = openSync(to, 'r+');
  try {
    const buffer = Buffer.alloc(COPY_BYTES);
    for (let count = readSync(source, buffer); count > 0; count = readSync(source, buffer))
      for (let written = 0; written < count; ) written += writeSync(target, buffer, written, count - written);
  } finally {
    closeSync(source);
    closeSync(target);
  }
}

/** A new name survives a power failure only when its directory is on the disk too. */
export function syncDir(dir: string) {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
