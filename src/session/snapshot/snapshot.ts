/**
 * A snapshot on its way to an answer: the types of its steps, of which each adds what the next one needs, the last step
 * (`PatchedSnapshots`), and snapshots of all branches (`readAllRefs`).
 *
 * - `SnapshotOrigin`: which tree, under which settings (`Session.origin`).
 * - `SnapshotFiles`: the files that the settings select from that tree (`Session.files`).
 * - `IndexedSnapshot`: the searchable corpus of those files (`snapshot/corpora`).
 * - `Snapshot`: that corpus with the uncommitted changes of the work tree (`snapshot/overlay`).
 *
 * The graph of a snapshot is a `PreparedGraph` (`graph/graphs`).
 */
import { onePer } from '../../base/cache.js';
import { SocraticodeError } from '../../base/errors.js';
import type { Artifact } from '../../config/context-artifacts.js';
import type { Config, Resolved } from '../../config/settings.js';
import { type Branch, listBranches } from '../../git/branches.js';
import type { ObjectReader, ResolvedRef } from '../../git/objects.js';
import type { WorkTreeChanges } from '../../git/status.js';
import { type AttributesFile, type Catalog, languageOfPath } from '../../indexer/catalog.js';
import { type FactsListener, type OverlayState, type Selection, WorkTreeOverlay } from '../../overlay/overlay.js';
import type { SearchResult } from '../../search/collapse.js';
import type { Corpus } from '../../search/corpus.js';
import { patchCorpus } from '../../search/corpus-patch.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, lookUpUnit } from '../../shard/live-set.js';
import type { Session, SettingFile } from '../session.js';
import type { IdleParsers } from '../speculation.js';
import type { Corpora } from './corpora.js';
import { isSearchable } from './coverage.js';

export interface PatchedSnapshot {
  /** Corpus of HEAD that the files were patched into. */
  base: Corpus;
  snapshot: Snapshot;
}

/**
 * Patches the uncommitted files of the work tree into the corpus of HEAD. One overlay lives as long as this object, so that only files
 * that changed since the last question are parsed.
 */
export class PatchedSnapshots {
  /** Key of the latest overlay state; '' before the first one, and while nothing is uncommitted. */
  key = '';
  private readonly overlay: WorkTreeOverlay;
  private selection: { key: string; value: Promise<Selection> } | null = null;
  /** The latest result, for the corpus and the overlay state that it was made from. */
  private patched: { base: Corpus; key: string; snapshot: IndexedSnapshot } | null = null;
  /** Queue of one: the overlay is refreshed for one question at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly corpora: Corpora,
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

  /** Returns whether an earlier result still holds: its files have not changed, and HEAD's corpus is the same object. */
  async isCurrent(origin: SnapshotOrigin, { base, snapshot }: PatchedSnapshot): Promise<boolean> {
    if (snapshot.state?.objects.moved.size) return false;
    return (await this.corpora.of(withAttributes(origin, snapshot.attributes))).corpus === base;
  }

  /** Forgets all files when nothing is uncommitted any more. */
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
    const base = await this.corpora.of(withAttributes(origin, attributes), signal);
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

/** Subtracts the replaced files from a snapshot's coverage and adds the uncommitted ones. */
async function patchCoverage(
  { corpus, coverage }: IndexedSnapshot,
  { replaced, files, shards }: Pick<OverlayState, 'replaced' | 'files' | 'shards'>,
  { tree, selection, session }: { tree: string; selection: Selection; session: Session },
): Promise<{ covered: number; total: number }> {
  const committed = corpus.live.shards;
  let { covered, total } = coverage;
  const count = (file: CatalogFile, known: readonly LexicalShard[], step: number) => {
    const unit = lookUpUnit(known, file);
    if (unit === null) total += step;
    else if (isSearchable(unit, selection.maxFileBytes)) [covered, total] = [covered + step, total + step];
  };
  for (const { path, headOid, headType } of replaced) {
    // For a conflict, and while HEAD moves, `git status` does not report HEAD's object.
    const oid = headOid === undefined ? (await session.objects.info(`${tree}:${path}`))?.oid : headOid;
    if (!oid || headType === 'symlink' || headType === 'submodule') continue;
    const language = languageOfPath(path, selection.languages);
    count({ path, oid, language, generated: false, vendored: false }, committed, -1);
  }
  for (const file of files) count(file, [...shards, ...committed], 1);
  return { covered, total };
}

/** Everything that the files and settings of a snapshot depend on. */
export interface SnapshotOrigin {
  resolved: ResolvedRef;
  file: SettingFile | null;
  /** Text of `.socraticodeignore`. */
  ignore: string | null;
  /** Named files and folders that are searched together with the code. */
  artifacts?: readonly Artifact[];
  /** Reason why the file that names artifacts is unusable. Only questions about artifacts fail because of it. */
  artifactsFault?: string;
  /** Other trees with files of the snapshot. */
  trees?: readonly string[];
  /** `.gitattributes` files that differ from the tree's. */
  attributes?: readonly AttributesFile[];
  /** Commit of the notes with compilers' records, if there are some. Only graphs depend on it. */
  compiled?: string;
  /**
   * Words of the question that is asked. If thousands of files are not indexed, those with the words are read alone, and the answer is
   * partial.
   */
  words?: readonly string[];
  /** Equal for equal trees and settings: caches are keyed by it. */
  key: string;
}

/** Files of a snapshot with the configuration that selected them. */
export interface SnapshotFiles extends ResolvedRef, Resolved<Config> {
  catalog: Catalog;
}

/** Parts of an indexed snapshot that a cached view stores next to the corpus. */
export interface ViewNote {
  coverage: { covered: number; total: number };
  defaults: Config['search'];
}

export interface IndexedSnapshot extends ViewNote {
  corpus: Corpus;
  /**
   * Embedder and vector index. Never read from a cached view: the embedder's settings name the address that text is sent
   * to, and a view can arrive inside an archive.
   */
  settings: Pick<Config, 'embedder' | 'vectors'>;
  /** Unpublished shards, with the directory for the vectors of large ones; null for shards in memory. */
  overlayShards?: ReadonlyMap<LexicalShard, string | null>;
}

/** An indexed snapshot with the text of its files, and with uncommitted changes where the question includes them. */
export interface Snapshot extends IndexedSnapshot {
  /** Snapshot that was searched in the end: HEAD may have moved since the question began. */
  origin: SnapshotOrigin;
  objects: ObjectReader;
  /** Number of files in the work tree that differ from HEAD. */
  dirty: number;
  /** Number of those files that the snapshot holds as they are in the work tree. */
  overlay: number;
  /** Uncommitted files; null for a snapshot as committed. */
  state: OverlayState | null;
  /** `.gitattributes` files that differ from HEAD. */
  attributes: NonNullable<SnapshotOrigin['attributes']>;
}

export type DirtySnapshot = Snapshot & { state: OverlayState };

/** Limit on the distinct trees that are searched. Trees with newer commits come first. */
const MAX_TREES = 200;
/** Limit on the places of a result whose branches are looked up. */
const MAX_PLACES = 8;

export interface AllRefs {
  origin: SnapshotOrigin;
  /** Searched branches, the newest first. */
  branches: Branch[];
  leftOut: number;
}

/** Lists every local and remote-tracking branch, under the settings of HEAD, or of the newest branch if HEAD has no commit. */
export async function readAllRefs(session: Session): Promise<AllRefs> {
  const all = await listBranches(session.repository.git);
  const trees = new Set([...new Set(all.map(({ tree }) => tree))].slice(0, MAX_TREES));
  const branches = all.filter(({ tree }) => trees.has(tree));
  const head = await session.objects.info('HEAD^{commit}');
  const base = await session.origin(head === null ? branches[0]?.commit : undefined);
  trees.delete(base.resolved.tree);
  const others = [...trees].sort();
  const resolved = { ...base.resolved, ref: 'all branches', commit: null };
  const origin = { ...base, resolved, trees: others, key: JSON.stringify([base.key, others]) };
  return { origin, branches, leftOut: all.length - branches.length };
}

/** Adds to a result, and to its other places, the branches that contain it. */
export async function withRefs(result: SearchResult, all: AllRefs, objects: ObjectReader): Promise<SearchResult> {
  const others = (result.places ?? []).slice(0, MAX_PLACES);
  const places = await Promise.all(
    others.map(async (place) => ({ ...place, refs: (await branchesWith(place, all, objects)).refs })),
  );
  return { ...result, ...(await branchesWith(result, all, objects)), ...(places.length > 0 ? { places } : {}) };
}

/** Limit on the branches that are named for one place. */
const MAX_NAMED = 100;

/** Trees of the branches, and the names of those of some of the trees: many places are on the same, and a repository may have a million. */
const holdersOf = onePer(({ branches }: AllRefs) => ({
  trees: [...new Set(branches.map(({ tree }) => tree))],
  named: new Map<string, BranchNames>(),
}));

interface BranchNames {
  /** The newest first. */
  refs: string[];
  /** Number of further ones; absent if there are none. */
  refsLeftOut?: number;
}

/** Returns the names of the branches that have this blob at this path. */
export async function branchesWith(
  { path, blob }: { path: string; blob?: string },
  all: AllRefs,
  objects: ObjectReader,
): Promise<BranchNames> {
  const { trees, named } = holdersOf(all);
  const holds = await Promise.all(trees.map(async (tree) => (await objects.info(`${tree}:${path}`))?.oid === blob));
  const holders = new Set(trees.filter((_, i) => holds[i]));
  const key = [...holders].join();
  const found = named.get(key) ?? branchNames(all.branches.filter(({ tree }) => holders.has(tree)));
  named.set(key, found);
  return found;
}

function branchNames(branches: readonly Branch[]): BranchNames {
  const refs = branches.slice(0, MAX_NAMED).map(({ name }) => name);
  return { refs, ...(branches.length > MAX_NAMED && { refsLeftOut: branches.length - MAX_NAMED }) };
}
