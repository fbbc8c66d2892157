/**
 * Answers about what is checked out know what is not committed yet: the corpus of HEAD, patched with the files of the
 * work tree that differ from it. Everything else about a search stays as it is.
 */
import type { WorkTreeChanges } from '../../git/changes.js';
import type { ObjectReader } from '../../git/objects.js';
import type { FactsListener, OverlayState } from '../../overlay/overlay.js';
import { hasOverlay, isOutdated, overlayDirectory } from '../../overlay/state-file.js';
import type { SearchResult } from '../../search/collapse.js';
import { IdleParsers } from '../indexing/parsers.js';
import type { ScopeOrigin, Session } from '../session.js';
import type { Prepared, SnapshotPreparer } from '../snapshot/prepare.js';
import { ChangeSource } from './overlay-changes.js';
import type { Included, IncludedFiles } from './overlay-included.js';

/** What an answer has to do with the work tree: know its files, say how many there are, or neither. */
export type WorkTreeUse = 'included' | 'counted' | 'ignored';

/** A snapshot to search, with or without what is not committed. */
export interface Searched {
  /** What was searched in the end: HEAD may have moved since it was asked for. */
  origin: ScopeOrigin;
  prepared: Prepared;
  objects: ObjectReader;
  /** Files of the work tree that differ from HEAD. */
  dirty: number;
  /** Those of them that are searched as they are now. */
  overlay: number;
  state: OverlayState | null;
  /** `.gitattributes` files that differ from HEAD. */
  attributes: NonNullable<ScopeOrigin['attributes']>;
}

export interface Look {
  use: WorkTreeUse;
  /** What can be done with the corpus of HEAD while git looks at the work tree; must not throw. */
  meanwhile?: (base: Prepared) => void;
  changes: Promise<WorkTreeChanges> | null;
  /** Is git still looking? */
  isPending: boolean;
}

export class Uncommitted {
  private readonly source: ChangeSource;
  private files: IncludedFiles | null = null;
  private loading: Promise<IncludedFiles> | null = null;
  private readonly parsers = new IdleParsers();
  private latest: (Included & { changes: WorkTreeChanges; key: string }) | null = null;
  private reported = '';
  /** Told what is parsed on the way, so that it need not be parsed again for something else. */
  onFacts: FactsListener | null = null;

  /** `watches`: look at the work tree by itself, in a process that stays. */
  constructor(
    private readonly session: Session,
    private readonly snapshots: SnapshotPreparer,
    { watches = true }: { watches?: boolean } = {},
  ) {
    this.source = new ChangeSource(session, watches);
    session.onClose(() => this.close());
  }

  /** Starts to look at the work tree, while other things are done. */
  look(use: WorkTreeUse, meanwhile?: Look['meanwhile']): Look {
    const { readChanges, repository } = this.session;
    const mayDiffer = use !== 'ignored' && readChanges !== null && repository.workTree !== null;
    const changes = mayDiffer ? this.source.read() : null;
    changes?.catch(() => {});
    if (use === 'included' && changes !== null) this.startEarly();
    const look: Look = { use, changes, meanwhile, isPending: changes !== null };
    const settled = () => {
      look.isPending = false;
    };
    changes?.then(settled, settled);
    return look;
  }

  /**
   * The snapshot as committed, while git still looks at the work tree: most often nothing will have changed, and then what
   * was found meanwhile is the answer. Null where it is known already, or something was uncommitted the last time.
   */
  async guess(origin: ScopeOrigin, look: Look, signal?: AbortSignal): Promise<Searched | null> {
    if (look.use === 'included' && this.loading !== null) return null;
    const prepared = await this.snapshots.prepare(origin, signal);
    return look.isPending ? searchedAs(origin, prepared, { objects: this.session.objects, dirty: 0 }) : null;
  }

  /** The snapshot of an origin, with the work tree's changes where they belong to the answer. */
  async prepare(origin: ScopeOrigin, look: Look, signal?: AbortSignal): Promise<Searched> {
    if (look.use !== 'included' || look.changes === null) return this.committed(origin, look, signal);
    // Needed whatever git answers: opened while it thinks.
    const early = this.snapshots.prepare(origin, signal);
    early.then(look.meanwhile, () => {});
    let changes = await look.changes;
    const asked = origin;
    if (changes.commit !== origin.resolved.commit) changes = await this.source.read(true);
    // Git may move HEAD between two questions: the snapshot is the one that git compared with.
    if (changes.commit !== origin.resolved.commit)
      origin = await this.session.origin(undefined, { head: changes.commit });
    // One index run at a time. That of a commit that HEAD has left may fail.
    await (origin === asked ? early : early.catch(() => {}));
    if (changes.list.length === 0 && origin.resolved.commit !== null) {
      // Only where something was remembered is anything loaded: the next process need not look.
      (await this.loading)?.clear();
      this.latest = null;
      return this.committed(origin, { ...look, changes: Promise.resolve(changes) }, signal);
    }
    return this.include(origin, changes, signal);
  }

  /** Does a watcher say when something stirs, so that git need not be asked? */
  get watches(): boolean {
    return this.source.watches;
  }

  /** Begins to watch now, not with the second question; resolves when it does, or cannot. */
  startWatching(): Promise<void> {
    return this.source.startWatching();
  }

  /** Is the state another one than when this was asked last? */
  hasChanged(): boolean {
    const key = this.files?.key ?? '';
    const changed = key !== this.reported;
    this.reported = key;
    return changed;
  }

  /** Keeps the state for other processes, now. */
  save(): void {
    this.files?.save();
  }

  private async include(origin: ScopeOrigin, changes: WorkTreeChanges, signal?: AbortSignal): Promise<Searched> {
    const files = await this.load();
    const { latest } = this;
    // The very same answer of git: nothing has stirred since.
    if (latest?.changes === changes && latest.key === origin.key && (await files.isCurrent(origin, latest)))
      return latest.searched;
    const included = await files.include(origin, changes, signal);
    this.latest = { ...included, changes, key: origin.key };
    this.source.saveSoon(() => files.save());
    return included.searched;
  }

  private async committed(origin: ScopeOrigin, look: Look, signal?: AbortSignal): Promise<Searched> {
    const [prepared, dirty] = await Promise.all([this.snapshots.prepare(origin, signal), this.count(look)]);
    return searchedAs(origin, prepared, { objects: this.session.objects, dirty });
  }

  private async count({ use, changes }: Look): Promise<number> {
    if (changes !== null) return (await changes).list.length;
    return use !== 'ignored' && this.session.readChanges === null ? this.session.countDirty() : 0;
  }

  /**
   * Where something was uncommitted at the last search, something probably is. A parser takes longer to start than all
   * else: for a file that is edited again, it starts before git has answered.
   */
  private startEarly(): void {
    if (this.loading !== null) return;
    const { repository, shards } = this.session;
    const directory = overlayDirectory(shards.directory, repository.gitDir);
    if (repository.workTree === null || !hasOverlay(directory)) return;
    if (isOutdated(directory, repository.workTree)) this.parsers.warm();
    this.load().catch(() => {});
  }

  private load(): Promise<IncludedFiles> {
    this.loading ??= import('./overlay-included.js').then(({ IncludedFiles }) => {
      this.files = new IncludedFiles(this.session, this.snapshots, this.parsers, (unit, facts) =>
        this.onFacts?.(unit, facts),
      );
      return this.files;
    });
    return this.loading;
  }

  private close(): void {
    this.source.close();
    this.parsers.stop();
    this.files?.save();
  }
}

/** A snapshot without anything uncommitted. */
function searchedAs(origin: ScopeOrigin, prepared: Prepared, rest: Pick<Searched, 'objects' | 'dirty'>): Searched {
  return { origin, prepared, ...rest, overlay: 0, state: null, attributes: [] };
}

/**
 * Results with those marked that come from uncommitted files. Null if some text was no longer there when it was to be
 * shown: then the search is to be repeated, or, with `leaveOut`, such results are left out.
 */
export function markUncommitted(
  results: SearchResult[],
  { state }: Searched,
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
