/** `explain`: says what the index has of each path, or why it has nothing. `status --left-out`: every file that it leaves out. */
import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { nearestPaths } from '../../base/spelling.js';
import { createRuleFinder } from '../../config/select.js';
import { type EntryType, isUnsafePath, type TreeEntry } from '../../git/objects.js';
import type { Git } from '../../git/process.js';
import { ignoreRule } from '../../git/repository.js';
import type { WorkTreeChange } from '../../git/status.js';
import { type Prefix, spellings } from '../../graph/query/node-place.js';
import { buildCatalog, skipReason } from '../../indexer/catalog.js';
import { languageIn } from '../../languages/detect.js';
import { type OverlayState, WorkTreeOverlay } from '../../overlay/overlay.js';
import { notesAt, syntaxStore } from '../../record/store.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { sourceFiles } from '../../session/graph/sources.js';
import { retried } from '../../session/retry.js';
import { IGNORE_FILE, prefixOf, type Session, selectorOptions } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { IdleParsers } from '../../session/speculation.js';
import { openVectors, vectorSource } from '../../session/vectors/vectors.js';
import { UNIT_FORWARDING, UNIT_GENERATED } from '../../shard/lexical-format.js';
import type { LexicalShard } from '../../shard/lexical-shard.js';
import { type CatalogFile, createLiveSet, lookUpUnit, type UnitLookup } from '../../shard/live-set.js';
import { trackingRefs } from '../../share/pull.js';
import type { Asker } from '../asker.js';
import type { LeftOutResponse } from '../status/question.js';
import type { ExplainedFile, ExplainResponse, ExplainValues, IndexedFile, LeftOutRule } from './question.js';
import { CONTENT_REASONS, nextStep, type ReasonName } from './reasons.js';

/** Throws UNKNOWN_REF, BAD_CONFIG, and BAD_ARGUMENT for a path outside of the repository. */
export function answerExplain(at: Asker, values: ExplainValues): Promise<ExplainResponse> {
  return retried(at.session, values.ref, () => explainPaths(at, values));
}

async function explainPaths({ session, directory, signal }: Asker, values: ExplainValues): Promise<ExplainResponse> {
  const paths = await openSnapshotPaths(session, values);
  const prefix = prefixOf(session, directory);
  const places = values.paths.map((text) => findPlace(text, prefix, paths));
  const selected = places.filter(({ kind, path }) => isSelected(kind, path, paths)).map(({ path }) => path);
  const files = await openFiles(session, paths, { selected, signal });
  try {
    const explained: ExplainedFile[] = [];
    for (const place of places) explained.push(await explain(place, paths, files));
    const { ref, commit } = paths.origin.resolved;
    return { schemaVersion: 1, ref, commit, files: explained };
  } finally {
    await files.close();
  }
}

function isSelected(kind: Place['kind'], path: string, paths: SnapshotPaths): boolean {
  if (kind !== 'change' && kind !== 'entry') return false;
  return paths.rules.byName({ path, type: paths.typeOf(path) }) === null;
}

async function explain({ path, kind }: Place, paths: SnapshotPaths, files: FileReader): Promise<ExplainedFile> {
  const { rules } = paths;
  const leftOut = (found: LeftOut) => unindexed(path, found, paths.ref);
  switch (kind) {
    case 'folder':
      return { ...unexplained(path), state: 'folder', folder: folderOf(path, paths) };
    case 'change':
    case 'entry': {
      const found = rules.byName({ path, type: paths.typeOf(path) }) ?? files.leftOut(path);
      const marked = kind === 'change' ? { uncommitted: true as const } : {};
      if (found !== null) return { ...leftOut(found), ...marked };
      return { ...unexplained(path), state: 'indexed', file: await files.details(path), ...marked };
    }
    case 'linked':
      return leftOut({ reason: 'symlink', rule: null });
    case 'nested':
      return leftOut({ reason: 'submodule', rule: null });
    case 'file':
    case 'other': {
      const rule = await ignoreRule(paths.git, path);
      if (rule !== null) return leftOut({ reason: 'git-ignored', rule });
      return leftOut({ reason: isUnsafePath(path) ? 'unsafe-path' : 'not-a-file', rule: null });
    }
    case 'absent': {
      const near = nearestPaths(paths.entries.keys(), path);
      return { ...leftOut({ reason: 'absent', rule: null }), state: 'absent', ...(near.length > 0 && { near }) };
    }
  }
}

const unexplained = (path: string) => ({ path, reason: null, rule: null, next: null });

/** A file that is not indexed, with the next step of its reason. */
function unindexed(path: string, { reason, rule, bytes = 0 }: LeftOut, ref: string | undefined): ExplainedFile {
  const state = reason === 'pending' ? 'pending' : 'left-out';
  return { path, state, reason, rule, next: nextStep(reason, { path, bytes, ref }) };
}

function folderOf(path: string, { entries, changes, rules, typeOf }: SnapshotPaths): ExplainedFile['folder'] {
  const below = folderTest(path);
  const leftOut: Record<string, number> = {};
  let files = 0;
  for (const each of new Set([...entries.keys(), ...changes.keys()].filter(below))) {
    const reason = rules.byName({ path: each, type: typeOf(each) })?.reason;
    if (reason === undefined) files++;
    else leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  }
  return { files, leftOut };
}

// Finds the file of a snapshot or of the work tree that a typed path names.

export interface Places {
  entries: ReadonlyMap<string, TreeEntry>;
  /** Uncommitted changes; empty for a question about a ref. */
  changes: ReadonlyMap<string, WorkTreeChange>;
  /** Null for a question about a ref. */
  workTree: string | null;
}

/** `linked`: a symbolic link, or below one. `nested`: below another repository. */
type Kind = 'change' | 'entry' | 'folder' | 'file' | 'linked' | 'nested' | 'other' | 'absent';

interface Place {
  path: string;
  kind: Kind;
}

/** First spelling of a path that exists. Throws BAD_ARGUMENT for a path outside of the repository. */
function findPlace(text: string, prefix: Prefix, places: Places): Place {
  const found = spellings(text, prefix).map((path) => placeOf(path.replace(/\/+$/, ''), places));
  return found.find(({ kind }) => kind !== 'absent') ?? found[0];
}

function placeOf(path: string, places: Places): Place {
  const { entries, changes, workTree } = places;
  if (changes.has(path)) {
    // git lists an untracked link like a file, and another repository by its folder.
    const kind = workTree === null ? 'absent' : kindAt(workTree, path);
    return { path, kind: kind === 'linked' || kind === 'nested' ? kind : 'change' };
  }
  if (entries.has(path)) return { path, kind: 'entry' };
  const below = folderTest(path);
  const isFolder = [...entries.keys(), ...changes.keys()].some(below);
  if (isFolder) return { path, kind: 'folder' };
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const type = entries.get(path.slice(0, at))?.type;
    if (type === 'symlink') return { path, kind: 'linked' };
    if (type === 'submodule') return { path, kind: 'nested' };
  }
  return { path, kind: workTree === null ? 'absent' : kindAt(workTree, path) };
}

/** Test for paths below a folder; '' and '.' are the top of the repository. */
export function folderTest(folder: string): (path: string) => boolean {
  return folder === '' || folder === '.' ? () => true : (path) => path.startsWith(`${folder}/`);
}

/** Kind of a path. Looks at its parts one after the other, so that no symbolic link is followed. */
function kindAt(workTree: string, path: string): Kind {
  const parts = path.split('/');
  let at = workTree;
  for (const [i, part] of parts.entries()) {
    at = join(at, part);
    const stat = statOf(at);
    if (stat === undefined) return 'absent';
    const isLast = i === parts.length - 1;
    if (stat.isSymbolicLink()) return 'linked';
    if (stat.isDirectory() && statOf(join(at, '.git')) !== undefined) return 'nested';
    if (isLast) return stat.isFile() ? 'file' : 'other';
  }
  return 'absent';
}

/** Undefined for a path that is missing, may not be read, or cannot exist. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

// Every path of a snapshot before rules apply, with uncommitted changes if the question includes them.

interface SnapshotPaths extends Places {
  /** Ref as requested. */
  ref: string | undefined;
  origin: SnapshotOrigin;
  entries: ReadonlyMap<string, TreeEntry>;
  changes: ReadonlyMap<string, WorkTreeChange>;
  rules: SnapshotRules;
  git: Git;
  /** Type of a file; for an uncommitted one, its type in the work tree. */
  typeOf: (path: string) => EntryType;
}

/** Throws UNKNOWN_REF, UNBORN_HEAD and BAD_CONFIG. */
export async function openSnapshotPaths(
  session: Session,
  { ref, committed }: { ref?: string; committed?: boolean },
): Promise<SnapshotPaths> {
  const { repository, objects } = session;
  const isIncluded = workTreeUse({ ref, committed }) === 'included' && session.readChanges !== null;
  const [origin, list] = await Promise.all([
    session.origin(ref, { unborn: isIncluded }),
    isIncluded && session.readChanges !== null ? session.readChanges() : null,
  ]);
  const [listed, rules] = await Promise.all([objects.list(origin.resolved.tree), openRules(session, origin)]);
  const entries = new Map(listed.map((entry) => [entry.path, entry]));
  const changes = new Map((list?.list ?? []).map((change) => [change.path, change]));
  const typeOf = (path: string): EntryType => {
    const change = changes.get(path);
    if (change === undefined) return entries.get(path)?.type ?? 'file';
    return change.isFile ? 'file' : (change.headType ?? 'file');
  };
  const workTree = isIncluded ? repository.workTree : null;
  return { ref, origin, entries, changes, rules, workTree, git: repository.git, typeOf };
}

// The rules of a snapshot, with the reason why a file is left out.

export interface LeftOut {
  reason: ReasonName;
  rule: LeftOutRule | null;
  /** Size of a file that is too large. */
  bytes?: number;
}

const BUILT_IN = 'built-in';

/** Throws BAD_CONFIG. */
async function openRules(session: Session, origin: SnapshotOrigin) {
  const { selection, settings } = await session.selectionOf(origin);
  const { config, origins } = settings;
  const ruleOf = createRuleFinder(selectorOptions(origin, config));

  /** Rule that leaves out an entry of a tree, or a file of the work tree, by name or type; null for none. */
  function byName(entry: Omit<TreeEntry, 'oid'>): LeftOut | null {
    const reason = skipReason(entry, selection);
    if (reason === null) return null;
    if (reason === 'binary') {
      const pattern = `*${entry.path.slice(entry.path.lastIndexOf('.'))}`;
      return { reason, rule: { pattern, source: BUILT_IN, line: null } };
    }
    const rule = ruleOf(entry.path);
    // Types of entries and unsafe paths have no rule.
    if (rule === null || rule.reason !== reason) return { reason, rule: null };
    const source = { ignored: IGNORE_FILE.name, excluded: origins.exclude }[reason as string] ?? BUILT_IN;
    return { reason, rule: { pattern: rule.pattern, source, line: rule.line } };
  }

  /** Rule that leaves out a blob by size or content; null for none. */
  function byContent({ state, size }: Pick<UnitLookup, 'state' | 'size'>): LeftOut | null {
    const isTooLarge = size > config.maxFileBytes;
    const reason = Object.entries(CONTENT_REASONS).find(([name]) => name === state)?.[1];
    if (reason !== 'too-large' && !isTooLarge) return reason === undefined ? null : { reason, rule: null };
    const pattern = `maxFileBytes = ${config.maxFileBytes}`;
    return { reason: 'too-large', rule: { pattern, source: origins.maxFileBytes, line: null }, bytes: size };
  }

  return { selection, settings, byName, byContent };
}

type SnapshotRules = Awaited<ReturnType<typeof openRules>>;

// Facts in the index about a file: its chunks, symbols, record and vectors, and its place in the graph.

interface FileReader {
  /** Reason why a path is not indexed; null for an indexed one. */
  leftOut(path: string): LeftOut | null;
  /** The details of an indexed file. */
  details(path: string): Promise<IndexedFile>;
  close(): Promise<void>;
}

interface Reading {
  /** Paths that no rule leaves out by their names. */
  selected: readonly string[];
  signal: AbortSignal;
}

/** Parses uncommitted files alone, as a search does, and indexes nothing. */
export async function openFiles(
  session: Session,
  paths: SnapshotPaths,
  { selected, signal }: Reading,
): Promise<FileReader> {
  const uncommitted = await readUncommitted(session, paths, { selected, signal });
  const manifest = session.shards.readManifest();
  const shards = [...session.shards.openShards(manifest), ...(uncommitted?.state.shards ?? [])];
  const files = new Map((await committedFiles(session, paths, selected)).map((file) => [file.path, file]));
  for (const file of uncommitted?.state.files ?? []) files.set(file.path, file);
  const details = openDetails(session, paths, { shards, uncommitted, count: selected.length, signal });
  const unreadable = new Set(manifest.unreadable);
  return {
    leftOut(path) {
      const file = files.get(path);
      if (file === undefined) return unreadChange(path, paths, uncommitted);
      const unit = lookUpUnit(shards, file);
      if (unit !== null) return paths.rules.byContent(unit);
      return { reason: unreadable.has(file.oid) ? 'unreadable' : 'pending', rule: null };
    },
    details(path) {
      const file = files.get(path) as CatalogFile;
      return details.of(file, lookUpUnit(shards, file) as UnitLookup);
    },
    close: details.close,
  };
}

interface Uncommitted {
  state: OverlayState;
  beyond: ReadonlySet<string>;
  directory: string;
}

/** Reads those of the files that are uncommitted, and caches nothing; null if none are. */
async function readUncommitted(
  session: Session,
  { changes, origin, rules, workTree }: SnapshotPaths,
  { selected, signal }: Reading,
): Promise<Uncommitted | null> {
  const list = selected.flatMap((path) => changes.get(path) ?? []);
  if (list.length === 0 || workTree === null) return null;
  const overlay = new WorkTreeOverlay({ ...session.repository, workTree }, session.shards.directory);
  const beyond = overlay.beyondLimits({ commit: origin.resolved.commit, list: [...changes.values()] }, rules.selection);
  const parsers = new IdleParsers();
  try {
    const state = await overlay.refresh(
      { commit: origin.resolved.commit, list: list.filter(({ path }) => !beyond.has(path)) },
      {
        ...rules.selection,
        committed: session.shards.openShards(session.shards.readManifest()),
        objects: session.objects,
        parsers: () => parsers.get(),
        signal,
      },
    );
    return { state, beyond, directory: overlay.directory };
  } finally {
    parsers.stop();
  }
}

/** Reason why an uncommitted file is not searched although no rule leaves it out by name. */
function unreadChange(path: string, { changes, rules, workTree }: SnapshotPaths, read: Uncommitted | null): LeftOut {
  const change = changes.get(path);
  if (read?.beyond.has(path)) return { reason: 'too-many', rule: null };
  if (change?.isFile) {
    const size = lstatSync(join(workTree ?? '', path), { throwIfNoEntry: false })?.size ?? 0;
    return rules.byContent({ state: null, size }) ?? { reason: 'denied', rule: null };
  }
  return { reason: kindAt(workTree ?? '', path) === 'absent' ? 'deleted' : 'not-a-file', rule: null };
}

async function committedFiles(
  session: Session,
  { entries, changes, rules, origin }: SnapshotPaths,
  selected: readonly string[],
): Promise<CatalogFile[]> {
  const wanted = new Set(selected.filter((path) => !changes.has(path)));
  const isRead = (path: string) => wanted.has(path) || path.endsWith('.gitattributes');
  const read = [...entries.values()].filter(({ path }) => isRead(path));
  const { attributes } = origin;
  const catalog = await buildCatalog(read, session.objects, { ...rules.selection, attributes });
  return catalog.files.filter(({ path }) => wanted.has(path));
}

interface DetailSources {
  shards: readonly LexicalShard[];
  uncommitted: Uncommitted | null;
  count: number;
  signal: AbortSignal;
}

function openDetails(session: Session, { rules }: SnapshotPaths, sources: DetailSources) {
  const { shards, uncommitted, count, signal } = sources;
  const { config } = rules.settings;
  const { languages, maxFileBytes } = config;
  const objects = uncommitted?.state.objects ?? session.objects;
  // Its own reader, so that no record is written.
  const facts = new BlobFactsSource(session, { languages, maxFileBytes, count, signal, objects });
  const records = remembered(() => openRecords(session, count));
  const overlayShards = new Map(uncommitted?.state.shards.map((shard) => [shard, uncommitted.directory]));
  const { embedder, model } = vectorSource(session, config);

  async function of(file: CatalogFile, unit: UnitLookup): Promise<IndexedFile> {
    const shard = shards[unit.shard];
    const { live } = createLiveSet(shards, [file]);
    const { covered, total } = openVectors(session, config, live, overlayShards);
    const [source] = sourceFiles([file], shards, maxFileBytes);
    const known = unit.state === null ? await facts.facts(file) : null;
    return {
      blob: file.oid,
      bytes: unit.size,
      language: languageIn(source.language, (await objects.read(file.oid))?.content ?? new Uint8Array()),
      marks: marksOf(file, shard.unitFlags[unit.unit]),
      chunks: shard.unitDocuments[unit.unit],
      symbols: known?.symbols.length ?? 0,
      vectors: { covered, total, embedder, model },
      record: await (await records())(file.oid),
      degraded: unit.state,
      ...(known !== null && { parseErrors: known.parseErrors }),
      graph: source.state === 'linked' || source.state === 'degraded' ? source.state : 'none',
    };
  }
  return { of, close: () => facts.close() };
}

/** Makes a value when it is first needed, and returns it from then on. */
function remembered<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function marksOf({ generated, vendored }: CatalogFile, flags: number): IndexedFile['marks'] {
  return [
    ...(generated || (flags & UNIT_GENERATED) !== 0 ? ['generated' as const] : []),
    ...(vendored ? ['vendored' as const] : []),
    ...((flags & UNIT_FORWARDING) !== 0 ? ['forwarding' as const] : []),
  ];
}

/** Finds the record of a blob in the notes of this clone and in the fetched notes of its remotes. */
async function openRecords(session: Session, count: number) {
  const { repository, objects, profile, gitConfig } = session;
  const store = syntaxStore(repository, objects, profile);
  await store.load(count);
  const tracked = trackingRefs(gitConfig, store.ref);
  return async (oid: string): Promise<IndexedFile['record']> => {
    const record = await store.read(oid, { whole: false });
    if (!record?.ok) return { state: 'none', profile, remotes: [] };
    const found = await Promise.all(tracked.map(({ ref }) => notesAt(objects, ref, oid)));
    const remotes = tracked.flatMap(({ remote }, i) => (found[i].length > 0 ? [remote] : []));
    return { state: remotes.length > 0 ? 'shared' : 'local', profile, remotes };
  };
}

// `status --left-out`: every file that is not indexed, grouped by the rule that leaves it out.

/** Default number of files listed in each group. */
const LISTED = 10;

interface LeftOutQuestion {
  ref?: string;
  /** A folder or file, as typed. */
  below: string;
  limit?: number;
}

/** Throws UNKNOWN_REF, BAD_CONFIG, and BAD_ARGUMENT for a path that is missing, or outside of the repository. */
export function answerLeftOut(at: Asker, question: LeftOutQuestion): Promise<LeftOutResponse> {
  return retried(at.session, question.ref, () => leftOutOf(at, question));
}

async function leftOutOf(
  { session, directory, signal }: Asker,
  { ref, below, limit = LISTED }: LeftOutQuestion,
): Promise<LeftOutResponse> {
  const paths = await openSnapshotPaths(session, { ref });
  const all = [...new Set([...paths.entries.keys(), ...paths.changes.keys()])];
  const folder = folderBelow(below, spellings(below, prefixOf(session, directory)), all);
  const wanted = all.filter((path) => path === folder || folderTest(folder)(path));
  if (wanted.length === 0 && folder !== '') throw unknown(folder, all);
  const byName = wanted.map((path) => ({ path, found: paths.rules.byName({ path, type: paths.typeOf(path) }) }));
  const selected = byName.flatMap(({ path, found }) => (found === null ? [path] : []));
  const files = await openFiles(session, paths, { selected, signal });
  const groups = new Map<string, LeftOut & { paths: string[] }>();
  for (const { path, found } of byName) {
    const leftOut = found ?? files.leftOut(path);
    if (leftOut === null || leftOut.reason === 'deleted') continue;
    const key = JSON.stringify([leftOut.reason, leftOut.rule]);
    const group = groups.get(key) ?? { ...leftOut, paths: [] };
    groups.set(key, group);
    group.paths.push(path);
  }
  const { resolved } = paths.origin;
  const sorted = [...groups.values()].sort((a, b) => b.paths.length - a.paths.length);
  return {
    schemaVersion: 1,
    ref: resolved.ref,
    commit: resolved.commit,
    below: folder,
    total: wanted.length,
    leftOut: sorted.reduce((sum, group) => sum + group.paths.length, 0),
    groups: sorted.map(({ reason, rule, bytes = 0, paths: [first, ...rest] }) => ({
      reason,
      rule,
      count: rest.length + 1,
      paths: [first, ...rest].slice(0, limit),
      next: nextStep(reason, { path: first, bytes, ref }),
    })),
  };
}

function unknown(path: string, all: readonly string[]): SocraticodeError {
  const near = nearestPaths(all, path);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Paths are read from the current directory.';
  return new SocraticodeError('BAD_ARGUMENT', `no file or folder ${path} in this snapshot`, { hint });
}

/** First spelling at or below which there are files; '.' is the top. */
function folderBelow(typed: string, spelled: readonly string[], all: readonly string[]): string {
  if (typed === '') return '';
  const folders = spelled.map((path) => (path === '.' || path === './' ? '' : path.replace(/\/+$/, '')));
  return folders.find((folder) => all.some((path) => path === folder || folderTest(folder)(path))) ?? folders[0];
}
