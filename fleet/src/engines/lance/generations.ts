/** Generations of tables: a rebuild makes the next one beside the current one. */
import type { Agreement } from './agreement.js';
import type { Connection } from './packages.js';

/** Number of a table's generation; undefined for the agreement and for tables of others. */
export const generationOf = (name: string): string | undefined => /^(?:unit|record|view)_(\d+)$/.exec(name)?.[1];

/** Removes tables of generations that are neither the current one nor under construction. */
export async function dropOldTables(db: Connection, agreement: Agreement): Promise<void> {
  const inUse = new Set([await agreement.read('current'), await agreement.read('next')]);
  for (const name of await db.tableNames()) {
    const number = generationOf(name);
    if (number !== undefined && !inUse.has(number)) await db.dropTable(name);
  }
}
