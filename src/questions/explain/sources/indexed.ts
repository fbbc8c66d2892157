/** Reads what the index has of files: their chunks, symbols, record and vectors, and their place in the graph. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { buildCatalog } from '../../../indexer/catalog.js';
import { type OverlayState, WorkTreeOverlay } from '../../../overlay/overlay.js';
import { notesAt, syntaxStore } from '../../../record/store.js';
import { BlobFactsSource } from '../../../session/blob-facts.js';
import { sourceFiles } from '../../../session/graph/graph-files.js';
import type { Session } from '../../../session/session.js';
import { IdleParsers } from '../../../session/speculation.js';
import { openVectors, vectorSource } from '../../../session/vectors/vectors.js';
import type { LexicalShard } from '../../../shard/lexical.js';
import { UNIT_FORWARDING, UNIT_GENERATED } from '../../../shard/lexical-format.js';
import { type CatalogFile, createLiveSet, lookUpUnit, type UnitLookup } from '../../../shard/live.js';
import { trackingRefs } from '../../../share/remotes.js';
import type { IndexedFile } from '../output.js';
import { kindAt } from './places.js';
import type { LeftOut } from './rules.js';
import type { SnapshotPaths } from './snapshot-paths.js';

export interface FileReader {
  /** Why one of the paths is not indexed; null where it is. */
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

/** Indexes nothing: uncommitted files alone are parsed, as a search parses them. */
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

/** Reads the uncommitted ones among the files; null if there are none. Keeps nothing of them. */
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

/** Why an uncommitted file is not searched although no rule leaves its name out. */
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
  // A reader of its own: then no record is written.
  const facts = new BlobFactsSource(session, { languages, maxFileBytes, count, signal, objects });
  const records = remembered(() => openRecords(session, count));
  const overlayShards = new Map(uncommitted?.state.shards.map((shard) => [shard, uncommitted.directory]));
  const { embedder, model } = vectorSource(session, config);

  async function of(file: CatalogFile, unit: UnitLookup): Promise<IndexedFile> {
    const shard = shards[unit.shard];
    const { live } = createLiveSet(shards, [file]);
    const { covered, total } = openVectors(session, config, live, overlayShards);
    const [source] = sourceFiles([file], shards, maxFileBytes);
    const isParsed = unit.state === null;
    return {
      blob: file.oid,
      bytes: unit.size,
      language: source.language,
      marks: marksOf(file, shard.unitFlags[unit.unit]),
      chunks: shard.unitDocuments[unit.unit],
      symbols: isParsed ? ((await facts.facts(file))?.symbols.length ?? 0) : 0,
      vectors: { covered, total, embedder, model },
      record: await (await records())(file.oid),
      degraded: unit.state,
      graph: source.state === 'linked' || source.state === 'degraded' ? source.state : 'none',
    };
  }
  return { of, close: () => facts.close() };
}

/** Makes a thing when it is first needed. */
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

/** Looks for the record of a blob among the notes of this clone, and among those of its remotes as far as it knows them. */
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
