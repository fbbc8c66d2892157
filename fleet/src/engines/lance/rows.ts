/** Reads and deletes rows of tables by their keys, and seals whole rows. */
import { createHash } from 'node:crypto';
import type { Agreement } from './agreement.js';
import { despiteCollisions } from './faults.js';
import type { RecordBatch, Table } from './packages.js';
import type { LanceStore, Tables } from './tables.js';

/** Keys of one `IN (…)`; 1,000 take 9 ms. */
const KEYS_A_QUERY = 1_000;

export interface LancePlace extends LanceStore {
  agreement: Agreement;
  tables: Tables;
  /** True for tables that are used whatever the agreement says. */
  fixed?: boolean;
}

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

// biome-ignore lint/suspicious/noExplicitAny: rows of Arrow have the columns that were asked for.
export type Row = any;

export async function byKeys(table: Table, keys: readonly string[], columns: string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (let i = 0; i < keys.length; i += KEYS_A_QUERY) {
    const list = keys.slice(i, i + KEYS_A_QUERY).map(quoted);
    const query = table
      .query()
      .where(`key IN (${list.join(', ')})`)
      .select(columns);
    for await (const batch of query) plainRows(batch, columns, rows);
  }
  return rows;
}

/** A row with a checksum of its columns: LanceDB reads flipped bits of most of them as other values. */
export const sealedRow = (row: Row): Row => ({ ...row, seal: sealOf(row) });

/** Returns whether a row with all of its columns is as it was written. */
export const isWhole = (row: Row): boolean => Buffer.compare(row.seal, sealOf(row)) === 0;

const SEAL_BYTES = 8;

function sealOf({ seal: _, ...row }: Row): Uint8Array {
  const hash = createHash('sha256');
  for (const name of Object.keys(row).sort()) {
    const bytes = bytesOf(row[name]);
    hash.update(`${name} ${bytes.length}\n`).update(bytes);
  }
  return new Uint8Array(hash.digest().subarray(0, SEAL_BYTES));
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return typeof value === 'object' && value !== null
    ? new Uint8Array(Float32Array.from(value as Iterable<number>).buffer)
    : Buffer.from(String(value));
}

/** Adds the rows of a batch as plain objects: Arrow's own rows search the column by its name at each access. */
export function plainRows(batch: RecordBatch, columns: readonly string[], rows: Row[]): void {
  const vectors = columns.map((name) => batch.getChild(name));
  for (let i = 0; i < batch.numRows; i++)
    rows.push(Object.fromEntries(columns.map((name, column) => [name, vectors[column]?.get(i)])));
}

export async function deleteKeys(tables: readonly Table[], keys: readonly string[]): Promise<void> {
  for (let i = 0; i < keys.length; i += KEYS_A_QUERY) {
    const list = keys.slice(i, i + KEYS_A_QUERY).map(quoted);
    for (const table of tables) await despiteCollisions(() => table.delete(`key IN (${list.join(', ')})`));
  }
}

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);
/** The least number that 16 bits hold with all of their precision. */
const LEAST = 2 ** -14;

/**
 * The nearest number that a column of 16-bit floats holds exactly; 0 below 2^-14. Arrow's own conversion (18.1) makes NaN and
 * infinity of numbers below 2^-25, with which LanceDB refuses the row, and rounds half of those down that it should round up.
 */
export function half(value: number): number {
  if (Math.abs(value) < LEAST) return 0;
  single[0] = value;
  // Keeps ten bits of the fraction; of two equally near numbers, the even one.
  bits[0] = (bits[0] + 0xfff + ((bits[0] >>> 13) & 1)) & ~0x1fff;
  return single[0];
}
