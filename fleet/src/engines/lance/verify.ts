/** Reads every row and queries every index, so that damage anywhere in the files shows. */
import { storeFault } from './faults.js';
import type { Table } from './packages.js';
import type { LancePlace } from './rows.js';
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
    readAll(tables.unit, ({ terms, vector: of }) => {
      if (words.size < WORDS) for (const word of String(terms).split(' ').slice(0, ASKED)) words.add(word);
      vector ??= [...(of as Iterable<number>)];
    }),
  );
  await check('record', () => readAll(tables.record, () => {}));
  await check('view', () => readAll(tables.view, () => {}));
  await check('index of words', async () => {
    const query = new lance.MatchQuery([...words].join(' '), 'terms');
    if (words.size > 0) await tables.unit.query().fullTextSearch(query).select(['key']).limit(ASKED).toArray();
  });
  await check('index of vectors', async () => {
    if (vector !== null) await tables.unit.vectorSearch(vector).distanceType('cosine').limit(ASKED).toArray();
  });
  return faults;
}

async function readAll(table: Table, each: (row: Record<string, unknown>) => void): Promise<void> {
  for await (const batch of table.query()) for (const row of batch.toArray()) each(row);
}
