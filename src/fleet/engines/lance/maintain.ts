/** Maintenance of the tables, by the process that holds the lease: collect, remove surplus rows, optimize, clean up. */
import { isSocraticodeError } from '../../../base/errors.js';
import { log } from '../../../base/log.js';
import { namedUnits } from '../../collect.js';
import type { MaintainReport, MaintainRequest } from '../../contract.js';
import { isCollision } from './agreement.js';
import type { Table } from './packages.js';
import { byKeys, deleteKeys, type LancePlace } from './rows.js';
import { indexWords } from './tables.js';

/** Rows that a query scans because no index has them; 200 cost some milliseconds. */
const UNINDEXED_ROWS = 200;
/** Units from which vectors get an index. Comparing fewer takes 10 ms. */
const VECTOR_INDEX_ROWS = 20_000;
/** Units deleted at a time, which are put back if a view names one meanwhile. */
const CHUNK = 500;
const OPTIMIZE_TRIES = 5;

export async function maintainTables(place: LancePlace, request: MaintainRequest): Promise<MaintainReport> {
  const { unit, record, view } = place.tables;
  const orphans = await collect(place, request.orphansBefore);
  const duplicates = await removeSurplus(place);
  const dead = `commit = '' AND "publishedAt" < ${Math.floor(request.orphansBefore)}`.replaceAll('"', '`');
  const tombstones = await view.countRows(dead);
  if (tombstones > 0) await view.delete(dead);
  const unindexed = (await unit.indexStats('terms_idx'))?.numUnindexedRows ?? 0;
  const optimized = request.force === true || unindexed > UNINDEXED_ROWS;
  if (optimized) await indexVectors(place);
  // Optimizing adds to the index of words, and never takes removed ones out.
  if (request.force) await indexWords(place.lance, unit);
  let freedBytes = 0;
  for (const table of optimized ? [unit, record, view] : [view])
    freedBytes += await optimize(table, request.force ? new Date() : new Date(request.versionsBefore * 1_000));
  return { orphans, duplicates, tombstones, optimized, freedBytes };
}

/** Removes units that are old and that no view names. Returns their number. */
async function collect(place: LancePlace, before: number): Promise<number> {
  const { record } = place.tables;
  let named: Set<string>;
  try {
    named = await namedIn(place);
  } catch (error) {
    if (!isSocraticodeError(error, 'FLEET_STORE')) throw error;
    log.tell('warn', `${error.message}: units that no view names are kept until it is published again`);
    return 0;
  }
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

/** A publisher may have found one of the units and published its view meanwhile: then the unit is put back. */
async function removeUnits(place: LancePlace, keys: readonly string[]): Promise<void> {
  const { unit, record, view } = place.tables;
  const version = await view.version();
  const rows = await rowsOf(place, keys);
  await deleteKeys([unit, record], keys);
  if ((await view.version()) === version) return;
  const named = await namedIn(place);
  await append(place, rows, (key) => named.has(key));
}

/** Two publishers that send one unit at the same time leave two rows. */
async function removeSurplus(place: LancePlace): Promise<number> {
  const { unit, record } = place.tables;
  const counts = new Map<string, number>();
  for await (const batch of unit.query().select(['key']))
    for (const { key } of batch.toArray()) counts.set(key, (counts.get(key) ?? 0) + 1);
  const twice = [...counts].filter(([, count]) => count > 1).map(([key]) => key);
  for (let i = 0; i < twice.length; i += CHUNK) {
    const keys = twice.slice(i, i + CHUNK);
    const rows = await rowsOf(place, keys);
    await deleteKeys([unit, record], keys);
    await append(place, rows, () => true);
  }
  return twice.reduce((sum, key) => sum + (counts.get(key) as number) - 1, 0);
}

type Rows = Record<'unit' | 'record', Record<string, unknown>[]>;

async function rowsOf({ tables, schemas }: LancePlace, keys: readonly string[]): Promise<Rows> {
  const read = async (name: 'unit' | 'record') => {
    const columns = schemas[name].fields.map((field) => field.name);
    const rows = await byKeys(tables[name], keys, columns);
    const plain = rows.map((row) => Object.fromEntries(columns.map((column) => [column, plainValue(row[column])])));
    return [...new Map(plain.map((row) => [row.key, row])).values()];
  };
  return { unit: await read('unit'), record: await read('record') };
}

/** Vectors of Arrow become lists of numbers; bytes get a buffer of their own. */
function plainValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return typeof value === 'object' && value !== null && Symbol.iterator in value
    ? [...(value as Iterable<number>)]
    : value;
}

async function append({ lance, schemas, tables }: LancePlace, rows: Rows, isWanted: (key: string) => boolean) {
  for (const name of ['record', 'unit'] as const) {
    const wanted = rows[name].filter(({ key }) => isWanted(key as string));
    if (wanted.length > 0) await tables[name].add(lance.makeArrowTable(wanted, { schema: schemas[name] }));
  }
}

async function indexVectors({ lance, tables: { unit } }: LancePlace): Promise<void> {
  const names = (await unit.listIndices()).map(({ name }) => name);
  if (names.includes('vector_idx') || (await unit.countRows()) < VECTOR_INDEX_ROWS) return;
  await unit.createIndex('vector', { config: lance.Index.ivfRq({ distanceType: 'cosine' }) });
}

/** Optimizes a table and removes versions that are older than `before`. Returns the bytes that were freed. */
async function optimize(table: Table, before: Date): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { prune } = await table.optimize({ cleanupOlderThan: before });
      return prune.bytesRemoved;
    } catch (error) {
      // A publisher's commit came first: that is what it is for.
      if (!isCollision(error)) throw error;
      if (attempt === OPTIMIZE_TRIES) return 0;
    }
  }
}
