/**
 * Speculation: work that starts before it is known to be needed. `git status` takes as long as everything else about a
 * search (about 20 ms in small trees, 190 ms in a tree of 27,674 files), so while git compares the work tree with HEAD:
 *
 * - `expectsOverlay`: if an earlier process left uncommitted files, the code that reads them is loaded, and a parser starts if
 *   one of them was edited since. A parser takes longer to start than the rest of a search.
 * - `SpeculativeSearch`: the search runs over HEAD as committed. If nothing turns out to be uncommitted, its result is the
 *   answer. If changes are expected, only the vectors of HEAD are opened, since the overlay shares them.
 * - `whilePending`: the graph of HEAD is read from its file.
 * - `startParsers` and `IdleParsers`: a parser boots while the repository is opened, and stays for the next edit.
 *
 * A wrong guess costs processor time, never a wrong answer: the result is used only for the corpus that it was made from.
 *
 * Measured with one `search` process in the TypeORM repository, indexed, 15 runs each with the first three parts and without
 * them, on two cores that were busy with other work. An edited file: median 2.58 s instead of 3.06 s, fastest 2.01 s instead of
 * 2.26 s. Nothing uncommitted: fastest 1.17 s instead of 1.45 s; the medians (1.90 s and 1.78 s) show no gain, since speculation
 * needs an idle core.
 */
import { onePer } from '../base/cache.js';
import { SocraticodeError } from '../base/errors.js';
import { DEFAULT_LIMITS, ParserPool } from '../indexer/parser-pool.js';
import { hasOverlay, isOutdated, overlayDirectory } from '../overlay/state-file.js';
import type { Session } from './session.js';
import type { WorkTreeStatus } from './snapshot/overlay.js';
import type { IndexedSnapshot, Snapshot } from './snapshot/snapshot.js';

export type { ParserPool } from '../indexer/parser-pool.js';

/** Returns whether an earlier process left uncommitted files, and starts a parser if one of them was edited since. */
export function expectsOverlay({ repository, shards }: Session, parsers: IdleParsers): boolean {
  const directory = overlayDirectory(shards.directory, repository.gitDir);
  if (repository.workTree === null || !hasOverlay(directory)) return false;
  if (isOutdated(directory, repository.workTree)) parsers.warm();
  return true;
}

/** Runs `work` if git has not answered yet. */
export function whilePending({ isPending }: WorkTreeStatus, work: () => void): void {
  if (isPending) work();
}

interface SpeculationPlan<T> {
  /** True if uncommitted changes are expected, so that a search of the committed snapshot would be in vain. */
  expectsChanges: boolean;
  /** Opens parts of the committed snapshot that every search needs. Must not throw. */
  warm: (committed: IndexedSnapshot) => void;
  search: (committed: Snapshot) => Promise<T>;
}

/** A search over HEAD as committed, made while git compares the work tree with it. */
export class SpeculativeSearch<T> {
  private readonly outcome: Promise<{ committed: Snapshot; result: T } | null>;

  constructor(status: WorkTreeStatus, preparing: Promise<Snapshot>, plan: SpeculationPlan<T>) {
    // A failure is ignored: the search that is not speculative meets it again and reports it.
    this.outcome = this.run(status, preparing, plan).catch(() => null);
  }

  private async run(status: WorkTreeStatus, preparing: Promise<Snapshot>, plan: SpeculationPlan<T>) {
    const committed = await preparing;
    if (!status.isPending) return null;
    plan.warm(committed);
    return plan.expectsChanges ? null : { committed, result: await plan.search(committed) };
  }

  /** Returns the result if this snapshot was searched; else null. */
  async resultFor({ corpus, state }: Snapshot): Promise<T | null> {
    if (state !== null) return null;
    const outcome = await this.outcome;
    return outcome?.committed.corpus === corpus ? outcome.result : null;
  }
}

/** Starts one parser in advance: it boots while the repository is opened. The caller stops the pool. */
export function startParsers(children?: number): ParserPool {
  const pool = new ParserPool(DEFAULT_LIMITS, children);
  pool.warm();
  return pool;
}

/** Time after the last file until a long-lived process stops its parsers, in milliseconds. */
const IDLE_MS = 60_000;

/**
 * Parsers of a session, for every answer that has to parse a few files: uncommitted ones, those of the graph, old versions. A child takes
 * half a second of processor time to start, so one question must not start three. Closing the session stops them.
 */
export const parsersOf = onePer((session: Session): IdleParsers => {
  const parsers = new IdleParsers();
  session.onClose(() => parsers.end());
  return parsers;
});

/** A pool that starts with its first use and stops after a minute without use. */
export class IdleParsers {
  private pool: ParserPool | null = null;
  private idle: NodeJS.Timeout | null = null;
  private ended = false;

  /** `children`: highest number of parsers; default: as in any pool. */
  constructor(private readonly children?: number) {}

  warm(): void {
    this.get();
  }

  /** Throws CANCELLED after `end`, since nothing would stop the new parsers. */
  get(): ParserPool {
    if (this.ended) throw new SocraticodeError('CANCELLED', 'the repository was closed');
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
    this.pool ??= startParsers(this.children);
    return this.pool;
  }

  /** Starts the minute, when nothing is left to parse. */
  rest(): void {
    if (this.pool === null || this.idle !== null) return;
    this.idle = setTimeout(() => this.stopIfIdle(), IDLE_MS);
    this.idle.unref();
  }

  /** Stops the parsers for good. */
  end(): void {
    this.ended = true;
    this.stop();
  }

  /** Stops the parsers unless somebody who shares them waits for a file. */
  private stopIfIdle(): void {
    this.idle = null;
    if (this.pool?.isBusy) this.rest();
    else this.stop();
  }

  stop(): void {
    if (this.idle !== null) clearTimeout(this.idle);
    this.idle = null;
    this.pool?.stop();
    this.pool = null;
  }
}
