/**
 * Links a snapshot: as committed, with uncommitted files on top, only the files that were read so far, or a few files of a tree
 * (`linkFew`). All of these collect the facts of files alike (`collectFacts`): from records, else by parsing, and with a compiler's record
 * where a file has one. Loaded only when something is linked, since that takes longer than reading a graph.
 */
import { inTurns } from '../../base/async.js';
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { createProgress } from '../../base/progress.js';
import { keepHeapSmall, optimiseAsUsual } from '../../base/runtime.js';
import type { BlobFacts } from '../../extract/facts.js';
import type { GitObject, ObjectReader, TreeEntry } from '../../git/objects.js';
import { Graph } from '../../graph/graph.js';
import { linkSteps, missingFacts } from '../../graph/link/link-snapshot.js';
import { factsKey, type LinkedSnapshot, type LinkInput, type SourceFile } from '../../graph/tables.js';
import { deriveBlobs } from '../../indexer/derive.js';
import type { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/run.js';
import { relationsOf } from '../../languages/registry.js';
import { loadImports } from '../../languages/resolver.js';
import { noRelations } from '../../languages/roles/relation-facts.js';
import type { OverlayState } from '../../overlay/overlay.js';
import { decodeLinkFacts, encodeLinkFacts, type LinkFacts } from '../../record/link-facts.js';
import {
  type CompilerStore,
  compilerStore,
  encodeOccurrences,
  type SyntaxStore,
  syntaxStore,
} from '../../record/store.js';
import { contradictionOf, sizeContradiction } from '../../record/syntax-codec.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, type Session } from '../session.js';
import { countUnits, coverageOf } from '../snapshot/coverage.js';
import type { DirtySnapshot, SnapshotOrigin } from '../snapshot/snapshot.js';
import { parsersOf } from '../speculation.js';
import type { LinkedGraph, UnlinkedEntries } from './codec.js';
import {
  byPath,
  isManifestEntry,
  type ManifestEntry,
  manifestsOf,
  otherPaths,
  readManifests,
  sourceFiles,
  type UnindexedChanges,
} from './sources.js';

interface CommittedRequest {
  origin: SnapshotOrigin;
  shards: readonly LexicalShard[];
  /** Finds an earlier graph of any commit. The fewer files differ from it, the less is linked again. */
  previous: (files: readonly SourceFile[]) => LinkedSnapshot | null;
  /** Null for a graph of the files that were read so far: nothing is parsed for it, and a file with a record counts as read. */
  parsers: (() => ParserPool) | null;
  signal?: AbortSignal;
}

/** Throws the errors of parsing, GIT_FAILED and CANCELLED. */
export async function linkCommitted(
  session: Session,
  { origin, shards, previous, parsers, signal }: CommittedRequest,
): Promise<Pick<LinkedGraph, 'graph' | 'relinking'>> {
  const { objects } = session;
  const [{ catalog, config }, entries] = await Promise.all([
    session.filesOf(origin),
    objects.list(origin.resolved.tree),
  ]);
  const { maxFileBytes } = config;
  const store = syntaxStore(session.repository, objects, session.profile);
  const indexed = sourceFiles(catalog.files, shards, maxFileBytes);
  const known = parsers === null ? await withRecords(indexed, store) : indexed;
  const files = await compiledFiles(session, origin, known);
  const others = otherPaths(entries, files);
  const manifests = manifestsOf(entries);
  const { tables, memory } = await linkFiles(
    { files, others, manifests: await readManifests(manifests, objects) },
    {
      collect: (missing) =>
        collectFacts(missing, { objects, store, compiled: compilerReader(session), parsers, maxFileBytes, signal }),
      previous: previous(files),
      signal,
    },
  );
  return { graph: new Graph(tables), relinking: { memory, unlinked: { others: [...others], manifests } } };
}

/** Takes files with a record for parsed ones: records are written more often than shards are published. */
async function withRecords(files: readonly SourceFile[], store: SyntaxStore): Promise<SourceFile[]> {
  await store.load();
  return files.map((file) => {
    const isRead = file.state === 'unreadable' && store.has(file.oid);
    return isRead ? { ...file, state: relationsOf(file.language) === false ? 'none' : 'linked' } : file;
  });
}

async function compiledFiles(
  session: Session,
  { compiled }: SnapshotOrigin,
  files: readonly SourceFile[],
): Promise<readonly SourceFile[]> {
  if (compiled === undefined) return files;
  const store = openCompilerStore(session);
  await store.load();
  return withCompilerRecords(files, store);
}

interface WorkRequest {
  dirty: DirtySnapshot;
  unindexed: UnindexedChanges;
  /** Indexed files of the commit, and its other entries. */
  committed: readonly SourceFile[];
  unlinked: UnlinkedEntries;
  previous: LinkedSnapshot;
  /** Packed facts from an earlier link, and facts parsed since; by `factsKey`. */
  cached: ReadonlyMap<string, Uint8Array>;
  parsed: ReadonlyMap<string, LinkFacts>;
  parsers: () => ParserPool;
  signal?: AbortSignal;
}

/** Returns the graph, and the facts of its uncommitted files for the next link. Throws the errors of parsing. */
export async function linkWork(
  session: Session,
  { dirty, unindexed, committed, unlinked, previous, cached, parsed, parsers, signal }: WorkRequest,
): Promise<{ snapshot: LinkedSnapshot; facts: Map<string, Uint8Array> }> {
  const { objects, state } = dirty;
  const { maxFileBytes } = (await session.configOfOrigin(dirty.origin)).config;
  const store = syntaxStore(session.repository, session.objects, session.profile);
  const files = patchFiles(committed, dirty, maxFileBytes);
  const known = new Map<string, LinkFacts | Uint8Array>();
  const collect = async (missing: readonly SourceFile[]) => {
    for (const key of missing.map(factsKey)) {
      const found = parsed.get(key) ?? unpack(cached.get(key));
      if (found) known.set(key, found);
    }
    const rest = missing.filter((file) => !known.has(factsKey(file)));
    const collected = await collectFacts(rest, {
      ...{ objects, store, compiled: compilerReader(session), parsers, maxFileBytes, signal },
    });
    for (const [key, facts] of collected) known.set(key, facts);
    return known;
  };
  const indexed = await readManifests(patchManifests(unlinked.manifests, state), objects);
  const manifests = new Map([...indexed, ...unindexed.manifests]);
  const snapshot = await linkFiles(
    { files, others: patchOthers(unlinked, unindexed, files), manifests },
    { collect, previous, signal },
  );
  const facts = new Map<string, Uint8Array>();
  for (const key of keysOf(files, state)) {
    const found = parsed.get(key) ?? known.get(key);
    const packed = cached.get(key) ?? (found && pack(found));
    if (packed) facts.set(key, packed);
  }
  return { snapshot, facts };
}

function keysOf(files: readonly SourceFile[], state: OverlayState): string[] {
  const uncommitted = new Set(state.files.map(({ path }) => path));
  return files.filter(({ path, state: known }) => known === 'linked' && uncommitted.has(path)).map(factsKey);
}

function patchFiles(
  committed: readonly SourceFile[],
  { state, corpus }: DirtySnapshot,
  maxFileBytes: number,
): readonly SourceFile[] {
  const gone = new Set([...state.replaced, ...state.files].map(({ path }) => path));
  const shards = [...corpus.live.shards, ...state.shards];
  const added = sourceFiles(state.files, shards, maxFileBytes);
  return [...committed.filter(({ path }) => !gone.has(path)), ...added].sort(byPath);
}

function patchManifests(committed: readonly ManifestEntry[], state: OverlayState): ManifestEntry[] {
  const differing = new Set([...state.unindexed, ...state.files].map(({ path }) => path));
  return [...committed.filter(({ path }) => !differing.has(path)), ...state.files.filter(isManifestEntry)];
}

function patchOthers(
  { others }: UnlinkedEntries,
  { present, gone }: UnindexedChanges,
  files: readonly SourceFile[],
): Set<string> {
  const patched = new Set([...others, ...present]);
  for (const path of gone) patched.delete(path);
  for (const { path } of files) patched.delete(path);
  return patched;
}

function pack(facts: LinkFacts | Uint8Array): Uint8Array | null {
  if (facts instanceof Uint8Array) return facts;
  try {
    return encodeLinkFacts(facts);
  } catch (error) {
    log.debug(`facts are not kept: ${(error as Error).message}`);
    return null;
  }
}

/** Returns null if the facts cannot be read: their file may have come with the repository. */
function unpack(packed: Uint8Array | undefined): LinkFacts | null {
  try {
    return packed === undefined ? null : decodeLinkFacts(packed);
  } catch (error) {
    log.debug(`facts are made anew: ${(error as Error).message}`);
    return null;
  }
}

/** Parses and indexes nothing. Returns null if no file is read yet. Throws GIT_FAILED and CANCELLED. */
export async function linkPart(
  session: Session,
  origin: SnapshotOrigin,
  signal?: AbortSignal,
): Promise<Pick<LinkedGraph, 'graph' | 'note'> | null> {
  const manifest = session.shards.readManifest();
  const shards = session.shards.openShards(manifest);
  const { total } = coverageOf(countUnits(await session.filesOf(origin), shards, manifest));
  const { graph } = await linkCommitted(session, { origin, shards, previous: () => null, parsers: null, signal });
  const unread = graph.tables.files.filter(({ state }) => state === 'unreadable').length;
  const coverage = { covered: Math.max(0, total - unread), total };
  return coverage.covered === 0 ? null : { graph, note: { coverage, state: null } };
}

interface LinkOptions {
  collect: (missing: readonly SourceFile[]) => Promise<LinkInput['facts']>;
  previous: LinkedSnapshot | null;
  signal?: AbortSignal;
}

/** Links files and marks those without facts as unreadable. `previous` saves time and never changes the result. */
async function linkFiles(
  input: Omit<LinkInput, 'facts'>,
  { collect, previous, signal }: LinkOptions,
): Promise<LinkedSnapshot> {
  try {
    const missing = missingFacts(input.files, previous);
    const [facts] = await Promise.all([collect(missing), loadImports(input.files.map(({ language }) => language))]);
    const files = withoutFacts(input.files, missing, facts);
    return await linkInTurns({ ...input, files, facts }, previous, signal);
  } catch (error) {
    // The previous graph comes from a cache file that may be damaged: link without it.
    if (previous === null || !isSocraticodeError(error, 'RECORD_CORRUPT')) throw error;
    return linkFiles(input, { collect, previous: null, signal });
  }
}

/** Files from which a first link takes so long that V8's own budget for optimising pays, and so much memory that the heap is kept small. */
const MANY_FILES = 2_000;

/** A terminal shows progress of what takes longer. */
const SHOWN_AFTER_MS = 1_000;
/** Time after which linking again has so many dependents to link that V8's own budget pays as well. */
const LONG_MS = 250;

async function linkInTurns(
  input: LinkInput,
  previous: LinkedSnapshot | null,
  signal?: AbortSignal,
): Promise<LinkedSnapshot> {
  const started = performance.now();
  if (previous === null && input.files.length > MANY_FILES) {
    optimiseAsUsual();
    keepHeapSmall();
  }
  const progress = createProgress('linking');
  const onPause = (done: number) => {
    if (performance.now() - started > LONG_MS) optimiseAsUsual();
    if (performance.now() - started > SHOWN_AFTER_MS) progress.update(done, input.files.length);
  };
  try {
    return await inTurns(linkSteps(input, previous), { signal, onPause });
  } finally {
    progress.finish();
  }
}

/** Marks files whose facts could not be collected as unreadable. */
function withoutFacts(
  files: readonly SourceFile[],
  missing: readonly SourceFile[],
  facts: ReadonlyMap<string, unknown>,
): readonly SourceFile[] {
  const lost = new Set(missing.map(factsKey).filter((key) => !facts.has(key)));
  if (lost.size === 0) return files;
  return files.map((file) => {
    const hasFacts = file.state === 'linked' || file.state === 'degraded';
    return hasFacts && lost.has(factsKey(file)) ? { ...file, state: 'unreadable' } : file;
  });
}

interface FactsContext {
  objects: Pick<ObjectReader, 'read' | 'info'>;
  /** Records. Uncommitted files have none and are parsed. */
  store: Pick<SyntaxStore, 'read' | 'load'>;
  /** Reads the record of a compiler about a file with that many lines; absent if there are no such records. */
  compiled?: (file: SourceFile, lines: number) => Promise<Uint8Array | null>;
  /** Called only if there is something to parse; null leaves files without a record out. */
  parsers: (() => ParserPool) | null;
  maxFileBytes: number;
  signal?: AbortSignal;
}

/** Facts by `factsKey`, as bytes where nothing is added to them: those of a whole repository are in memory at once. */
export type CollectedFacts = Map<string, LinkFacts | Uint8Array>;

/** Concurrent requests to git: enough to keep it busy, few enough that the answers fit into memory. */
const AT_ONCE = 128;

/** Returns facts by `factsKey`, without those of unreadable files. Throws the errors of parsing, and CANCELLED. */
async function collectFacts(wanted: readonly SourceFile[], context: FactsContext): Promise<CollectedFacts> {
  const facts: CollectedFacts = new Map();
  const linked = wanted.filter(({ state }) => state === 'linked');
  const missing = await fromRecords(linked, context, facts);
  await inBatches(
    wanted.filter(({ state }) => state === 'degraded'),
    context.signal,
    (file) => countLines(file, context, facts),
  );
  const { parsers } = context;
  if (missing.length > 0 && parsers !== null) await fromText(missing, { ...context, parsers }, facts);
  // Comes last: it adds to the facts of a file, wherever these came from.
  const withCompiled = linked.filter(({ compiled }) => compiled !== undefined);
  await inBatches(withCompiled, context.signal, (file) => addCompiled(file, context, facts));
  return facts;
}

/** Adds the record of a compiler. Such facts are never packed (`forLinking`), and equal files share them. */
async function addCompiled(file: SourceFile, context: FactsContext, facts: CollectedFacts): Promise<void> {
  const key = factsKey(file);
  const found = facts.get(key);
  if (found === undefined || found instanceof Uint8Array || found.compiled !== undefined) return;
  const compiled = await context.compiled?.(file, found.lines);
  if (compiled) facts.set(key, { ...found, compiled });
}

async function inBatches(
  files: readonly SourceFile[],
  signal: AbortSignal | undefined,
  each: (file: SourceFile) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < files.length; at += AT_ONCE) {
    signal?.throwIfAborted();
    await Promise.all(files.slice(at, at + AT_ONCE).map(each));
  }
}

/** Reads facts from records and returns the files without a usable record. */
async function fromRecords(
  files: readonly SourceFile[],
  { objects, store, signal }: FactsContext,
  facts: CollectedFacts,
): Promise<SourceFile[]> {
  const missing: SourceFile[] = [];
  await store.load(files.length);
  await inBatches(files, signal, async (file) => {
    const key = factsKey(file);
    if (facts.has(key)) return;
    const [decoded, object] = await Promise.all([store.read(file.oid), objects.read(file.oid)]);
    const found = decoded?.ok && 'facts' in decoded.record ? decoded.record.facts[file.language] : undefined;
    if (found === undefined || isContradicted(found, file, object)) missing.push(file);
    else facts.set(key, forLinking(found, file.compiled));
  });
  return missing;
}

/** Returns whether the blob shows that facts are not its own. One that is not here, as in a partial clone, shows its size alone. */
function isContradicted(facts: BlobFacts, { size, language }: SourceFile, object: GitObject | null): boolean {
  if (object !== null) return contradictionOf(facts, language, object.content) !== null;
  return size !== undefined && sizeContradiction(facts, size) !== null;
}

/** Drops chunks and offsets. `compiled`: the record of a compiler that is to be added. */
function forLinking({ lines, symbols, relations }: BlobFacts, compiled: string | undefined): LinkFacts | Uint8Array {
  const packed = compiled === undefined ? pack({ lines, symbols, relations }) : null;
  if (packed !== null) return packed;
  return {
    lines,
    symbols: symbols.map(({ name, kind, container, exported, fixed, arity, parameters, startLine, endLine }) => ({
      ...{ name, kind, container, exported, startLine, endLine },
      ...(fixed && { fixed }),
      ...(arity !== undefined && { arity }),
      ...(parameters !== undefined && { parameters }),
    })),
    relations,
  };
}

/** Counts the lines of a file that the indexer could not parse. It is not parsed again. */
async function countLines(file: SourceFile, context: FactsContext, facts: CollectedFacts): Promise<void> {
  const info = await context.objects.info(file.oid);
  if (info === null || info.size > context.maxFileBytes) return;
  const object = await context.objects.read(file.oid);
  if (object === null) return;
  const { content } = object;
  let lines = content.length === 0 || content.at(-1) === NEWLINE ? 0 : 1;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) lines++;
  facts.set(factsKey(file), { lines, symbols: [], relations: noRelations() });
}

const NEWLINE = 0x0a;

/** Parses the files that have no usable record. A blob in several languages is parsed together. */
async function fromText(
  files: readonly SourceFile[],
  { objects, parsers, maxFileBytes, signal }: FactsContext & { parsers: () => ParserPool },
  facts: CollectedFacts,
): Promise<void> {
  const planned = new Map<string, PlannedBlob>();
  for (const { oid, language, path } of files) {
    const known = planned.get(oid);
    if (known === undefined) planned.set(oid, { oid, languages: [language], path, sharded: false });
    else if (!known.languages.includes(language)) known.languages.push(language);
  }
  const context = {
    ...{ objects, pool: parsers(), maxFileBytes, signal, relations: true, onBadRecord: () => {} },
    store: { read: async () => null },
  };
  const compiledOf = new Map(files.map(({ oid, compiled }) => [oid, compiled]));
  for await (const { oid, units } of deriveBlobs([...planned.values()], context)) {
    for (const { language, facts: found } of units) {
      const compiled = compiledOf.get(oid);
      if (found !== null) facts.set(factsKey({ oid, language, compiled }), forLinking(found, compiled));
    }
  }
}

// Compilers' records of what names mean. `import` of a SCIP index writes them.

function openCompilerStore({ repository, objects }: Pick<Session, 'repository' | 'objects'>): CompilerStore {
  return compilerStore(repository, objects, COMPILER_PROFILE, COMPILER_ABOUT);
}

/** Adds the object id of each file's record, so that a file is linked again when its record changes. `store` is loaded. */
function withCompilerRecords(files: readonly SourceFile[], store: CompilerStore): readonly SourceFile[] {
  return files.map((file) => {
    const compiled = file.state === 'linked' ? store.noteId(file.oid) : null;
    return compiled === null ? file : { ...file, compiled };
  });
}

/** Returns a function that reads a file's record as bytes; null if there is none, or if it is about more lines than the file has. */
function compilerReader(
  session: Pick<Session, 'repository' | 'objects'>,
): (file: SourceFile, lines: number) => Promise<Uint8Array | null> {
  const store = openCompilerStore(session);
  let loaded: Promise<void> | null = null;
  return async ({ oid, compiled }, lines) => {
    if (compiled === undefined) return null;
    loaded ??= store.load();
    await loaded;
    const decoded = await store.read(oid);
    if (!decoded?.ok || (decoded.record.occurrences.at(-1)?.line ?? 0) > lines) return null;
    return encodeOccurrences(decoded.record);
  };
}

interface FewFiles {
  /** Entries of the tree, which imports may lead to. */
  entries: readonly TreeEntry[];
  /** Paths of the files whose uses are linked. */
  paths: ReadonlySet<string>;
  languageOf: (path: string) => string | null;
  maxFileBytes: number;
  /** Reads blobs that the repository may lack; default: the session's. */
  objects?: ObjectReader;
  signal?: AbortSignal;
}

/**
 * Links a few files of a tree; others are known by path alone, and of manifests those in folders above the files are read. Nothing is
 * indexed, and no record is written. `facts` keeps those of earlier calls. Throws the errors of parsing, GIT_FAILED and CANCELLED.
 */
export async function linkFew(session: Session, request: FewFiles, facts: CollectedFacts): Promise<Graph> {
  return new Graph((await linkFewFrom(session, request, facts)).tables);
}

/** Like `linkFew`, but returns the snapshot, which saves time as `previous` of a similar one. */
export async function linkFewFrom(
  session: Session,
  request: FewFiles & { previous?: LinkedSnapshot },
  facts: CollectedFacts,
): Promise<LinkedSnapshot> {
  const { entries, paths, languageOf: languageAt, maxFileBytes, objects = session.objects, signal } = request;
  const files = entries.flatMap(({ path, oid, type }): SourceFile[] => {
    const language = paths.has(path) && (type === 'file' || type === 'executable') ? languageAt(path) : null;
    return language === null
      ? []
      : [{ path, oid, language, state: relationsOf(language) === false ? 'none' : 'linked' }];
  });
  const above = (path: string) => [...paths].some((file) => file.startsWith(path.slice(0, path.lastIndexOf('/') + 1)));
  const manifests = manifestsOf(entries).filter(({ path }) => above(path));
  const store = syntaxStore(session.repository, session.objects, session.profile);
  const collect = async (missing: readonly SourceFile[]) => {
    const unknown = missing.filter((file) => !facts.has(factsKey(file)));
    const parsers = () => parsersOf(session).get();
    const found = await collectFacts(unknown, { objects, store, parsers, maxFileBytes, signal });
    for (const [key, one] of found) facts.set(key, one);
    return facts;
  };
  const input = { files: files.sort(byPath), others: otherPaths(entries, files) };
  return linkFiles(
    { ...input, manifests: await readManifests(manifests, objects) },
    { collect, previous: request.previous ?? null, signal },
  );
}
