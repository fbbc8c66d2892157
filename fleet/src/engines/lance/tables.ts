/**
 * Tables of a fleet in `<uri>/<profile>`. Their schemas are explicit: without one, JavaScript's numbers become floats, and
 * lists become lists of floats. The table `fleet` has a row for each small fact on which processes agree: the current
 * generation of the other tables, and their maintainer.
 */
import type { FleetProfile } from '../../contract.js';
import { SocraticodeError } from '../../internal.js';
import { REBUILD } from '../../sealed.js';
import { despiteCollisions } from './faults.js';
import type { Arrow, Connection, FtsOptions, Index, Lance, Schema, Table } from './packages.js';
import { ReadTables } from './reading.js';

/** Marks the column of a key: LanceDB then merges concurrent first rows of one key into one. */
const PRIMARY_KEY = 'lance-schema:unenforced-primary-key:position';

/** Tables of a generation. */
export type TableName = 'unit' | 'record' | 'view';
export type Schemas = Record<TableName | 'fleet', Schema>;

export function schemasOf(arrow: Arrow, { dimensions }: FleetProfile): Schemas {
  const { Binary, Bool, Field, FixedSizeList, Float16, Schema, Uint32, Utf8 } = arrow;
  const text = (name: string) => new Field(name, new Utf8(), false);
  const key = (name: string) => new Field(name, new Utf8(), false, new Map([[PRIMARY_KEY, '1']]));
  const bytes = (name: string) => new Field(name, new Binary(), false);
  const number = (name: string) => new Field(name, new Uint32(), false);
  const vector = new Field('vector', new FixedSizeList(dimensions, new Field('item', new Float16(), true)), false);
  return {
    unit: new Schema([text('key'), text('family'), text('terms'), vector, bytes('seal')]),
    record: new Schema([
      ...[text('key'), text('family'), text('oid'), bytes('payload'), bytes('text'), number('addedAt'), bytes('seal')],
    ]),
    view: new Schema([
      ...[key('key'), text('repo'), text('ref'), text('family'), text('commit'), text('previous'), text('tree')],
      ...[number('publishedAt'), number('covered'), number('total'), new Field('isDefault', new Bool(), false)],
      ...[bytes('facts'), bytes('stats'), bytes('links'), bytes('seal')],
    ]),
    fleet: new Schema([key('name'), text('value'), text('previous')]),
  };
}

/** Words as they are: they were cut and stemmed when the unit was made. */
const FTS: Partial<FtsOptions> = {
  ...{ baseTokenizer: 'whitespace', withPosition: false, lowercase: false, stem: false },
  ...{ removeStopWords: false, asciiFolding: false, maxTokenLength: 80 },
};

/** Indexes by their columns. */
type Indexes = Record<string, Index>;

/** Makes the index of words; replaces an existing one. */
export function indexWords({ Index }: Lance, table: Table): Promise<void> {
  return makeIndex(table, 'terms', Index.fts(FTS));
}

const hasIndexes = async (table: Table, indexes: Indexes): Promise<boolean> => {
  const known = await namesOf(table);
  return Object.keys(indexes).every((column) => known.has(indexOf(column)));
};

/** Makes the missing indexes. Two processes that open a new store both make them. */
export async function indexed(table: Table, indexes: Indexes): Promise<void> {
  const known = await namesOf(table);
  for (const [column, config] of Object.entries(indexes).filter(([column]) => !known.has(indexOf(column))))
    await despiteCollisions(async () => {
      if (!(await namesOf(table)).has(indexOf(column))) await table.createIndex(column, { config });
    });
}

/** Makes an index; replaces an existing one. */
export const makeIndex = (table: Table, column: string, config: Index): Promise<void> =>
  despiteCollisions(() => table.createIndex(column, { config }));

/** Most rows for which the index of words is read ahead: for 152,000 it takes 700 MB that LanceDB does not give back, and 1.5 CPU s. */
const WORDS_AHEAD = 30_000;

/** Reads the indexes of a table into LanceDB's cache, all at the same time: in a bucket, a question would wait for each part in turn. */
export async function warmIndexes(table: Table): Promise<void> {
  const [names, rows] = await Promise.all([namesOf(table), table.countRows()]);
  const isSmall = (name: string) => name !== indexOf('terms') || rows <= WORDS_AHEAD;
  await Promise.all([...names].filter(isSmall).map((name) => table.prewarmIndex(name)));
}

const indexOf = (column: string) => `${column}_idx`;

const namesOf = async (table: Table) => new Set((await table.listIndices()).map(({ name }) => name));

export interface Tables {
  generation: string;
  unit: Table;
  record: Table;
  view: Table;
  read: ReadTables;
}

/** A folder of tables: `db` checks for the newest version at each request, `reads` when it is told to. */
export interface LanceStore {
  lance: Lance;
  db: Connection;
  reads: Connection;
  schemas: Schemas;
}

/** Opens the tables of a generation; makes those that are missing, with their indexes. */
export async function openTables({ lance, db, reads, schemas }: LanceStore, generation: string): Promise<Tables> {
  const { Index } = lance;
  // An index object can be used once.
  const keys = () => ({ key: Index.btree(), family: Index.bitmap() });
  // A process that was killed here leaves tables without some index, which the next one makes.
  const open = async (name: TableName, indexes: Indexes = {}) => {
    const full = `${name}_${generation}`;
    const read = await openTable(reads, full, schemas[name]);
    const [table, isIndexed] = await Promise.all([db.openTable(full), hasIndexes(read, indexes)]);
    if (!isIndexed) await indexed(table, indexes);
    return { table, read, isIndexed };
  };
  const opened = Promise.all([
    open('unit', { ...keys(), terms: Index.fts(FTS) }),
    open('record', keys()),
    open('view'),
  ]);
  const [unit, record, view] = await opened;
  const read = new ReadTables({ unit: unit.read, record: record.read, view: view.read });
  if (!unit.isIndexed || !record.isIndexed) read.expire();
  return { generation, unit: unit.table, record: record.table, view: view.table, read };
}

/** Opens a table, or makes it. Throws FLEET_STORE for one with other columns. */
export async function openTable(db: Connection, name: string, schema: Schema): Promise<Table> {
  const table = await db
    .openTable(name)
    .catch(() => db.createEmptyTable(name, schema, { mode: 'create', existOk: true }));
  const found = describe(await table.schema());
  const wanted = describe(schema);
  if (found !== wanted)
    throw new SocraticodeError('FLEET_STORE', `the table ${name} has the columns ${found}, not ${wanted}`, {
      hint: REBUILD,
    });
  return table;
}

const describe = ({ fields }: Schema): string =>
  fields
    .map(({ name, type, metadata }) => `${name} ${type}${metadata.get(PRIMARY_KEY) === '1' ? ' key' : ''}`)
    .join(', ');
