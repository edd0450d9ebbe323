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
import { DomainError } from '../../domain-error.ts';

const FILE_MODE = 0o600;
const OTHERS = 0o007;
const COPY_BYTES = 1024 * 1024;

/** New directories are accessible to this user only; an existing one keeps its mode. */
export const makePrivateDir = (dir: string) => mkdirSync(dir, { recursive: true, mode: 0o700 });

/**
 * Creates the database file for this user only; SQLite gives its -wal and -shm files the same mode. Removes access for
 * others from an existing file, but not for its group, which may be intended.
 */
export function makeDatabasePrivate(file: string) {
  try {
    closeSync(openSync(file, 'a', FILE_MODE));
  } catch {
    // A read-only disk: SQLite reports it.
  }
  for (const one of [file, `${file}-wal`, `${file}-shm`]) {
    const mode = statSync(one, { throwIfNoEntry: false })?.mode ?? 0;
    try {
      if (mode & OTHERS) chmodSync(one, mode & 0o7777 & ~OTHERS);
    } catch {
      // The file belongs to another user.
    }
  }
}

/**
 * Writes a file under a temporary name, readable by this user only, and renames it when it is complete and synced. If
 * anything fails, no file is left.
 */
export function publishFile<Result>(file: string, write: (draft: string) => Result): Result {
  const draft = draftOf(file);
  removeDatabase(draft);
  const handle = openSync(draft, 'wx', FILE_MODE);
  // Another process that writes the same file replaces the draft with its own.
  const isOurs = (name: string) => statSync(name, { throwIfNoEntry: false })?.ino === fstatSync(handle).ino;
  try {
    const result = write(draft);
    fsyncSync(handle);
    if (!isOurs(draft)) throw new DomainError('name_taken', `Another process is also writing ${file}.`);
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

/** Also removes the journal, which SQLite would otherwise apply to the next file with this name. */
function removeDatabase(file: string) {
  for (const suffix of ['-journal', '-wal', '-shm', '']) rmSync(file + suffix, { force: true });
}

export const draftOf = (file: string) => `${file}.part`;

/** Copies the content into an existing file; `copyFileSync` would copy the mode too. */
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

/** A renamed file survives a power failure only if its directory is synced too. */
export function syncDir(dir: string) {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
