import Type, { type Static } from 'typebox';
import { Body, OneOf, Text } from '../common.ts';

export const importKinds = ['products', 'categories', 'customers'] as const;
export type ImportKind = (typeof importKinds)[number];

/** A larger file is split, or imported on the command line: an upload has half a minute. */
export const MAX_IMPORT_BYTES = 20 * 1024 * 1024;
export const MAX_IMPORT_ROWS = 200_000;

export const ImportQuery = Body({
  preview: Type.Optional(OneOf(['true'], 'Only tells what would change.')),
  file: Type.Optional(Text(200, 'Name of the file, for the history.')),
});
export type ImportQuery = Static<typeof ImportQuery>;

/** A row that changes something. */
export interface ImportChange {
  line: number;
  outcome: 'created' | 'updated';
  name: string;
  /** By column: what was there (null for nothing) and what will be. */
  fields: Record<string, [before: string | number | boolean | null, after: string | number | boolean | null]>;
}

export interface ImportReport {
  created: number;
  updated: number;
  unchanged: number;
  /** The first of them. */
  rejected: { line: number; message: string }[];
  rejectedCount: number;
  /** The first of the rows that change something. */
  changes: ImportChange[];
}

/** One line of the answer to an import: how far it is (0 to 1), and at the end what came of it. */
export type ImportNews =
  | { progress: number }
  | { report: ImportReport }
  | { problem: { code: string; detail: string } };
