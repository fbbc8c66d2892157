/**
 * Restores lost contents that a view names. A maintainer removes contents that no view names and puts back those that a
 * publisher has named meanwhile, but may be killed in between. Older versions of the tables still have them, since only
 * maintenance deletes those.
 */
import { log } from '../../internal.js';
import { byKeys, type LancePlace, type Row } from './rows.js';

/** Versions that are searched: removed contents were a day old, so the oldest version has them, unless it cannot be read. */
const VERSIONS = 8;

/** `named`: keys that views name. Returns the number of restored contents. */
export async function restoreLost(place: LancePlace, named: ReadonlySet<string>): Promise<number> {
  // Records first: a reader that finds a unit must find its record.
  const records = await restoreIn(place, 'record', named);
  return Math.max(records, await restoreIn(place, 'unit', named));
}

async function restoreIn(
  { db, lance, schemas, tables }: LancePlace,
  name: 'unit' | 'record',
  named: ReadonlySet<string>,
): Promise<number> {
  const gone = new Set(named);
  for await (const batch of tables[name].query().select(['key']))
    for (const key of batch.getChild('key') ?? []) gone.delete(key);
  if (gone.size === 0) return 0;
  const columns = schemas[name].fields.map((field) => field.name);
  const found = new Map<string, Row>();
  const old = await db.openTable(`${name}_${tables.generation}`);
  const versions = (await old.listVersions()).map(({ version }) => version).sort((a, b) => a - b);
  for (const version of versions.slice(0, VERSIONS)) {
    if (gone.size === 0) break;
    const rows = await old
      .checkout(version)
      .then(() => byKeys(old, [...gone], columns))
      .catch((error: Error) => {
        log.debug(`fleet: version ${version} of ${name} cannot be read: ${error.message}`);
        return [];
      });
    for (const row of rows) if (gone.delete(row.key)) found.set(row.key, plainRow(row));
  }
  if (found.size > 0) await tables[name].add(lance.makeArrowTable([...found.values()], { schema: schemas[name] }));
  return found.size;
}

/** Turns Arrow's vectors into lists of numbers, and gives bytes a buffer of their own. */
export function plainRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return typeof value === 'object' && value !== null && Symbol.iterator in value
    ? [...(value as Iterable<number>)]
    : value;
}
