/** Reads every row and queries every index, so that damage anywhere in the files shows. */
import { SocraticodeError } from '../../internal.js';
import { storeFault } from './faults.js';
import type { Table } from './packages.js';
import { isWhole, type LancePlace, plainRows, type Row } from './rows.js';
import type { Tables } from './tables.js';

/** Words of the store with which the index is queried. */
const WORDS = 200;
const ASKED = 10;

/** Faults, each with the name of its table. */
export async function verifyTables(tables: Tables, { lance }: Pick<LancePlace, 'lance'>): Promise<string[]> {
  const faults: string[] = [];
  const check = async (name: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      faults.push(`${name}: ${storeFault(error).message}`);
    }
  };
  const words = new Set<string>();
  let vector: number[] | null = null;
  await check('unit', () =>
    readAll(tables.unit, (row) => {
      const { terms, vector: of } = row;
      if (words.size < WORDS) for (const word of String(terms).split(' ').slice(0, ASKED)) words.add(word);
      vector ??= [...(of as Iterable<number>)];
      return isWhole(row);
    }),
  );
  await check('record', () => readAll(tables.record, isWhole));
  await check('view', () => readAll(tables.view, () => true));
  await check('index of words', async () => {
    const query = new lance.MatchQuery([...words].join(' '), 'terms');
    if (words.size > 0) await tables.unit.query().fullTextSearch(query).select(['key']).limit(ASKED).toArray();
  });
  await check('index of vectors', async () => {
    if (vector !== null) await tables.unit.vectorSearch(vector).distanceType('cosine').limit(ASKED).toArray();
  });
  return faults;
}

/** Throws FLEET_STORE if a row is not as it was written. Damaged views are found by whoever opens them. */
async function readAll(table: Table, each: (row: Row) => boolean): Promise<void> {
  const columns = (await table.schema()).fields.map(({ name }) => name);
  let damaged = 0;
  for await (const batch of table.query()) {
    const rows: Row[] = [];
    plainRows(batch, columns, rows);
    for (const row of rows) if (!each(row)) damaged++;
  }
  if (damaged > 0) throw new SocraticodeError('FLEET_STORE', `rows that are not as they were written: ${damaged}`);
}
