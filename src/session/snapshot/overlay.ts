/**
 * Snapshots of questions. That of what is checked out is the corpus of HEAD, patched with the files of the work tree that differ from it;
 * git compares the two meanwhile (`WorkTreeStatus`).
 */
import { onePer } from '../../base/cache.js';
import { phase } from '../../base/progress.js';
import type { WorkTreeChanges } from '../../git/status.js';
import type { FactsListener } from '../../overlay/overlay.js';
import type { SearchResult } from '../../search/collapse.js';
import type { Session } from '../session.js';
import { expectsOverlay, type IdleParsers, parsersOf } from '../speculation.js';
import { ChangeSource } from './change-source.js';
import { type Corpora, corporaOf } from './corpora.js';
import type { IndexedSnapshot, PatchedSnapshot, PatchedSnapshots, Snapshot, SnapshotOrigin } from './snapshot.js';
import { openTarget, type Target, type TargetOptions, type WorkTreeUse, workTreeUse } from './target.js';

/** A comparison of the work tree with HEAD that git may still be making. */
export interface WorkTreeStatus {
  use: WorkTreeUse;
  /** Null if the answer needs no comparison, or if there is no git or no work tree. */
  changes: Promise<WorkTreeChanges> | null;
  isPending: boolean;
}

/** The target of a question, with the comparison of the work tree that its answer needs. */
export interface OpenTarget extends Target {
  status: WorkTreeStatus;
}

export class Snapshots {
  private readonly source: ChangeSource;
  private readonly corpora: Corpora;
  /** Loaded once uncommitted files are found or expected, since most questions find none. */
  private patched: PatchedSnapshots | null = null;
  private loading: Promise<PatchedSnapshots> | null = null;
  private readonly parsers: IdleParsers;
  /** Snapshot of the last question with uncommitted files, and what it was made from. */
  private latest: (PatchedSnapshot & { changes: WorkTreeChanges; key: string }) | null = null;
  /** Uncommitted state at the last call of `hasChanged`. */
  private reported = '';
  /** Receives the facts of parsed files, so that the graph need not parse them again. */
  onFacts: FactsListener | null = null;

  /** `watches`: watch the work tree in a process that asks more than once. */
  constructor(
    private readonly session: Session,
    { watches = true }: { watches?: boolean } = {},
  ) {
    this.corpora = corporaOf(session);
    this.parsers = parsersOf(session);
    this.source = watches ? ChangeSource.of(session) : new ChangeSource(session, false);
    session.onClose(() => this.close());
  }

  /** Resolves the target of a question while git compares the work tree with HEAD. Throws BAD_ARGUMENT, UNKNOWN_REF and UNBORN_HEAD. */
  async open(options: TargetOptions): Promise<OpenTarget> {
    const status = this.startStatus(workTreeUse(options));
    return { ...(await openTarget(this.session, options)), status };
  }

  /** Starts comparing the work tree with HEAD; `of` awaits the result. */
  startStatus(use: WorkTreeUse): WorkTreeStatus {
    const { readChanges, repository } = this.session;
    const mayDiffer = use !== 'ignored' && readChanges !== null && repository.workTree !== null;
    const changes = mayDiffer ? phase('changes', () => this.source.read()) : null;
    const status: WorkTreeStatus = { use, changes, isPending: changes !== null };
    const settled = () => {
      status.isPending = false;
    };
    // Comes before anything that can throw: an unhandled rejection of git, when the session ends it, would end the process.
    changes?.then(settled, settled);
    if (use === 'included' && changes !== null) this.loadEarly();
    return status;
  }

  /** True if the previous question found uncommitted files, in this process or another: then some probably still are. */
  expectsChanges({ use }: WorkTreeStatus): boolean {
    return use === 'included' && this.loading !== null;
  }

  /** Returns a snapshot as committed. A question about the same one with uncommitted files shares the work. */
  asCommitted(origin: SnapshotOrigin, signal?: AbortSignal): Promise<Snapshot> {
    return this.corpora
      .of(origin, signal)
      .then((indexed) => asCommitted(origin, indexed, { objects: this.session.objects, dirty: 0 }));
  }

  /** Returns the snapshot of a target. Missing files are indexed first. */
  async of({ origin: requested, status }: OpenTarget, signal?: AbortSignal): Promise<Snapshot> {
    if (status.use !== 'included' || status.changes === null) return this.committed(requested, status, signal);
    // The corpus of HEAD is needed whatever git answers, so it is opened while git compares.
    const early = this.corpora.of(requested, signal);
    early.catch(() => {});
    const { origin, changes } = await this.source.settle(requested, await status.changes);
    // Only one index run at a time, so this waits for the early one. Its failure does not matter if HEAD has left its commit.
    await (origin === requested ? early : early.catch(() => {}));
    if (changes.list.length === 0 && origin.resolved.commit !== null) {
      (await this.loading)?.clear();
      this.latest = null;
      return this.committed(origin, { ...status, changes: Promise.resolve(changes) }, signal);
    }
    return phase('overlay', () => this.patch(origin, changes, signal));
  }

  /** True while a watcher reports changes, so that git need not be run. */
  get watches(): boolean {
    return this.source.watches;
  }

  /** Starts the watcher now instead of with the second question. Resolves when it runs, or cannot. */
  startWatching(): Promise<void> {
    return this.source.startWatching();
  }

  /** Returns whether the uncommitted state differs from that of the previous call. */
  hasChanged(): boolean {
    const key = this.patched?.key ?? '';
    const changed = key !== this.reported;
    this.reported = key;
    return changed;
  }

  /** Writes the uncommitted state for other processes. */
  save(): void {
    this.patched?.save();
  }

  private async patch(origin: SnapshotOrigin, changes: WorkTreeChanges, signal?: AbortSignal): Promise<Snapshot> {
    const patched = await this.load();
    const { latest } = this;
    // Git's answer is the object of last time, so no file has changed since.
    if (latest?.changes === changes && latest.key === origin.key && (await patched.isCurrent(origin, latest)))
      return latest.snapshot;
    const result = await patched.patch(origin, changes, signal);
    this.latest = { ...result, changes, key: origin.key };
    this.source.saveSoon(() => patched.save());
    return result.snapshot;
  }

  private async committed(origin: SnapshotOrigin, status: WorkTreeStatus, signal?: AbortSignal): Promise<Snapshot> {
    const [indexed, dirty] = await Promise.all([this.corpora.of(origin, signal), this.count(status)]);
    return asCommitted(origin, indexed, { objects: this.session.objects, dirty });
  }

  private async count({ use, changes }: WorkTreeStatus): Promise<number> {
    if (changes !== null) return (await changes).list.length;
    return use !== 'ignored' && this.session.readChanges === null ? this.session.countDirty() : 0;
  }

  private loadEarly(): void {
    if (this.loading === null && expectsOverlay(this.session, this.parsers)) this.load().catch(() => {});
  }

  private load(): Promise<PatchedSnapshots> {
    this.loading ??= import('./snapshot.js').then(({ PatchedSnapshots }) => {
      this.patched = new PatchedSnapshots(this.session, this.corpora, this.parsers, (unit, facts) =>
        this.onFacts?.(unit, facts),
      );
      return this.patched;
    });
    return this.loading;
  }

  private close(): void {
    this.source.close();
    this.patched?.save();
  }
}

/** The snapshots that all questions of a session share. */
export const snapshotsOf = onePer((session: Session) => new Snapshots(session));

function asCommitted(
  origin: SnapshotOrigin,
  indexed: IndexedSnapshot,
  rest: Pick<Snapshot, 'objects' | 'dirty'>,
): Snapshot {
  return { ...indexed, origin, ...rest, overlay: 0, state: null, attributes: [] };
}

/** Marks results from uncommitted files. If the text of one has changed, returns null, or leaves that result out with `leaveOut`. */
export function markUncommitted(
  results: SearchResult[],
  { state }: Snapshot,
  leaveOut: boolean,
): (SearchResult & { uncommitted?: true })[] | null {
  if (state === null) return results;
  const { moved } = state.objects;
  if (moved.size > 0 && !leaveOut) return null;
  const byPath = new Map(state.files.map((file) => [file.path, file]));
  return results.flatMap((result) => {
    const file = byPath.get(result.path);
    if (file === undefined) return [result];
    return moved.has(file.oid) ? [] : [{ ...result, uncommitted: true as const }];
  });
}
