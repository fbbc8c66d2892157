/** The files of a work tree as part of a snapshot: parsed, patched into its corpus, and kept. Loaded only where there are any. */
import { SocraticodeError } from '../../base/errors.js';
import type { WorkTreeChanges } from '../../git/changes.js';
import { type FactsListener, type OverlayState, WorkTreeOverlay } from '../../overlay/overlay.js';
import type { Selection } from '../../overlay/scan.js';
import type { Corpus } from '../../search/corpus.js';
import { patchCorpus } from '../../search/corpus-patch.js';
import type { IdleParsers } from '../indexing/parsers.js';
import type { ScopeOrigin, Session } from '../session.js';
import type { Prepared, SnapshotPreparer } from '../snapshot/prepare.js';
import type { Searched } from './overlay.js';
import { patchCoverage } from './overlay-coverage.js';

export interface Included {
  /** The corpus that was patched. */
  base: Corpus;
  searched: Searched;
}

export class IncludedFiles {
  /** Names the state that was searched last; '' before the first one, and where nothing is uncommitted. */
  key = '';
  private readonly overlay: WorkTreeOverlay;
  private selection: { key: string; value: Promise<Selection> } | null = null;
  private patched: { base: Corpus; key: string; prepared: Prepared } | null = null;
  /** The overlay is brought up to date by one search at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly snapshots: SnapshotPreparer,
    private readonly parsers: IdleParsers,
    private readonly onFacts: FactsListener,
  ) {
    const { repository, shards } = session;
    const { workTree } = repository;
    if (workTree === null) throw new SocraticodeError('INTERNAL', 'a bare repository has no uncommitted files');
    this.overlay = new WorkTreeOverlay({ ...repository, workTree }, shards.directory);
  }

  /** Throws what indexing and parsing throw, and UNBORN_HEAD where there is neither a commit nor a file. */
  include(origin: ScopeOrigin, changes: WorkTreeChanges, signal?: AbortSignal): Promise<Included> {
    const turn = this.turn.catch(() => {}).then(() => this.refresh(origin, changes, signal));
    this.turn = turn;
    return turn;
  }

  /** Is what was found still to be had, from the same corpus? */
  async isCurrent(origin: ScopeOrigin, { base, searched }: Included): Promise<boolean> {
    if (searched.state?.objects.moved.size) return false;
    return (await this.snapshots.prepare(withAttributes(origin, searched.attributes))).corpus === base;
  }

  /** Nothing is uncommitted. */
  clear(): void {
    this.overlay.clear();
    this.key = '';
  }

  save(): void {
    this.overlay.save();
  }

  private async refresh(origin: ScopeOrigin, changes: WorkTreeChanges, signal?: AbortSignal): Promise<Included> {
    const { overlay, session } = this;
    const selection = await this.selectionOf(origin);
    if (overlay.hasNews(changes, selection)) this.parsers.warm();
    const attributes = overlay.changedAttributes(changes);
    const base = await this.snapshots.prepare(withAttributes(origin, attributes), signal);
    const state = await overlay.refresh(changes, {
      ...selection,
      committed: base.corpus.live.shards,
      objects: session.objects,
      parsers: () => this.parsers.get(),
      signal,
      onFacts: this.onFacts,
    });
    this.parsers.rest();
    if (isUnborn(origin) && state.files.length === 0)
      throw new SocraticodeError('UNBORN_HEAD', 'HEAD has no commit yet');
    const prepared = await this.patch(base, { state, origin, selection });
    this.key = state.key;
    const { objects, dirty, known } = state;
    return { base: base.corpus, searched: { origin, prepared, objects, dirty, overlay: known, state, attributes } };
  }

  private async patch(
    base: Prepared,
    { state, origin, selection }: { state: OverlayState; origin: ScopeOrigin; selection: Selection },
  ): Promise<Prepared> {
    if (this.patched?.base === base.corpus && this.patched.key === state.key) return this.patched.prepared;
    const { files, shards, replaced, attributesOf } = state;
    const removed = new Set(replaced.map(({ path }) => path));
    const corpus = patchCorpus(base.corpus, { removed, added: files, shards, attributesOf });
    const coverage = await patchCoverage(base, state, { tree: origin.resolved.tree, selection, session: this.session });
    const overlay = new Map(shards.map((shard) => [shard, this.overlay.directory]));
    const prepared = { ...base, corpus, extra: { ...base.extra, coverage }, overlay };
    this.patched = { base: base.corpus, key: state.key, prepared };
    return prepared;
  }

  private selectionOf(origin: ScopeOrigin): Promise<Selection> {
    const { key } = origin;
    if (this.selection?.key !== key) {
      this.selection = { key, value: this.session.selectionOf(origin).then(({ selection }) => selection) };
    }
    return this.selection.value;
  }
}

/** Is there no commit yet? Named trees have none either, but they are not looked at here. */
export function isUnborn({ resolved }: ScopeOrigin): boolean {
  return resolved.commit === null;
}

/** Attributes decide how files rank: a snapshot with other ones is another snapshot. */
function withAttributes(origin: ScopeOrigin, attributes: NonNullable<ScopeOrigin['attributes']>): ScopeOrigin {
  if (attributes.length === 0) return origin;
  return { ...origin, attributes, key: JSON.stringify([origin.key, attributes]) };
}
