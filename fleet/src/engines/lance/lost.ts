/**
 * Brings back contents that a view names and that are gone: a maintainer takes contents away that no view names, puts back those that a
 * publisher has named meanwhile, and may be killed in between. Only maintenance deletes older versions of tables, so they still have them.
 */
import { log } from '../../internal.js';
import { byKeys, type LancePlace, type Row } from './rows.js';

/** Versions that are looked at: what was taken away was a day old, so the oldest one has it, unless it cannot be read. */
const VERSIONS = 8;

/** `named`: keys that views name. Returns the number of contents that are there again. */
export async function restoreLost(place: LancePlace, named: ReadonlySet<string>): Promise<number> {
  // Records first: whoever finds a unit finds its record.
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

/** Vectors of Arrow become lists of numbers; bytes get a buffer of their own. */
export function plainRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plainValue(value)]));
}

function plainValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value);
  return typeof value === 'object' && value !== null && Symbol.iterator in value
    ? [...(value as Iterable<number>)]
    : value;
}
