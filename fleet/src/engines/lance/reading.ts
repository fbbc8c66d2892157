/**
 * Tables as questions read them. LanceDB's look for a newer version is a list of the bucket before each request, 25 ms and more, so
 * these tables stay at their version until there is a reason to look: this process wrote, the views moved, or some time passed.
 */
import type { Table } from './packages.js';
import type { TableName } from './tables.js';

/** Milliseconds after which a look begins beside the questions: less than the grace that maintenance gives to old files. */
const USUAL_MS = 4_000;
/** Milliseconds after which questions wait for the look: old files may be gone. */
const MOST_MS = 10_000;

export class ReadTables {
  private isStale = false;
  private lookedAt = performance.now();
  private looking: Promise<void> | null = null;

  constructor(private readonly tables: Record<TableName, Table>) {}

  /** The next question reads what was written until now. */
  expire(): void {
    this.isStale = true;
  }

  /** Contents and records, of one look. Throws what LanceDB throws. */
  async contents(): Promise<Record<'unit' | 'record', Table>> {
    const age = () => performance.now() - this.lookedAt;
    if (age() > MOST_MS) this.isStale = true;
    while (this.isStale) await this.look();
    // Its failure makes the next question look.
    if (age() > USUAL_MS) this.look().catch(() => {});
    return this.tables;
  }

  /** The newest views. */
  async views(): Promise<Table> {
    const { view } = this.tables;
    await view.checkoutLatest();
    return view;
  }

  /** Begins a look, or waits for the one under way: `isStale` tells whether another one is needed. */
  private look(): Promise<void> {
    this.looking ??= this.move().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async move(): Promise<void> {
    const { unit, record } = this.tables;
    this.isStale = false;
    this.lookedAt = performance.now();
    try {
      await Promise.all([unit.checkoutLatest(), record.checkoutLatest()]);
    } catch (error) {
      this.isStale = true;
      throw error;
    }
  }
}
