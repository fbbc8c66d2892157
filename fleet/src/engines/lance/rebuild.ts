/** Makes new tables beside those of a store, whatever their state, and switches to them. */
import type { FleetEngine, FleetProfile } from '../../contract.js';
import { isSocraticodeError, SocraticodeError } from '../../internal.js';
import { Agreement } from './agreement.js';
import { LanceEngine } from './engine.js';
import { storeFault } from './faults.js';
import { generationOf } from './generations.js';
import type { Table } from './packages.js';
import { type LanceStore, openTable, openTables } from './tables.js';

export interface Rebuild {
  /** The present store; null if its tables cannot be opened. */
  old: FleetEngine | null;
  /** The reason why they cannot be opened. */
  problem: string | null;
  next: FleetEngine;
  /** Makes the new tables the store. Throws FLEET_STORE if another process switched meanwhile. */
  switch(): Promise<void>;
}

/** Starts a rebuild; one that was killed continues in its tables. Throws FLEET_STORE if the store cannot be written. */
export async function startRebuild(base: LanceStore, profile: FleetProfile): Promise<Rebuild> {
  const { lance, db, schemas } = base;
  const agreement = new Agreement({ lance, table: await agreed(base), schema: schemas.fleet });
  const agreedOn = await agreement.read('current');
  const begun = await agreement.read('next');
  const numbers = (await db.tableNames()).flatMap((name) => generationOf(name) ?? []).map(Number);
  // If the agreement was damaged, the newest tables are the store.
  const newest = Math.max(0, ...numbers.filter((number) => String(number) !== begun));
  const current = agreedOn || (newest > 0 ? String(newest) : '');
  const generation = begun !== '' ? begun : String(Math.max(Number(current) || 0, ...numbers) + 1);
  if (begun === '') await agreement.swap('next', generation, '');
  const engineOf = async (number: string) =>
    new LanceEngine(profile, {
      ...base,
      agreement,
      tables: await openTables(base, number),
      fixed: true,
    });
  let problem: string | null = null;
  const old =
    current === ''
      ? null
      : await engineOf(current).catch((error: unknown) => {
          problem = storeFault(error).message;
          return null;
        });
  return {
    ...{ old, problem, next: await engineOf(generation) },
    async switch() {
      if (!(await agreement.swap('current', generation, agreedOn)))
        throw new SocraticodeError('FLEET_STORE', 'another process switched the store to other tables meanwhile');
      await agreement.swap('next', '', generation);
    },
  };
}

/** The table on which processes agree; a new one if it is damaged. */
async function agreed({ db, schemas }: LanceStore): Promise<Table> {
  try {
    const table = await openTable(db, 'fleet', schemas.fleet);
    await table.countRows();
    return table;
  } catch (error) {
    if (isSocraticodeError(error) && error.code !== 'FLEET_STORE') throw error;
    await db.dropTable('fleet');
    return openTable(db, 'fleet', schemas.fleet);
  }
}
