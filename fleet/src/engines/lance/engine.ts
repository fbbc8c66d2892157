/** Engine over LanceDB: tables on a disk or in a bucket, read and written by many processes at the same time. */
import type {
  CandidateRequest,
  Candidates,
  FleetEngine,
  FleetProfile,
  FleetStatus,
  MaintainReport,
  MaintainRequest,
  RecordRow,
  Removal,
  TableStatus,
  UnitCandidate,
  UnitRow,
  ViewParts,
  ViewRequest,
  ViewRow,
  Views,
} from '../../contract.js';
import { SocraticodeError } from '../../internal.js';
import { type ComparedRow, compareRows } from './compare.js';
import { despiteCollisions, isFileGone, storeFault } from './faults.js';
import { maintainTables } from './maintain.js';
import type { Table } from './packages.js';
import type { ReadTables } from './reading.js';
import { byKeys, deleteKeys, isWhole, type LancePlace, quoted, type Row } from './rows.js';
import { openTables, type Tables, warmIndexes } from './tables.js';
import { verifyTables } from './verify.js';
import { Writes } from './writes.js';

/** Additional candidates, since a key may stand twice. */
const SPARE = 16;
/** Milliseconds between two checks which generation is the current one. */
const GENERATION_MS = 10_000;
/**
 * Partitions that a query compares, and vectors that it compares exactly, as a multiple of the wanted ones. Vectors are
 * compared here, since LanceDB would read the vectors first and then the keys, one round trip later.
 */
const PROBES = 128;
const REFINE = 4;
const MAX_TERM = 80;
/** Tries to read a store whose files are being deleted. */
const LOOKS = 5;

const VIEW_HEAD = [
  ...['repo', 'ref', 'family', 'commit', 'previous', 'tree', 'publishedAt', 'covered', 'total', 'isDefault'],
] as const;
const VIEW_COLUMNS = {
  heads: [...VIEW_HEAD],
  facts: [...VIEW_HEAD, 'facts'],
  stats: [...VIEW_HEAD, 'stats'],
  links: [...VIEW_HEAD, 'links'],
  all: ['key', ...VIEW_HEAD, 'facts', 'stats', 'links', 'seal'],
};

export class LanceEngine implements FleetEngine {
  private checkedAt = performance.now();
  private viewsAt = '';
  private readonly writes: Writes;

  constructor(
    readonly profile: FleetProfile,
    private readonly place: LancePlace,
  ) {
    this.writes = new Writes(place, (work) => this.writing(work));
  }

  append(units: readonly UnitRow[], records: readonly RecordRow[]): Promise<void> {
    const wrong = units.find(({ vector }) => vector.length !== this.profile.dimensions);
    if (wrong !== undefined)
      throw new SocraticodeError('INTERNAL', `unit ${wrong.key} has a vector of ${wrong.vector.length} numbers`);
    return this.writes.append(units, records);
  }

  async missing(keys: readonly string[]): Promise<string[]> {
    const found = await this.with(({ unit }) => byKeys(unit, keys, ['key']));
    const known = new Set(found.map(({ key }) => key));
    return keys.filter((key) => !known.has(key));
  }

  candidates({ terms, vector, families, count }: CandidateRequest): Promise<Candidates> {
    const where = families === null ? null : `family IN (${families.map(quoted).join(', ')})`;
    const usable = terms.filter((term) => term.length <= MAX_TERM && !/\s/.test(term) && term !== '');
    return this.reading(async ({ unit }) => {
      if (families?.length === 0) return { words: [], vectors: [] };
      const [words, vectors] = await Promise.all([
        usable.length === 0 ? [] : this.byWords(unit, { text: usable.join(' '), where, count }),
        vector === null ? [] : this.byVector(unit, { vector, where, count }),
      ]);
      return { words, vectors };
    });
  }

  private async byWords(
    table: Table,
    { text, where, count }: { text: string; where: string | null; count: number },
  ): Promise<UnitCandidate[]> {
    const query = table.query().fullTextSearch(new this.place.lance.MatchQuery(text, 'terms'));
    const rows = await (where === null ? query : query.where(where))
      .select(['key', 'family', '_score'])
      .limit(count + SPARE)
      .toArray();
    return firsts(rows, count, ({ _score }) => _score);
  }

  private async byVector(
    table: Table,
    { vector, where, count }: { vector: Float32Array; where: string | null; count: number },
  ): Promise<UnitCandidate[]> {
    if (vector.every((x) => x === 0)) return [];
    const query = table.vectorSearch(vector).distanceType('cosine').nprobes(PROBES);
    const found = (where === null ? query : query.where(where))
      .select(['key', 'family', 'vector', '_distance'])
      .limit(REFINE * (count + SPARE));
    const rows: ComparedRow[] = [];
    for await (const batch of found) compareRows(batch, vector, rows);
    rows.sort((a, b) => b.score - a.score);
    return firsts(rows, count, ({ score }) => score).filter(({ score }) => score > 0);
  }

  async records(keys: readonly string[]): Promise<Map<string, Omit<RecordRow, 'text'>>> {
    const columns = ['key', 'family', 'oid', 'payload', 'addedAt'];
    const rows = await this.reading(({ record }) => byKeys(record, keys, columns));
    return new Map(rows.map(({ key, family, oid, payload, addedAt }) => [key, { key, family, oid, payload, addedAt }]));
  }

  async payloads(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const rows = await this.reading(({ record }) => byKeys(record, keys, ['key', 'payload']));
    return new Map(rows.map(({ key, payload }) => [key, payload]));
  }

  async texts(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const rows = await this.reading(({ record }) => byKeys(record, keys, ['key', 'text']));
    return new Map(rows.map(({ key, text }) => [key, text]));
  }

  readViews({ parts, keys, repo, since }: ViewRequest): Promise<Views | null> {
    return this.with(async ({ read, generation }) => {
      const view = await read.views();
      const version = `${generation}.${await view.version()}`;
      if (version === since) return null;
      // A newer view may name contents that were written since they were last read.
      if (version !== this.viewsAt) read.expire();
      this.viewsAt = version;
      if (keys?.length === 0) return { version, views: [] };
      const wanted = [
        ...(keys === undefined ? [] : [`key IN (${keys.map(quoted).join(', ')})`]),
        ...(repo === undefined ? [] : [`repo = ${quoted(repo)}`]),
      ];
      const query = view.query().select(VIEW_COLUMNS[parts]);
      const rows = await (wanted.length === 0 ? query : query.where(wanted.join(' AND '))).toArray();
      const views = rows
        .map((row) => viewRow(row, parts))
        .sort((a, b) => compare(a.repo, b.repo) || compare(a.ref, b.ref));
      return { version, views };
    });
  }

  swapView(row: ViewRow): Promise<boolean> {
    return this.writes.swap(row);
  }

  remove(what: Removal): Promise<void> {
    return this.writing(async ({ unit, record, view }) => {
      if ('views' in what) return deleteKeys([view], what.views);
      // Units go first: a unit without a record would be found.
      if ('units' in what) return deleteKeys([unit, record], what.units);
      for (const table of [view, unit, record])
        await despiteCollisions(() => table.delete(`family = ${quoted(what.family)}`));
    });
  }

  warm(): Promise<void> {
    return this.reading(async ({ unit, record }) => {
      await Promise.all([unit, record].map(warmIndexes));
    });
  }

  maintain(request: MaintainRequest): Promise<MaintainReport | null> {
    return this.writing(async (tables) => {
      const { holder, now } = request;
      const renew = this.place.agreement.renewal(holder, now);
      if (!(await this.place.agreement.takeLease(holder, now))) return null;
      return maintainTables({ ...this.place, tables }, request, renew);
    });
  }

  status(): Promise<FleetStatus> {
    return this.with(async ({ unit, record, view }) => ({
      profile: this.profile.id,
      engine: 'lance',
      tables: {
        unit: await statusOf(unit, 'terms_idx'),
        record: await statusOf(record, 'key_idx'),
        view: await statusOf(view),
      },
      lease: await this.place.agreement.lease(),
    }));
  }

  verify(): Promise<string[]> {
    return this.with((tables) => verifyTables(tables, this.place));
  }

  async close(): Promise<void> {
    this.place.db.close();
    this.place.reads.close();
  }

  private reading<T>(work: (tables: Awaited<ReturnType<ReadTables['contents']>>) => Promise<T>): Promise<T> {
    return this.with(async ({ read }) => work(await read.contents()));
  }

  private writing<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    return this.with((tables) => work(tables).finally(() => tables.read.expire()));
  }

  /**
   * Runs `work` over the current tables; every fault of the store becomes FLEET_STORE. Maintenance may delete the files of the
   * version that is being read: the next try reads a newer one. All work may be repeated.
   */
  private async with<T>(work: (tables: Tables) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(await this.current());
      } catch (error) {
        if (attempt === LOOKS || !isFileGone(error)) throw storeFault(error);
        this.place.tables.read.expire();
        // A rebuild may have switched to other tables.
        this.checkedAt = Number.NEGATIVE_INFINITY;
      }
    }
  }

  private async current(): Promise<Tables> {
    const { place } = this;
    if (!place.fixed && performance.now() - this.checkedAt > GENERATION_MS) {
      this.checkedAt = performance.now();
      const generation = await place.agreement.read('current');
      if (generation !== place.tables.generation) place.tables = await openTables(place, generation);
    }
    return place.tables;
  }
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);

function firsts(rows: readonly Row[], count: number, score: (row: Row) => number): UnitCandidate[] {
  const found = new Map<string, UnitCandidate>();
  for (const row of rows)
    if (!found.has(row.key)) found.set(row.key, { key: row.key, family: row.family, score: score(row) });
  return [...found.values()].slice(0, count);
}

function viewRow(row: Row, parts: ViewParts): ViewRow {
  const columns: Row = Object.fromEntries(VIEW_COLUMNS[parts].map((name) => [name, row[name]]));
  const none = new Uint8Array(0);
  const noBytes = { facts: none, stats: none, links: none };
  // All of a view is read to open its bytes: without them, a row with a flipped bit anywhere counts as damaged.
  const { key: _, seal, ...view } = parts === 'all' && !isWhole(columns) ? { ...columns, ...noBytes } : columns;
  return { ...noBytes, ...view };
}

async function statusOf(table: Table, index?: string): Promise<TableStatus> {
  const { numRows, totalBytes } = await table.stats();
  const unindexed = index === undefined ? 0 : ((await table.indexStats(index))?.numUnindexedRows ?? numRows);
  return { rows: numRows, bytes: totalBytes, unindexed };
}
