/**
 * Context artifacts: named files and folders next to the code. Those in the repository are part of its index; outside ones have indexes of
 * their own.
 */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { inUtf8 } from '../../base/binary.js';
import { onePer } from '../../base/cache.js';
import { SocraticodeError } from '../../base/errors.js';
import type { Progress } from '../../base/progress.js';
import { ARTIFACTS_FILE, type Artifact, liesIn } from '../../config/context-artifacts.js';
import { skipReason as contentReason } from '../../extract/content.js';
import {
  entryType,
  type ObjectReader,
  rawEntries,
  type SnapshotReader,
  TREE_MODE,
  type TreeEntry,
} from '../../git/objects.js';
import { isPartialClone } from '../../git/repository.js';
import type { WorkTreeChange } from '../../git/status.js';
import { languageOfPath, skipReason } from '../../indexer/catalog.js';
import type { Selection } from '../../overlay/overlay.js';
import { pathOf, readWorkFile } from '../../overlay/worktree-file.js';
import { type SearchOptions, searcherOf } from '../../session/search/searcher.js';
import type { Session } from '../../session/session.js';
import { allowCommand } from '../../session/siblings/links.js';
import { isSearchable } from '../../session/snapshot/coverage.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { lookUpUnit } from '../../shard/live-set.js';
import {
  compareOutside,
  type FoundOutside,
  MAX_OUTSIDE,
  OutsideArtifacts,
  type OutsideFiles,
  type OutsideSnapshot,
  type OutsideState,
  outsidePath,
  type Refusal,
  removeStores,
} from './outside.js';
import type {
  ContextArtifact,
  ContextFiles,
  ContextIndexReport,
  ContextList,
  ContextRemoveReport,
  ContextSearchResponse,
} from './question.js';

/** Most unsearchable artifacts that an answer names: a hostile list has no end. */
const MAX_UNAVAILABLE = 5;

interface ContextOptions {
  /** Branch, tag or commit; default: the work tree with its uncommitted files. */
  ref?: string;
  /** Names of artifacts; default: all. */
  artifacts?: readonly string[];
  signal?: AbortSignal;
}

interface ContextSearchOptions
  extends ContextOptions,
    Pick<
      SearchOptions,
      'query' | 'limit' | 'minScore' | 'mode' | 'committed' | 'noContent' | 'explain' | 'path' | 'within'
    > {}

interface ContextIndexOptions extends ContextOptions {
  progress?: Progress;
  /** Indexes a ref outside of this process. Returns the number of parsed blobs, null while it goes on. */
  update?: (ref: string | undefined, signal: AbortSignal | undefined) => Promise<number | null>;
}

/** Facts about inside artifacts, from which their numbers are computed. */
interface Inspected {
  artifact: Artifact;
  inside: InsideArtifact | null;
  document: ContextArtifact;
}

export class ContextArtifacts {
  readonly outside: OutsideArtifacts;

  constructor(readonly session: Session) {
    this.outside = new OutsideArtifacts(session);
  }

  /** Every artifact and its state. Indexes nothing. Throws BAD_CONFIG, UNKNOWN_REF, and BAD_ARGUMENT for an unknown name. */
  async list({ ref, artifacts }: ContextOptions = {}): Promise<ContextList> {
    const origin = await this.origin(ref);
    const chosen = artifacts === undefined ? (origin.artifacts ?? []) : choose(origin, artifacts);
    const inspected = await this.inspect(chosen, origin, ref);
    return { ...headOf(origin), artifacts: listOf(inspected) };
  }

  /** One artifact, with texts of its files from the `from`th on, up to a limit. Throws as `list` does. */
  async read(name: string, { ref, from = 0 }: { ref?: string; from?: number } = {}): Promise<ContextList> {
    const origin = await this.origin(ref);
    const chosen = choose(origin, [name]);
    const known = await this.outside.find(outsideOnes(chosen), origin);
    const inspected = await this.inspect(chosen, origin, ref, known);
    const outside = known.found[0]?.files;
    const files = inspected[0].inside?.files ?? [];
    const sources =
      outside === undefined
        ? insideSources(this.session, files, known.maxFileBytes)
        : outsideSources(outside, known.maxFileBytes);
    return { ...headOf(origin), artifacts: listOf(inspected), files: await readTexts(sources, from) };
  }

  /** Searches the artifacts' files alone. Throws what a search throws, and BAD_ARGUMENT without any artifact. */
  async search({ artifacts, within: accepts, ...options }: ContextSearchOptions): Promise<ContextSearchResponse> {
    const origin = await this.origin(options.ref);
    const chosen = choose(origin, artifacts);
    const folders = chosen.flatMap(({ name, inside }) => (inside === null ? [] : [{ name, inside }]));
    const { found, refused, snapshot } = await this.refreshOutside(chosen, origin, options.signal);
    const searched = new Set(found.filter(({ files }) => files.list.length > 0).map(({ artifact }) => artifact.name));
    const within = (path: string) => {
      const own = folders.filter(({ inside }) => liesIn(path, inside));
      for (const { name } of own) searched.add(name);
      return (own.length > 0 || snapshot.nameOf.has(path)) && accepts?.(path) !== false;
    };
    const extend = async (base: Parameters<OutsideSnapshot['extend']>[0]) => snapshot.extend(base);
    const response = await searcherOf(this.session).search({
      ...options,
      within,
      ...(snapshot.files.length > 0 && { extend }),
    });
    const rest = chosen.filter(({ name }) => !searched.has(name));
    const inspected = await this.inspect(rest, origin, options.ref, { found, refused });
    const unavailable = inspected.filter(({ document }) => document.note !== null);
    return {
      ...response,
      artifacts: chosen.length - unavailable.length,
      unavailable: unavailable
        .slice(0, MAX_UNAVAILABLE)
        .map(({ document: { name, state, note } }) => ({ name, state, note: note ?? '' })),
      unavailableTotal: unavailable.length,
      results: response.results
        .filter(({ path }) => !snapshot.hasMoved(path))
        .map((result) => withOwnName(result, snapshot)),
    };
  }

  /** Indexes the ref, and updates outside artifacts. Throws what indexing throws. */
  async index(options: ContextIndexOptions = {}): Promise<ContextIndexReport> {
    const { ref, signal } = options;
    const origin = await this.origin(ref);
    const chosen = choose(origin, options.artifacts);
    const indexed = await this.indexSnapshot(chosen, origin, options);
    const { found, snapshot } = await this.refreshOutside(chosen, origin, signal);
    const inspected = await this.inspect(chosen, origin, ref);
    return {
      ...headOf(origin),
      ...(indexed === null ? { indexing: true as const, new: 0 } : { new: indexed }),
      outside: { artifacts: found.length, files: snapshot.files.length, new: snapshot.parsed },
      artifacts: listOf(inspected),
    };
  }

  /** Deletes the indexes of outside artifacts. Throws DISK, and BAD_ARGUMENT for an unknown name. */
  async remove({ artifacts }: Pick<ContextOptions, 'artifacts'> = {}): Promise<ContextRemoveReport> {
    // All indexes are in one place, so removing all needs no valid settings.
    const origin = await this.origin(undefined).catch((error: unknown) => {
      if (artifacts !== undefined) throw error;
      return null;
    });
    const chosen =
      origin === null ? [] : artifacts === undefined ? (origin.artifacts ?? []) : choose(origin, artifacts);
    let gone = { removed: 0, bytes: 0 };
    if (artifacts === undefined) gone = removeStores(this.session);
    else if (origin !== null) {
      for (const { files } of (await this.outside.find(outsideOnes(chosen), origin)).found) {
        const { removed, bytes } = removeStores(this.session, files);
        gone = { removed: gone.removed + removed, bytes: gone.bytes + bytes };
      }
    }
    this.outside.clear();
    const kept = chosen.flatMap(({ name, inside }) => (inside === null ? [] : [name]));
    const note = `part of the repository's index; to keep one out, take it from ${ARTIFACTS_FILE}`;
    return { schemaVersion: 1, ...gone, kept, note: kept.length > 0 ? note : null };
  }

  /** Artifacts with their state, in order. */
  async inspect(
    artifacts: readonly Artifact[],
    origin: SnapshotOrigin,
    ref: string | undefined,
    known?: { found: readonly FoundOutside[]; refused: ReadonlyMap<string, Refusal> },
  ): Promise<Inspected[]> {
    if (artifacts.length === 0) return [];
    const { found, refused } = known ?? (await this.outside.find(outsideOnes(artifacts), origin));
    const hasInside = artifacts.some(({ inside }) => inside !== null);
    const context = hasInside ? await this.insideContext(origin, ref) : null;
    const { maxFileBytes } = (await this.session.configOfOrigin(origin)).config;
    return Promise.all(
      artifacts.map(async (artifact): Promise<Inspected> => {
        if (artifact.inside !== null && context !== null) {
          const inside = await inspectInside(context, artifact);
          return { artifact, inside, document: describeInside(artifact, inside) };
        }
        const outside = found.find((each) => each.artifact.name === artifact.name);
        const document =
          outside === undefined
            ? this.describeRefusal(artifact, refused.get(artifact.name) ?? 'not-allowed')
            : describeOutside(artifact, outside.files, compareOutside(this.session, outside.files, maxFileBytes));
        return { artifact, inside: null, document };
      }),
    );
  }

  /** Origin of a ref, or of HEAD, which may have no commit yet. Throws BAD_CONFIG. */
  async origin(ref: string | undefined): Promise<SnapshotOrigin> {
    const origin = await this.session.origin(ref, { unborn: true });
    if (origin.artifactsFault === undefined) return origin;
    throw new SocraticodeError('BAD_CONFIG', origin.artifactsFault, { hint: `Correct ${ARTIFACTS_FILE}.` });
  }

  private describeRefusal(artifact: Artifact, refusal: Refusal): ContextArtifact {
    const { workTree, gitDir } = this.session.repository;
    const allow = allowCommand(resolve(workTree ?? gitDir, artifact.path), 'context.allow');
    return describeRefused(artifact, refusal, allow, MAX_OUTSIDE);
  }

  private async insideContext(origin: SnapshotOrigin, ref: string | undefined): Promise<InsideContext> {
    const { session } = this;
    const manifest = session.shards.readManifest();
    const [{ selection }, changes] = await Promise.all([
      session.selectionOf(origin),
      ref === undefined ? session.readChanges?.() : undefined,
    ]);
    return {
      objects: session.objects,
      tree: origin.resolved.tree,
      partial: isPartialClone(session.gitConfig),
      selection,
      shards: session.shards.openShards(manifest),
      unreadable: new Set(manifest.unreadable),
      changes: changes?.list ?? [],
    };
  }

  private async refreshOutside(artifacts: readonly Artifact[], origin: SnapshotOrigin, signal?: AbortSignal) {
    const { found, refused, maxFileBytes } = await this.outside.find(outsideOnes(artifacts), origin);
    return { found, refused, snapshot: await this.outside.refresh(found, maxFileBytes, signal) };
  }

  /** Number of parsed blobs, null while indexing goes on. A repository without a commit has nothing to index. */
  private async indexSnapshot(
    artifacts: readonly Artifact[],
    origin: SnapshotOrigin,
    { ref, signal, progress, update }: ContextIndexOptions,
  ): Promise<number | null> {
    const isUnborn = origin.resolved.commit === null && ref === undefined;
    if (isUnborn || artifacts.every(({ inside }) => inside === null)) return 0;
    if (update !== undefined) return update(ref, signal);
    const { indexRef } = await import('../../session/indexing/index-operation.js');
    return (await indexRef(this.session, { ref, signal, progress })).new;
  }
}

/** The artifacts of a session, which remember what lies outside of the repository. */
export const artifactsOf = onePer((session: Session) => new ContextArtifacts(session));

function headOf({ resolved }: SnapshotOrigin) {
  return { schemaVersion: 1 as const, ref: resolved.ref, commit: resolved.commit };
}

function listOf(inspected: readonly Inspected[]): ContextList['artifacts'] {
  return { list: inspected.map(({ document }) => document), leftOut: 0 };
}

function outsideOnes(artifacts: readonly Artifact[]): Artifact[] {
  return artifacts.filter(({ inside }) => inside === null);
}

/** Throws BAD_ARGUMENT for an unknown name, and if there are no artifacts. */
function choose({ artifacts = [] }: SnapshotOrigin, names?: readonly string[]): readonly Artifact[] {
  if (artifacts.length === 0) {
    throw new SocraticodeError('BAD_ARGUMENT', 'this repository names no context artifacts', {
      hint: `List files or folders in ${ARTIFACTS_FILE}: {"artifacts": [{"name": "...", "path": "...", "description": "..."}]}`,
    });
  }
  for (const name of names ?? []) {
    if (artifacts.some((artifact) => artifact.name === name)) continue;
    const hint = `Artifacts here: ${artifacts.map((artifact) => artifact.name).join(', ')}`;
    throw new SocraticodeError('BAD_ARGUMENT', `no artifact is called ${name}`, { hint });
  }
  return names === undefined ? artifacts : artifacts.filter(({ name }) => names.includes(name));
}

function withOwnName<T extends { path: string; artifact?: string }>(result: T, { nameOf }: OutsideSnapshot): T {
  const artifact = nameOf.get(result.path);
  return artifact === undefined ? result : { ...result, artifact };
}

// Describes an artifact: its state, numbers, and the next step.

const NOTES = {
  absent: 'nothing is there in this snapshot',
  nothing: 'nothing of it can be searched',
  unindexed: 'a search indexes the rest first',
  changed: 'it has changed since it was indexed; a search brings it up to date',
  gone: 'nothing is there on this machine',
};

function base({ name, path, description, inside }: Artifact) {
  return { name, path, description, outside: inside === null };
}

function describeInside(artifact: Artifact, { oid, files }: InsideArtifact): ContextArtifact {
  const skipped: Record<string, number> = {};
  for (const { reason } of files) if (reason !== null) skipped[reason] = (skipped[reason] ?? 0) + 1;
  const usable = files.filter(({ reason }) => reason === null);
  const indexed = usable.filter(({ chunks }) => chunks !== null);
  const uncommitted = usable.filter((file) => file.oid === null).length;
  const isMissing = usable.length === 0;
  const isReady = indexed.length + uncommitted === usable.length;
  return {
    ...base(artifact),
    state: isMissing ? 'missing' : isReady ? 'ready' : 'partial',
    oid,
    files: usable.length,
    indexed: indexed.length,
    uncommitted,
    bytes: usable.reduce((sum, { size }) => sum + (size ?? 0), 0),
    chunks: indexed.reduce((sum, { chunks }) => sum + (chunks ?? 0), 0),
    skipped,
    note: isMissing ? (files.length === 0 ? NOTES.absent : NOTES.nothing) : isReady ? null : NOTES.unindexed,
  };
}

function describeOutside(artifact: Artifact, { list, leftOut }: OutsideFiles, state: OutsideState): ContextArtifact {
  const all = { ...leftOut };
  for (const [reason, count] of Object.entries(state.leftOut)) all[reason] = (all[reason] ?? 0) + count;
  const files = list.length - Object.values(state.leftOut).reduce((sum, count) => sum + count, 0);
  const { oid, indexedOid, bytes, indexed, chunks } = state;
  const now = files === 0 ? 'missing' : indexedOid === null ? 'partial' : oid === indexedOid ? 'ready' : 'stale';
  const notes = { missing: NOTES.nothing, partial: NOTES.unindexed, ready: null, stale: NOTES.changed };
  return {
    ...base(artifact),
    ...{ state: now, oid, indexedOid, files, indexed, uncommitted: 0, bytes, chunks },
    ...{ skipped: all, note: notes[now] },
  };
}

/** `allow`: the user's command that would allow it. */
function describeRefused(artifact: Artifact, refusal: Refusal, allow: string, most: number): ContextArtifact {
  const notes = {
    missing: NOTES.gone,
    'not-allowed': `it lies outside of the repository; only the user may allow it, knowing why it is named: ${allow}`,
    'too-many': `at most ${most} artifacts may lie outside of the repository`,
  };
  return {
    ...base(artifact),
    ...{ state: refusal === 'missing' ? 'missing' : 'not-allowed', oid: null, indexedOid: null },
    ...{ files: 0, indexed: 0, uncommitted: 0, bytes: 0, chunks: 0, skipped: {}, note: notes[refusal] },
  };
}

// Files of an artifact: for inside ones, whether each is indexed or why not; and the text of any file.

interface InsideContext {
  objects: SnapshotReader;
  tree: string;
  /** In a partial clone, listing shows missing objects, and what is missing is missing from the whole tree. */
  partial: boolean;
  selection: Selection;
  shards: readonly LexicalShard[];
  unreadable: ReadonlySet<string>;
  /** Uncommitted changes, if the question includes the work tree. */
  changes: readonly WorkTreeChange[];
}

/** One file of an artifact. */
interface ArtifactFile {
  path: string;
  /** Null for a file with uncommitted changes, which is read from the work tree. */
  oid: string | null;
  /** Bytes of such a file's path, for the file system. */
  name: Buffer | null;
  /** Bytes; null until it is read. */
  size: number | null;
  /** Reason why it is not searched; null if it is, or will be. */
  reason: string | null;
  /** Number of its chunks; null if it is not indexed. */
  chunks: number | null;
}

interface InsideArtifact {
  /** Its blob or tree; null if the snapshot has nothing of that name. */
  oid: string | null;
  files: ArtifactFile[];
}

/** Compares names as bytes, since a tree's need not be text. */
async function findEntry(objects: ObjectReader, tree: string, path: string) {
  const parts = path.split('/').map((part) => Buffer.from(part));
  let at: { mode: string; oid: string } = { mode: TREE_MODE, oid: tree };
  for (const part of parts) {
    const object = at.mode === TREE_MODE ? await objects.read(at.oid) : null;
    if (object?.type !== 'tree') return null;
    const entries = [...rawEntries(object.content, tree.length / 2)];
    const found = entries.find((entry) => entry.path.equals(part));
    if (found === undefined) return null;
    at = found;
  }
  return at;
}

/** Everything below a path of a tree. Throws what listing throws. */
async function listEntries({ objects, tree, partial }: InsideContext, path: string) {
  const entry = await findEntry(objects, tree, path);
  if (entry === null) return { oid: null, entries: [] };
  const { mode, oid } = entry;
  if (mode !== TREE_MODE) return { oid, entries: [{ path, oid, type: entryType(mode) }] };
  if (partial) return { oid, entries: (await objects.list(tree)).filter((each) => liesIn(each.path, path)) };
  const below = await objects.list(oid);
  return { oid, entries: below.map((each): TreeEntry => ({ ...each, path: `${path}/${each.path}` })) };
}

async function inspectInside(context: InsideContext, { inside }: Artifact): Promise<InsideArtifact> {
  const path = inside ?? '';
  const { oid, entries } = await listEntries(context, path);
  const changes = context.changes.filter((change) => liesIn(change.path, path));
  const changed = new Set(changes.map((change) => change.path));
  const files = await Promise.all(
    entries.filter((entry) => !changed.has(entry.path)).map((entry) => committedFile(context, entry)),
  );
  const present = changes.filter(({ isFile }) => isFile);
  return { oid, files: [...files, ...present.map((change) => uncommittedFile(context, change))] };
}

async function committedFile(context: InsideContext, entry: TreeEntry): Promise<ArtifactFile> {
  const { selection, shards, unreadable, objects } = context;
  const { path, oid } = entry;
  const reason = skipReason(entry, selection);
  if (reason !== null) return { path, oid, name: null, size: null, reason, chunks: null };
  const language = languageOfPath(path, selection.languages);
  const unit = lookUpUnit(shards, { path, oid, language, generated: false, vendored: false });
  if (unit === null) {
    const size = (await objects.info(oid))?.size ?? null;
    const isTooLarge = size !== null && size > selection.maxFileBytes;
    const unknown = unreadable.has(oid) ? 'unreadable' : null;
    return { path, oid, name: null, size, reason: isTooLarge ? 'too-large' : unknown, chunks: null };
  }
  const { size, state } = unit;
  const file = { path, oid, name: null, size };
  if (isSearchable(unit, selection.maxFileBytes))
    return { ...file, reason: null, chunks: shards[unit.shard].unitDocuments[unit.unit] };
  const isTooLarge = state === null || size > selection.maxFileBytes;
  return { ...file, reason: isTooLarge ? 'too-large' : state, chunks: null };
}

function uncommittedFile({ selection }: InsideContext, { path, name }: WorkTreeChange): ArtifactFile {
  const reason = skipReason({ path, type: 'file' }, selection);
  return { path, oid: null, name, size: null, reason, chunks: null };
}

/** Limits: files listed, and bytes of text of one file and of all. */
const MAX_LISTED = 1_000;
const MAX_FILE_TEXT = 64 * 1024;
const MAX_TEXT = 512 * 1024;

interface Source {
  path: string;
  size: number | null;
  reason: string | null;
  read: () => Promise<Buffer | null>;
}

function textAt(path: Buffer, maxFileBytes: number): Buffer | null {
  const file = readWorkFile(path, maxFileBytes);
  return file === null ? null : inUtf8(file.bytes);
}

function insideSources(session: Session, files: readonly ArtifactFile[], maxFileBytes: number): Source[] {
  const { workTree } = session.repository;
  const root = workTree === null ? null : realpathSync.native(workTree, { encoding: 'buffer' });
  return files.map(({ path, oid, name, size, reason }) => ({
    ...{ path, size, reason },
    read: async () => {
      if (oid !== null) return (await session.objects.read(oid))?.content ?? null;
      return root === null || name === null ? null : textAt(pathOf(root, name), maxFileBytes);
    },
  }));
}

function outsideSources(files: OutsideFiles, maxFileBytes: number): Source[] {
  const root = Buffer.from(files.root);
  return files.list.map(({ path, name }) => ({
    ...{ path: outsidePath(files, path), size: null, reason: null },
    read: async () => textAt(pathOf(root, name), maxFileBytes),
  }));
}

/** `from`: first file whose text is read; earlier ones are only named. */
async function readTexts(sources: readonly Source[], from: number): Promise<ContextFiles> {
  const list: ContextFiles['list'] = [];
  let left = MAX_TEXT;
  for (const [i, source] of sources.slice(0, MAX_LISTED).entries()) {
    const { path, size, reason } = source;
    if (reason !== null || i < from || left <= 0) {
      list.push({ path, bytes: size, reason: reason ?? (i < from ? null : 'beyond-limits') });
      continue;
    }
    const file = await readOne(source, Math.min(left, MAX_FILE_TEXT));
    left -= file.content?.length ?? 0;
    list.push(file);
  }
  return { list, leftOut: Math.max(0, sources.length - MAX_LISTED) };
}

async function readOne({ path, size, read }: Source, most: number): Promise<ContextFiles['list'][number]> {
  const bytes = await read();
  if (bytes === null) return { path, bytes: size, reason: 'unreadable' };
  // A file that is not indexed yet may hold anything, so it is checked first.
  const reason = contentReason(bytes);
  if (reason !== null) return { path, bytes: bytes.length, reason };
  const isWhole = bytes.length <= most;
  const end = isWhole ? bytes.length : bytes.lastIndexOf(0x0a, most - 1) + 1 || most;
  const content = bytes.toString('utf8', 0, end);
  return {
    path,
    bytes: bytes.length,
    reason: null,
    content,
    ...(isWhole ? {} : { contentLeftOut: bytes.length - end }),
  };
}
