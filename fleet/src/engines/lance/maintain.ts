/** Maintenance of the tables, by the process that holds the lease: collect, remove surplus rows, optimize, clean up. */
import { setTimeout as sleep } from 'node:timers/promises';
import { namedUnits } from '../../collect.js';
import type { MaintainReport, MaintainRequest } from '../../contract.js';
import { isSocraticodeError, log } from '../../internal.js';
import { despiteCollisions, isCollision } from './faults.js';
import { dropOldTables } from './generations.js';
import { plainRow, restoreLost } from './lost.js';
import type { Table } from './packages.js';
import { byKeys, deleteKeys, type LancePlace } from './rows.js';
import { indexed, indexWords, makeIndex } from './tables.js';

/** Rows without an index that queries may scan; each takes .14 ms of processor time of a query. */
const UNINDEXED_ROWS = 50;
/** Units from which vectors get an index: comparing fewer takes 10 ms. */
const VECTOR_INDEX_ROWS = 20_000;
/** Units deleted at a time. They are put back if a view names one meanwhile. */
const CHUNK = 500;
const GRACE_MS = 5_000;

/** `renew` renews the lease; false: another process has it, and continues this work. */
export async function maintainTables(
  place: LancePlace,
  request: MaintainRequest,
  renew: () => Promise<boolean>,
): Promise<MaintainReport> {
  const { unit, record, view } = place.tables;
  const orphans = await collect(place, request.orphansBefore);
  const duplicates = (await removeSurplus(unit)) + (await removeSurplus(record));
  const dead = `commit = '' AND "publishedAt" < ${Math.floor(request.orphansBefore)}`.replaceAll('"', '`');
  const tombstones = await view.countRows(dead);
  if (tombstones > 0) await despiteCollisions(() => view.delete(dead));
  const unindexed = (await unit.indexStats('terms_idx'))?.numUnindexedRows ?? 0;
  if (!(await renew())) return { orphans, duplicates, tombstones, optimized: false, freedBytes: 0 };
  const optimized = request.force === true || unindexed > UNINDEXED_ROWS;
  if (request.force) for (const table of [record, view]) await erase(table);
  const isUnitNew = request.force === true && (await erase(unit));
  if (optimized) await indexVectors(place, isUnitNew);
  // Makes the index of words anew: optimizing adds to it, and never removes words.
  if (request.force) await indexWords(place.lance, unit);
  if (request.force) await dropOldTables(place.db, place.agreement);
  const tables = optimized ? [unit, record, view] : [view];
  const freedBytes = (await renew()) ? await rewrite(tables, request) : 0;
  return { orphans, duplicates, tombstones, optimized, freedBytes };
}

/**
 * Rewrites tables, and then deletes the files of older versions. An old version may be in use, since it was the newest one
 * until now: LanceDB even panics in a writer whose base is deleted. So the work under way gets some time first. Returns the
 * freed bytes.
 */
async function rewrite(
  tables: readonly Table[],
  { force, versionsBefore, graceMs = GRACE_MS }: MaintainRequest,
): Promise<number> {
  for (const table of tables) await optimize(table, new Date(0));
  const before = force ? new Date() : new Date(Math.min(Date.now(), versionsBefore * 1_000));
  await sleep(graceMs);
  let freed = 0;
  for (const table of tables) freed += await optimize(table, before);
  return freed;
}

/** Removes old units that no view names; returns their number. */
async function collect(place: LancePlace, before: number): Promise<number> {
  const { record } = place.tables;
  let named: Set<string>;
  try {
    named = await namedIn(place);
  } catch (error) {
    if (!isSocraticodeError(error, 'FLEET_STORE')) throw error;
    log.print('warn', `${error.message}: units that no view names are kept until it is published again`);
    return 0;
  }
  const restored = await restoreLost(place, named);
  if (restored > 0) log.print('warn', `${restored} contents that views name were gone, and are there again`);
  const old = await record
    .query()
    .where(`\`addedAt\` < ${Math.floor(before)}`)
    .select(['key'])
    .toArray();
  const orphans = [...new Set<string>(old.map(({ key }) => key))].filter((key) => !named.has(key));
  for (let i = 0; i < orphans.length; i += CHUNK) await removeUnits(place, orphans.slice(i, i + CHUNK));
  return orphans.length;
}

async function namedIn({ tables: { view } }: LancePlace): Promise<Set<string>> {
  return namedUnits(await view.query().select(['commit', 'facts']).toArray());
}

/** Removes units, and puts one back if a publisher found it and published its view meanwhile. */
async function removeUnits(place: LancePlace, keys: readonly string[]): Promise<void> {
  const { unit, record, view } = place.tables;
  const version = await view.version();
  const rows = await rowsOf(place, keys);
  await deleteKeys([unit, record], keys);
  if ((await view.version()) === version) return;
  const named = await namedIn(place);
  await append(place, rows, (key) => named.has(key));
}

/**
 * Removes surplus rows; returns their number. Two publishers that send one unit at the same time leave two rows in each table;
 * one that was killed after its records leaves those alone, and the next one appends both. Rows are deleted by number, so that
 * a unit always has one: this process may be killed, too.
 */
async function removeSurplus(table: Table): Promise<number> {
  const rows = await surplusOf(table);
  for (let i = 0; i < rows.length; i += CHUNK) {
    const list = rows.slice(i, i + CHUNK).join(', ');
    await despiteCollisions(() => table.delete(`_rowid IN (${list})`));
  }
  return rows.length;
}

/** Numbers of rows whose key also stands in a row with a lower number. LanceDB never reuses numbers, so a rewritten row has a new one. */
async function surplusOf(table: Table): Promise<bigint[]> {
  const first = new Map<string, bigint>();
  const surplus: bigint[] = [];
  for await (const batch of table.query().select(['key']).withRowId()) {
    const keys = batch.getChild('key');
    const numbers = batch.getChild('_rowid');
    for (let i = 0; i < batch.numRows; i++) {
      const number: bigint = numbers?.get(i);
      const known = first.get(keys?.get(i));
      if (known === undefined || number < known) first.set(keys?.get(i), number);
      if (known !== undefined) surplus.push(number < known ? known : number);
    }
  }
  return surplus;
}

type Rows = Record<'unit' | 'record', Record<string, unknown>[]>;

async function rowsOf({ tables, schemas }: LancePlace, keys: readonly string[]): Promise<Rows> {
  const read = async (name: 'unit' | 'record') => {
    const columns = schemas[name].fields.map((field) => field.name);
    const rows = await byKeys(tables[name], keys, columns);
    return [...new Map(rows.map((row) => [row.key, plainRow(row)])).values()];
  };
  return { unit: await read('unit'), record: await read('record') };
}

async function append({ lance, schemas, tables }: LancePlace, rows: Rows, isWanted: (key: string) => boolean) {
  for (const name of ['record', 'unit'] as const) {
    const wanted = rows[name].filter(({ key }) => isWanted(key as string));
    if (wanted.length > 0) await tables[name].add(lance.makeArrowTable(wanted, { schema: schemas[name] }));
  }
}

async function indexVectors({ lance, tables: { unit } }: LancePlace, again: boolean): Promise<void> {
  if ((await unit.countRows()) < VECTOR_INDEX_ROWS) return;
  const config = lance.Index.ivfRq({ distanceType: 'cosine' });
  await (again ? makeIndex(unit, 'vector', config) : indexed(unit, { vector: config }));
}

/**
 * Removes deleted rows from the files. Optimizing leaves them in a file until a tenth of its rows is deleted, so a dropped
 * repository would stay on the disk. An update of all rows writes them anew (40,000 records: 2.2 CPU s). Returns whether it was
 * needed.
 */
async function erase(table: Table): Promise<boolean> {
  await optimize(table, new Date(0));
  const { numRows, fragmentStats } = await table.stats();
  const { numFragments, lengths } = fragmentStats;
  // Assumes one row more if the mean may be rounded.
  const written = numFragments * (lengths.mean + (numFragments > 1 ? 1 : 0));
  if (numRows === 0 || written <= numRows) return false;
  await despiteCollisions(() => table.update({ where: 'true', valuesSql: { family: 'family' } }));
  return true;
}

/** Optimizes a table and removes versions that are older than `before`. Returns the bytes that were freed. */
async function optimize(table: Table, before: Date): Promise<number> {
  try {
    const { prune } = await despiteCollisions(() => table.optimize({ cleanupOlderThan: before }));
    return prune.bytesRemoved;
  } catch (error) {
    // Publishers' commits came first each time: they go before maintenance.
    if (isCollision(error)) return 0;
    throw error;
  }
}
