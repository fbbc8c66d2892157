/**
 * Tables for reading. LanceDB would list the bucket for a newer version before each request, which takes 25 ms and more, so
 * these tables stay at their version until there is a reason to check: this process wrote, the views moved, or some time
 * passed.
 */
import type { Table } from './packages.js';
import type { TableName } from './tables.js';

/** Milliseconds after which a check runs beside the questions: less than the grace period of old files in maintenance. */
const REFRESH_MS = 4_000;
/** Milliseconds after which questions wait for the check: old files may be gone. */
const STALE_MS = 10_000;

export class ReadTables {
  private isStale = false;
  private lookedAt = performance.now();
  private looking: Promise<void> | null = null;

  constructor(private readonly tables: Record<TableName, Table>) {}

  /** Has the next question read everything that was written until now. */
  expire(): void {
    this.isStale = true;
  }

  /** Contents and records, of one version each. Throws LanceDB's errors. */
  async contents(): Promise<Record<'unit' | 'record', Table>> {
    const age = () => performance.now() - this.lookedAt;
    if (age() > STALE_MS) this.isStale = true;
    while (this.isStale) await this.look();
    // If it fails, the next question checks again.
    if (age() > REFRESH_MS) this.look().catch(() => {});
    return this.tables;
  }

  /** The newest views. */
  async views(): Promise<Table> {
    const { view } = this.tables;
    await view.checkoutLatest();
    return view;
  }

  /** Begins a check, or waits for the running one; `isStale` says whether another is needed. */
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
