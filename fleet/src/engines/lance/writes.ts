/** Rows that a process adds, and views that it swaps in: simultaneous publications share one commit of a table. */
import type { RecordRow, UnitRow, ViewRow } from '../../contract.js';
import { viewKey } from '../../keys.js';
import { swapRows } from './agreement.js';
import { byKeys, half, type LancePlace, sealedRow } from './rows.js';
import type { Tables } from './tables.js';
import { Together } from './together.js';

/** Most publications of one commit: they are in memory until it is written. */
const MOST_TOGETHER = 16;

interface Appended {
  units: readonly UnitRow[];
  records: readonly RecordRow[];
}

/** Columns by which a stored view is recognized as the written one: another process may have swapped in its own. */
const OWN = ['commit', 'previous', 'tree', 'publishedAt'] as const;

export class Writes {
  private readonly appends: Together<Appended, null>;
  private readonly swaps: Together<ViewRow, boolean>;

  /** `writing` runs work over the current tables. */
  constructor(
    private readonly place: LancePlace,
    writing: <T>(work: (tables: Tables) => Promise<T>) => Promise<T>,
  ) {
    const isRoom = (items: readonly unknown[]) => items.length < MOST_TOGETHER;
    this.appends = new Together(
      (items: readonly Appended[]) => writing((tables) => this.appendAll(tables, items)),
      isRoom,
    );
    // A merge takes a key once, and either inserts rows or does not.
    const fits = (items: readonly ViewRow[], next: ViewRow) =>
      isRoom(items) && isFirst(items[0]) === isFirst(next) && !items.some((item) => keyOf(item) === keyOf(next));
    this.swaps = new Together((items) => writing((tables) => this.swapAll(tables, items)), fits);
  }

  async append(units: readonly UnitRow[], records: readonly RecordRow[]): Promise<void> {
    await this.appends.add({ units, records });
  }

  /** Returns whether the stored view was the expected one. */
  swap(row: ViewRow): Promise<boolean> {
    return this.swaps.add(row);
  }

  private async appendAll({ unit, record }: Tables, items: readonly Appended[]): Promise<null[]> {
    const { lance, schemas } = this.place;
    const records = firstOfEach(items.flatMap((item) => item.records));
    const units = firstOfEach(items.flatMap((item) => item.units));
    // Records first: a reader that finds a unit must find its record.
    if (records.length > 0)
      await record.add(
        lance.makeArrowTable(
          records.map((row) => sealedRow(withOwnBytes(row))),
          { schema: schemas.record },
        ),
      );
    const rows = units.map((row) => sealedRow({ ...row, vector: Array.from(row.vector, half) }));
    if (rows.length > 0) await unit.add(lance.makeArrowTable(rows, { schema: schemas.unit }));
    return items.map(() => null);
  }

  private async swapAll({ view }: Tables, items: readonly ViewRow[]): Promise<boolean[]> {
    const { lance, schemas } = this.place;
    const rows = items.map((item) => sealedRow({ key: keyOf(item), ...withOwnBytes(item) }));
    const where = 'target.commit = source.previous';
    const options = { on: 'key', where, inserts: isFirst(items[0]) };
    const written = await swapRows({ lance, table: view, schema: schemas.view }, rows, options);
    if (written === 0 || written === items.length) return items.map(() => written > 0);
    const stored = new Map((await byKeys(view, items.map(keyOf), ['key', ...OWN])).map((row) => [row.key, row]));
    return items.map((item) => OWN.every((name) => stored.get(keyOf(item))?.[name] === item[name]));
  }
}

const keyOf = ({ repo, ref }: ViewRow) => viewKey(repo, ref);
const isFirst = ({ previous }: ViewRow) => previous === '';

/** Drops repeated units: two publishers of a family may send one at the same time. */
function firstOfEach<T extends { key: string }>(rows: readonly T[]): T[] {
  const found = new Map<string, T>();
  for (const row of rows) if (!found.has(row.key)) found.set(row.key, row);
  return [...found.values()];
}

/** Byte columns must be Uint8Arrays: Arrow refuses Buffers of Node's pool. */
function withOwnBytes(row: object): Record<string, unknown> {
  const plain = (value: unknown) => (value instanceof Uint8Array ? new Uint8Array(value) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));
}
