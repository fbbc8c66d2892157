/**
 * Snapshots of HEAD with the uncommitted files of the work tree: parses the files, patches them into the corpus of HEAD, and
 * keeps the result for the next query. Loaded only if something is uncommitted.
 */
import { SocraticodeError } from '../../base/errors.js';
import type { WorkTreeChanges } from '../../git/changes.js';
import { type FactsListener, type OverlayState, WorkTreeOverlay } from '../../overlay/overlay.js';
import type { Selection } from '../../overlay/scan.js';
import type { Corpus } from '../../search/corpus.js';
import { patchCorpus } from '../../search/corpus-patch.js';
import type { Session } from '../session.js';
import type { SnapshotPreparer } from '../snapshot/prepare.js';
import type { IndexedSnapshot, Snapshot, SnapshotOrigin } from '../snapshot/snapshot.js';
import type { IdleParsers } from '../speculation.js';
import { patchCoverage } from './coverage.js';

export interface PatchedSnapshot {
  /** Corpus of HEAD that the files were patched into. */
  base: Corpus;
  snapshot: Snapshot;
}

export class PatchedSnapshots {
  /** Name of the latest overlay state; '' before the first one, and while nothing is uncommitted. */
  key = '';
  private readonly overlay: WorkTreeOverlay;
  private selection: { key: string; value: Promise<Selection> } | null = null;
  private patched: { base: Corpus; key: string; snapshot: IndexedSnapshot } | null = null;
  /** Queue of one: the overlay is refreshed by one question at a time. */
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
    this.overlay = new WorkTreeOverlay({ ...repository, workTree }, shards.directory, undefined, session.unsaved);
  }

  /** Throws the errors of indexing and parsing, and UNBORN_HEAD if there is neither a commit nor a file. */
  patch(origin: SnapshotOrigin, changes: WorkTreeChanges, signal?: AbortSignal): Promise<PatchedSnapshot> {
    const turn = this.turn.catch(() => {}).then(() => this.refresh(origin, changes, signal));
    this.turn = turn;
    return turn;
  }

  /** Returns whether an earlier result still holds: its files have not changed and HEAD's corpus is the same object. */
  async isCurrent(origin: SnapshotOrigin, { base, snapshot }: PatchedSnapshot): Promise<boolean> {
    if (snapshot.state?.objects.moved.size) return false;
    return (await this.snapshots.prepare(withAttributes(origin, snapshot.attributes))).corpus === base;
  }

  /** Forgets all files: nothing is uncommitted any more. */
  clear(): void {
    this.overlay.clear();
    this.key = '';
  }

  save(): void {
    this.overlay.save();
  }

  private async refresh(
    origin: SnapshotOrigin,
    changes: WorkTreeChanges,
    signal?: AbortSignal,
  ): Promise<PatchedSnapshot> {
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
    if (origin.resolved.commit === null && state.files.length === 0)
      throw new SocraticodeError('UNBORN_HEAD', 'HEAD has no commit yet');
    const indexed = await this.patchIndex(base, { state, origin, selection });
    this.key = state.key;
    const { objects, dirty, known } = state;
    return {
      base: base.corpus,
      snapshot: { ...indexed, origin, objects, dirty, overlay: known, state, attributes },
    };
  }

  private async patchIndex(
    base: IndexedSnapshot,
    { state, origin, selection }: { state: OverlayState; origin: SnapshotOrigin; selection: Selection },
  ): Promise<IndexedSnapshot> {
    if (this.patched?.base === base.corpus && this.patched.key === state.key) return this.patched.snapshot;
    const { files, shards, replaced, attributesOf } = state;
    const removed = new Set(replaced.map(({ path }) => path));
    const corpus = patchCorpus(base.corpus, { removed, added: files, shards, attributesOf });
    const coverage = await patchCoverage(base, state, { tree: origin.resolved.tree, selection, session: this.session });
    const overlayShards = new Map(shards.map((shard) => [shard, this.overlay.directory]));
    const snapshot = { ...base, corpus, coverage, overlayShards };
    this.patched = { base: base.corpus, key: state.key, snapshot };
    return snapshot;
  }

  private selectionOf(origin: SnapshotOrigin): Promise<Selection> {
    const { key } = origin;
    if (this.selection?.key !== key) {
      this.selection = { key, value: this.session.selectionOf(origin).then(({ selection }) => selection) };
    }
    return this.selection.value;
  }
}

/** Attributes influence the ranking of files, so other attributes make another snapshot. */
function withAttributes(origin: SnapshotOrigin, attributes: NonNullable<SnapshotOrigin['attributes']>): SnapshotOrigin {
  if (attributes.length === 0) return origin;
  return { ...origin, attributes, key: JSON.stringify([origin.key, attributes]) };
}
