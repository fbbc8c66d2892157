/**
 * Indexes a snapshot that differs from an indexed one by a few files: neither its other files nor their vectors are looked at. Everything
 * is as if it had been indexed whole, the cached view byte for byte. Where that is not certain, there is no step.
 */
import type { Config } from '../../config/settings.js';
import { createAttributes, type PathAttributes } from '../../git/attributes.js';
import type { TreeChange } from '../../git/diff.js';
import { findEntry, type TreeEntry } from '../../git/objects.js';
import { isPartialClone } from '../../git/repository.js';
import { languageOfPath, readAttributeFiles, skipReason } from '../../indexer/catalog.js';
import { PARSED_BY } from '../../indexer/parser-pool.js';
import { ensureStaticVectors } from '../../indexer/static-vectors.js';
import { syntaxStore } from '../../record/store.js';
import { NameUses, unitsOnlyIn } from '../../search/build-corpus.js';
import type { Corpus } from '../../search/corpus.js';
import { patchCorpus } from '../../search/corpus-patch.js';
import type { CompleteSnapshot, KnownVectors, Manifest, SnapshotAbout } from '../../shard/directory.js';
import { needsRecord, orderUtf8 } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, FileTable, findUnit, type LiveSet, liveSetOf, lookUpUnit } from '../../shard/live-set.js';
import { HNSW_MIN_ROWS } from '../../shard/nearest.js';
import { presentRows } from '../../shard/vector-shard.js';
import type { Session } from '../session.js';
import {
  countFile,
  coverageOf,
  hasAllFiles,
  languageOfFile,
  MOST_BARE,
  MOST_INCOMPLETE,
  snapshotState,
  type UnitCounts,
} from '../snapshot/coverage.js';
import type { SnapshotOrigin, ViewNote } from '../snapshot/snapshot.js';
import { localStateOf, readView, viewKey, writeView } from '../snapshot/view-cache.js';
import { USES } from '../state-kinds.js';
import { type VectorSource, vectorSource } from '../vectors/vector-source.js';
import { entryOf, hasVectorFiles, sharesVectors, stepBases, stepChanges } from './known-snapshot.js';

/** Indexed snapshots that are compared, the latest first: those of the branches that somebody switches between. */
const MAX_BASES = 3;
/** States of files without a record that another run leaves as they are; those of parses once they have failed twice. */
const LASTING: ReadonlySet<string> = new Set(['record-refused', 'record-too-large', 'parse-timeout', 'parse-crash']);

interface Base {
  /** Key of its view. */
  key: string;
  complete: CompleteSnapshot;
  corpus: Corpus;
  vectors: KnownVectors;
  changes: TreeChange[];
}

interface Changes {
  /** Files of the base that differ, and those of the snapshot. */
  before: CatalogFile[];
  after: CatalogFile[];
  /** Changes of the numbers of files that paths leave out, by reason. */
  skipped: Record<string, number>;
  attributesOf: (path: string) => PathAttributes;
}

/** Returns null unless the snapshot can be reached from an indexed one. The notes must have been brought up to date. */
export async function findStep(session: Session, origin: SnapshotOrigin): Promise<Step | null> {
  const { config } = await session.configOfOrigin(origin);
  const source = vectorSource(session, config);
  if (source.costly || sharesVectors(source, config) || isPartialClone(session.gitConfig)) return null;
  const manifest = session.shards.readManifest();
  const { notes, unreadable, failed, unrecorded = [] } = manifest;
  const isTriedAgain = failed !== undefined && (failed.by !== PARSED_BY || failed.once.length > 0);
  if (notes === null || unreadable.length > 0 || isTriedAgain || unrecorded.length > 0) return null;
  if (!(await syntaxStore(session.repository, session.objects, session.profile).holdsAllOf(notes))) return null;
  const base = await nearestBase(session, origin, { manifest, source });
  const changes = base && (await changesOf(session, origin, base));
  return base && changes && new Step(session, { origin, config, source, base, changes });
}

async function nearestBase(
  session: Session,
  origin: SnapshotOrigin,
  { manifest, source }: { manifest: Manifest; source: VectorSource },
): Promise<Base | null> {
  const shards = session.shards.openShards(manifest);
  const localState = localStateOf(
    shards.map(({ name }) => name),
    manifest.unreadable,
  );
  for (const { complete, key } of stepBases(manifest, origin).slice(0, MAX_BASES)) {
    const vectors = complete.vectors?.[source.profile];
    if (
      vectors === undefined ||
      complete.about === undefined ||
      !Object.keys(complete.degraded).every((state) => LASTING.has(state))
    )
      continue;
    if (!hasVectorFiles(session, { manifest, vectors, source })) continue;
    const changes = await stepChanges(session, complete.tree as string, origin.resolved.tree);
    if (changes === null) continue;
    const view = readView<ViewNote>(session.state, viewKey(key), { shards, localState });
    if (view !== null) return { key: viewKey(key), complete, corpus: view.corpus, vectors, changes };
  }
  return null;
}

async function changesOf(session: Session, origin: SnapshotOrigin, base: Base): Promise<Changes | null> {
  const { selection } = await session.selectionOf(origin);
  const { changes, corpus } = base;
  const attributesOf = await attributesAround(session, origin.resolved.tree, namesNearby(corpus, changes));
  const skipped: Changes['skipped'] = {};
  const filesOf = (side: (change: TreeChange) => [oid: string | null, type: TreeChange['newType']], step: number) =>
    changes.flatMap((change): CatalogFile[] => {
      const { path } = change;
      const [oid, type] = side(change);
      if (oid === null || type === null) return [];
      const reason = skipReason({ path, type }, selection);
      if (reason !== null) skipped[reason] = (skipped[reason] ?? 0) + step;
      const { generated, vendored } = attributesOf(path);
      const language = languageOfPath(path, selection.languages);
      return reason === null ? [{ path, oid, language, generated, vendored }] : [];
    });
  const before = filesOf(({ oldOid, oldType }) => [oldOid, oldType], -1);
  const after = filesOf(({ newOid, newType }) => [newOid, newType], 1);
  return { before, after, skipped, attributesOf };
}

/** Paths of the changes, and other paths of the same contents: one of these may become the first path of its text. */
function namesNearby({ live }: Corpus, changes: readonly TreeChange[]): Set<string> {
  const names = new Set(changes.map(({ path }) => path));
  for (const { oldOid, newOid } of changes)
    for (const oid of [oldOid, newOid])
      for (const path of oid === null ? [] : (pathsOf(live, oid) ?? [])) names.add(path);
  return names;
}

/** All paths of a content among the files of a live set, in any language; null for a content without documents. */
function pathsOf({ shards, bases, fileOf, files }: LiveSet, oid: string): string[] | null {
  const paths: string[] = [];
  for (const [index, shard] of shards.entries()) {
    const first = shard.findAnyUnit(oid);
    for (let unit = first; unit >= 0 && unit < shard.meta.units && shard.unitOid(unit) === oid; unit++) {
      if (shard.unitDocuments[unit] === 0) return null;
      const file = fileOf[bases[index] + shard.unitFirst[unit]];
      if (file >= 0) paths.push(...files.paths(file));
    }
  }
  return paths;
}

/** Attributes of these paths: only the files above them are read. */
async function attributesAround({ objects }: Session, tree: string, paths: ReadonlySet<string>) {
  const folders = new Set(['']);
  for (const path of paths)
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end + 1));
  const entries: TreeEntry[] = [];
  for (const folder of folders) {
    const path = `${folder}.gitattributes`;
    if ((await objects.info(`${tree}:${path}`))?.type !== 'blob') continue;
    const found = await findEntry(objects, tree, path);
    if (found !== null && found.type !== 'directory') entries.push({ ...found, type: found.type });
  }
  return createAttributes(await readAttributeFiles(entries, objects));
}

/** A step as it was found: from a base, over the changes, to the snapshot of `origin`. */
interface Way {
  origin: SnapshotOrigin;
  config: Config;
  source: VectorSource;
  base: Base;
  changes: Changes;
}

/** Its files are indexed by a run (`runIndex`), which then calls `describe`; only after that its numbers are known. */
export class Step {
  /** Numbers of the snapshot; null before `describe`, and if the step does not lead to it. */
  counts: UnitCounts | null = null;
  vectors: { known: KnownVectors; embedded: number; bytes: number } | null = null;
  blobs = 0;

  constructor(
    private readonly session: Session,
    private readonly way: Way,
  ) {}

  /** Files that may have to be parsed. */
  get files(): readonly CatalogFile[] {
    return this.way.changes.after;
  }

  get config(): Config {
    return this.way.config;
  }

  get source(): VectorSource {
    return this.way.source;
  }

  /** Makes the view and the vectors of the snapshot, and returns its entry for the manifest. Throws DISK. */
  describe(shards: readonly LexicalShard[], manifest: Manifest): CompleteSnapshot | null {
    const { session, way } = this;
    const { origin, config, base, changes } = way;
    const blobs = blobsAfter(base, changes);
    const before = overShards(base.corpus, shards);
    const counts = before && countsAfter(way, shards);
    if (blobs === null || before === null || counts === null) return null;
    const { corpus, uses } = this.corpusAfter(before, shards);
    counts.chunks = corpus.live.count;
    const vectors = this.vectorsOf(before.live, corpus.live);
    const state = snapshotState(counts);
    if (vectors === null || !hasAllFiles(state)) return null;
    const names = shards.map(({ name }) => name);
    const localState = state === 'ready' ? null : localStateOf(names, manifest.unreadable);
    const extra: ViewNote = { coverage: coverageOf(counts), defaults: config.search };
    writeView(session.state, viewKey(origin.key), { corpus, extra, localState });
    session.state.write(USES, '', uses.encode(), viewKey(origin.key));
    Object.assign(this, { counts, blobs, vectors });
    return entryOf(origin, { counts, blobs, vectors: { [way.source.profile]: vectors.known } });
  }

  /** Returns the corpus of the snapshot, patched from the base's over these shards, and the uses of names for its centrality. */
  private corpusAfter(before: Corpus, shards: readonly LexicalShard[]): { corpus: Corpus; uses: NameUses } {
    const { config, base, changes } = this.way;
    const fits = (file: CatalogFile) => (lookUpUnit(shards, file)?.size ?? 0) <= config.maxFileBytes;
    const patched = patchCorpus(before, {
      removed: new Set(changes.before.map(({ path }) => path)),
      added: changes.after.filter(fits),
      shards: [],
      attributesOf: changes.attributesOf,
      inOrder: true,
    });
    const known = readUses(this.session, base);
    const uses = known?.stepped(before.live, patched.live) ?? NameUses.of(patched.live);
    const files = patched.live.files.length;
    const isSame = known?.hasFilesOf(uses) && files === before.live.files.length;
    return { corpus: { ...patched, centrality: isSame ? base.corpus.centrality : uses.centrality(files) }, uses };
  }

  /** Null if a shard may need a graph of its vectors, or a vector file cannot be read. */
  private vectorsOf(before: LiveSet, after: LiveSet): Step['vectors'] {
    const { source, base } = this.way;
    const place = { directory: this.session.shards.directory, profile: source.profile };
    const known = new Set(base.vectors.shards);
    const used = [...new Set(after.files.shard)].map((index) => after.shards[index]);
    const fresh = used.filter(({ name }) => !known.has(name));
    if (fresh.some(({ meta }) => meta.documents >= HNSW_MIN_ROWS)) return null;
    const made = ensureStaticVectors(place, fresh);
    const [gone, come] = [unitsOnlyIn(before, after), unitsOnlyIn(after, before)];
    let covered = base.vectors.covered;
    let embedded = 0;
    for (const [step, live, units] of [
      [-1, before, gone],
      [1, after, come],
    ] as const)
      for (const { shard, unit } of units) {
        const rows = presentRows(place, live.shards[shard], unit);
        if (rows === null) return null;
        covered += step * rows;
        if (step > 0 && made.some(({ isNew }, i) => isNew && fresh[i] === live.shards[shard])) embedded += rows;
      }
    const bytes = made.reduce((sum, { isNew, vectors }) => sum + (isNew ? vectors.rows.length : 0), 0);
    const shards = used.map(({ name }) => name);
    const graphs = base.vectors.graphs.filter((name) => shards.includes(name));
    return { known: { ...base.vectors, total: after.count, covered, shards, graphs }, embedded, bytes };
  }
}

/** Returns the corpus over the shards that there are now: a run may have merged some. Null if one is lost. */
function overShards(corpus: Corpus, shards: readonly LexicalShard[]): Corpus | null {
  const { live } = corpus;
  const numbers = live.shards.map((shard) => shards.indexOf(shard));
  const shard = live.files.shard.map((index) => Math.max(0, numbers[index]));
  const unit = live.files.unit.slice();
  for (let file = 0; file < unit.length; file++) {
    if (numbers[live.files.shard[file]] >= 0) continue;
    const found = findUnit(shards, live.files.oid(file), live.files.language(file));
    if (found === null) return null;
    [shard[file], unit[file]] = [found.shard, found.unit];
  }
  return {
    ...corpus,
    live: liveSetOf(shards, new FileTable(shards, shard, unit, live.files.pathStart, live.files.table)),
  };
}

/** Number of distinct contents; null where the base does not tell. */
function blobsAfter({ complete, corpus }: Base, { before, after }: Changes): number | null {
  const changed = new Set([...before, ...after].map(({ path }) => path));
  const had = new Set(before.map(({ oid }) => oid));
  const has = new Set(after.map(({ oid }) => oid));
  let { blobs } = complete;
  for (const oid of new Set([...had, ...has])) {
    const paths = pathsOf(corpus.live, oid);
    if (paths === null) return null;
    if (paths.some((path) => !changed.has(path))) continue;
    blobs += Number(has.has(oid)) - Number(had.has(oid));
  }
  return blobs;
}

/** Null if more files must be looked at: the list of incomplete ones ends early, and too many of it are gone. */
function aboutAfter(
  { base, changes, config }: Pick<Way, 'base' | 'changes' | 'config'>,
  shards: readonly LexicalShard[],
  { parseErrors }: Pick<UnitCounts, 'parseErrors'>,
): SnapshotAbout | null {
  const { about, parseErrors: before = 0 } = base.complete;
  if (about === undefined) return null;
  const languages = { ...about.languages };
  const count = (file: CatalogFile, of: readonly LexicalShard[], step: number) => {
    const language = languageOfFile(file, lookUpUnit(of, file), of);
    languages[language] = (languages[language] ?? 0) + step;
  };
  const changed = new Set(changes.before.map(({ path }) => path));
  const incomplete = about.incomplete.filter((path) => !changed.has(path));
  // Of a list that was cut, what comes behind its last path is not known.
  const last = before > about.incomplete.length ? about.incomplete.at(-1) : undefined;
  const bare = new Set(about.bare);
  const present = new Set(changes.after.map(({ oid }) => oid));
  for (const file of changes.before) {
    count(file, base.corpus.live.shards, -1);
    const others = pathsOf(base.corpus.live, file.oid)?.filter((path) => !changed.has(path));
    // Of a list that was cut, nothing is known but that it is too long.
    if (others?.length === 0 && !present.has(file.oid) && about.bare.length <= MOST_BARE) bare.delete(file.oid);
  }
  for (const file of changes.after) {
    const unit = lookUpUnit(shards, file);
    count(file, shards, 1);
    if (unit !== null && !needsRecord(unit.state)) bare.add(file.oid);
    const counts = unit?.isIncomplete && unit.size <= config.maxFileBytes;
    if (counts && (last === undefined || orderUtf8(file.path, last) < 0)) incomplete.push(file.path);
  }
  incomplete.sort(orderUtf8);
  if (incomplete.length < Math.min(parseErrors, LEAST_INCOMPLETE)) return null;
  return { languages, incomplete: incomplete.slice(0, MOST_INCOMPLETE), bare: [...bare].slice(0, MOST_BARE + 1) };
}

/** Paths of files with parse errors that `status` names. */
const LEAST_INCOMPLETE = 5;

const NOTHING: SnapshotAbout = { languages: {}, incomplete: [], bare: [] };

/** Null if a file of the base is unknown. */
function countsAfter({ base, changes, config }: Way, shards: readonly LexicalShard[]): UnitCounts | null {
  const { files, chunks, parseErrors = 0, skipped, degraded } = base.complete;
  const counts: UnitCounts = {
    ...{ files, chunks, parseErrors, missing: 0, unreadableBlobs: 0, about: NOTHING },
    ...{ skipped: { ...skipped }, degraded: { ...degraded } },
  };
  for (const [reason, number] of Object.entries(changes.skipped))
    counts.skipped[reason] = (counts.skipped[reason] ?? 0) + number;
  for (const file of changes.before) {
    const unit = lookUpUnit(base.corpus.live.shards, file);
    if (unit === null) return null;
    countFile(counts, unit, config.maxFileBytes, -1);
  }
  for (const file of changes.after) {
    const unit = lookUpUnit(shards, file);
    if (unit === null) counts.missing++;
    else countFile(counts, unit, config.maxFileBytes, 1);
  }
  const about = aboutAfter({ base, changes, config }, shards, counts);
  if (about === null) return null;
  counts.about = about;
  for (const group of [counts.skipped, counts.degraded, counts.about.languages])
    for (const [reason, number] of Object.entries(group)) if (number === 0) delete group[reason];
  return counts;
}

/** Reads the uses of names in the base; null if those of another view are kept: only the latest one's are. */
function readUses({ state }: Session, { key }: Base): NameUses | null {
  return state.read(USES, '', ({ content, note, path }) => (note === key ? NameUses.decode(content, path) : null));
}
