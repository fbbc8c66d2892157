/** Small facts that processes agree on by compare-and-swap: the current generation, and the maintainer's lease. */
import type { Lease } from '../../contract.js';
import { LEASE_SECONDS, mayTakeLease } from '../../lease.js';
import { despiteCollisions } from './faults.js';
import type { Lance, Schema, Table } from './packages.js';

/** Tries of a swap that collides with others. */
const SWAPS = 20;

interface SwapOptions {
  on: string;
  /** Condition on `target` and `source` under which the stored row is replaced. */
  where: string;
  /** Whether a row without a stored one is inserted. */
  inserts: boolean;
}

/** Replaces the rows whose stored ones are as expected, in one commit; returns their number. */
export async function swapRows(
  { lance, table, schema }: { lance: Lance; table: Table; schema: Schema },
  rows: Record<string, unknown>[],
  { on, where, inserts }: SwapOptions,
): Promise<number> {
  const data = lance.makeArrowTable(rows, { schema });
  return despiteCollisions(async () => {
    const merge = table.mergeInsert(on).whenMatchedUpdateAll({ where });
    const made = await (inserts ? merge.whenNotMatchedInsertAll() : merge).execute(data);
    return made.numInsertedRows + made.numUpdatedRows;
  }, SWAPS);
}

export class Agreement {
  constructor(private readonly place: { lance: Lance; table: Table; schema: Schema }) {}

  /** All facts by name, in one read of the store. */
  async facts(): Promise<Map<string, string>> {
    const rows = await this.place.table.query().select(['name', 'value']).toArray();
    return new Map(rows.map(({ name, value }) => [name, value]));
  }

  async read(name: string): Promise<string> {
    return (await this.facts()).get(name) ?? '';
  }

  async swap(name: string, value: string, previous: string): Promise<boolean> {
    const where = 'target.value = source.previous';
    const row = { name, value, previous };
    return (await swapRows(this.place, [row], { on: 'name', where, inserts: previous === '' })) > 0;
  }

  async lease(): Promise<Lease | null> {
    return readLease(await this.read('lease'));
  }

  /** Takes or renews the lease; false if another process has it. */
  async takeLease(holder: string, now: number): Promise<boolean> {
    const held = await this.read('lease');
    if (!mayTakeLease(readLease(held), holder, now)) return false;
    return this.swap('lease', `${now + LEASE_SECONDS} ${holder}`, held);
  }

  /** Returns a function that renews a lease taken at `now` once a third of it has passed; false if another process took it meanwhile. */
  renewal(holder: string, now: number): () => Promise<boolean> {
    const started = performance.now();
    let renewed = 0;
    return async () => {
      const passed = Math.floor((performance.now() - started) / 1_000);
      if (passed - renewed < LEASE_SECONDS / 3) return true;
      renewed = passed;
      return this.takeLease(holder, now + passed);
    };
  }
}

function readLease(text: string): Lease | null {
  const [, until, holder] = /^(\d+) (.*)$/s.exec(text) ?? [];
  return until === undefined ? null : { until: Number(until), holder };
}
