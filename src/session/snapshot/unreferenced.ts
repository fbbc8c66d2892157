/**
 * Units of snapshots without a ref, such as an old commit or the start of a range. A question about one parses the files that are in no
 * index, answers from memory, and then writes their records together. It publishes no shard, vectors or view: such commits are asked
 * about once or twice, and their files would soon outgrow those of HEAD. Only the view of the last commit is cached in a file
 * (`readPast`, `writePast`). `readFirst` is about another kind of snapshot that is not indexed: a large one, of which a question reads
 * the files with its words.
 */
import { createHash } from 'node:crypto';
import { packSections, Sections } from '../../base/binary.js';
import type { StateFiles } from '../../base/cache.js';
import { isSocraticodeError } from '../../base/errors.js';
import type { NoteEntry } from '../../git/notes.js';
import { decodePath, type ObjectReader } from '../../git/objects.js';
import type { Git } from '../../git/process.js';
import { type DerivedBlob, deriveBlobs } from '../../indexer/derive.js';
import type { ParseJob } from '../../indexer/parser-pool.js';
import { planIndex } from '../../indexer/run.js';
import { syntaxStore } from '../../record/store.js';
import { decodeView, encodeView } from '../../search/corpus.js';
import { LexicalBuilder } from '../../shard/builder.js';
import type { Manifest } from '../../shard/directory.js';
import { encodeLexical } from '../../shard/lexical-format.js';
import { LexicalShard } from '../../shard/lexical-shard.js';
import type { CatalogFile } from '../../shard/live-set.js';
import { mergeLexical } from '../../shard/merge.js';
import { VectorShard } from '../../shard/vector-shard.js';
import type { Session } from '../session.js';
import { IdleParsers } from '../speculation.js';
import { PAST } from '../state-kinds.js';
import { type KnownVectors, knownVectors, rememberVectors } from '../vectors/vectors.js';
import { writeRecords } from '../writer-lock.js';
import { MOST_AWAITED, type UnitCounts } from './coverage.js';
import type { SnapshotFiles, SnapshotOrigin, ViewNote } from './snapshot.js';
import { arrange, compact, type LocalShards, type View } from './view-cache.js';

/** Limit on shards before they are merged: each question adds one, and a query pays for each shard that it reads. */
const MAX_SHARDS = 8;
/** Limit on the bytes of shards in memory. The oldest go first. */
const MAX_BYTES = 32 << 20;
/** Time that records wait for those of the next question, so that an agent's walk over commits adds few commits of notes. */
const WRITE_AFTER_MS = 1_000;

/** Units that questions about such snapshots have made, for the questions that follow in this process. */
export class UnreferencedUnits {
  /** Blobs that could not be read. */
  readonly unreadable = new Set<string>();
  private cached: LexicalShard[] = [];
  /** Files of the shards, to write them beside a view. */
  private readonly bytes = new WeakMap<LexicalShard, Buffer>();
  /** The snapshot of the last question, until it is written. */
  private last: { key: string; view: View<ViewNote> } | null = null;
  private notes: NoteEntry[] = [];
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();
  private isClosed = false;
  /** One parser: a second takes longer to start than the files of a few commits take to parse. */
  private readonly parsers = new IdleParsers(1);

  constructor(private readonly session: Session) {
    session.onClose(() => this.close());
  }

  /** Starts the parser while git looks for the files to read; it stops after a minute if there are none. */
  async parserDuring<T>(looking: Promise<T>): Promise<T> {
    if (!this.isClosed) this.parsers.warm();
    try {
      return await looking;
    } finally {
      this.parsers.rest();
    }
  }

  /** Shards of earlier questions. */
  get shards(): readonly LexicalShard[] {
    return this.cached;
  }

  /**
   * Returns shards in memory that hold, together with `indexed`, every readable file of a snapshot. Throws the errors of parsing, and
   * CANCELLED.
   */
  async complete(
    files: SnapshotFiles,
    indexed: readonly LexicalShard[],
    signal?: AbortSignal,
  ): Promise<LexicalShard[]> {
    const { maxFileBytes } = files.config;
    const own = [...this.cached];
    const known = [...indexed, ...own];
    const plan = planIndex(files.catalog.files, known, {
      maxFileBytes,
      hasGrammar: () => false,
      isTriedAgain: () => false,
    });
    const fresh = plan.filter(({ oid }) => !this.unreadable.has(oid));
    if (fresh.length === 0) return own;
    const { repository, objects, profile, about } = this.session;
    const store = syntaxStore(repository, objects, profile, about);
    await store.load(fresh.length);
    const builder = new LexicalBuilder(this.session.oidBytes);
    const pool = { parse: (job: ParseJob) => this.parsers.get().parse(job) };
    const context = { objects, store, pool, maxFileBytes, signal, onBadRecord: () => {} };
    for await (const blob of deriveBlobs(fresh, context)) this.add(builder, blob);
    this.parsers.rest();
    this.writeLater();
    return builder.unitCount === 0 ? own : [...own, this.keep(encodeLexical(builder.finish()))];
  }

  /** Adds the units of a blob to the shard that is being built, and its record to those that will be written. */
  private add(builder: LexicalBuilder, { oid, units, bytes, size, note, source }: DerivedBlob): void {
    if (source === 'none' && units.length === 0) this.unreadable.add(oid);
    for (const { language, facts, state } of units) {
      if (facts !== null && bytes !== null) builder.add(oid, language, facts, bytes, state);
      else if (state !== undefined) builder.addSkipped(oid, language, state, size);
    }
    if (note !== null) this.notes.push({ target: oid, note });
  }

  /** Caches a new shard, within the limits, and returns it. The question uses it even where it is merged at once. */
  private keep(bytes: Buffer): LexicalShard {
    const shard = this.push(bytes);
    while (this.cached.length > 1 && this.cachedBytes() > MAX_BYTES) this.cached.shift();
    if (this.cached.length > MAX_SHARDS) {
      const merged = encodeLexical(mergeLexical(this.cached));
      this.cached = [];
      this.push(merged);
    }
    return shard;
  }

  private cachedBytes(): number {
    return this.cached.reduce((sum, shard) => sum + (this.bytes.get(shard)?.length ?? 0), 0);
  }

  private push(bytes: Buffer): LexicalShard {
    const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    const shard = new LexicalShard(bytes, `passing-${digest}`);
    this.bytes.set(shard, bytes);
    this.cached.push(shard);
    return shard;
  }

  /** Caches a snapshot for the next process. */
  remember(key: string, view: View<ViewNote>): void {
    this.last = { key, view };
    this.writeLater();
  }

  private writeLater(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    // If a question outlives its session, nobody else will write its records.
    if (this.isClosed) this.write();
    else this.timer = setTimeout(() => this.write(), WRITE_AFTER_MS).unref();
  }

  private write(): void {
    const { repository, objects, profile, about, shards, state } = this.session;
    const { notes, last } = this;
    this.notes = [];
    this.last = null;
    if (last !== null) writePast({ state, manifest: shards.readManifest() }, last.key, last.view, this.bytes);
    if (notes.length === 0) return;
    const store = syntaxStore(repository, objects, profile, about);
    this.writing = this.writing.then(() => writeRecords(this.session, store, notes));
  }

  /** Begins to write the remaining records. The process ends when they are written. */
  private close(): void {
    this.isClosed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    this.parsers.stop();
    this.write();
  }
}

/** Limit on the missing files of such a snapshot: each process reads or parses them again. */
const MOST_FILES = 400;
/** Folders in which git looks for a ref by name. */
const REF_FOLDERS = ['refs/heads/', 'refs/remotes/', 'refs/tags/', 'refs/'];
/** Revision expressions: `main~3`, `v1^`, `main@{1}`, `HEAD:src`. */
const EXPRESSION = /[~^:]|@\{/;

/**
 * Returns whether a snapshot that lacks files is answered from memory: no ref names it, most of its files are indexed, and no provider
 * has to make its vectors.
 */
export async function isUnreferenced(
  { objects }: Pick<Session, 'objects'>,
  { resolved: { ref }, trees }: SnapshotOrigin,
  { config }: SnapshotFiles,
  { missing, files }: UnitCounts,
): Promise<boolean> {
  if (trees !== undefined || config.embedder.name !== 'builtin') return false;
  if (missing > MOST_FILES || missing > files) return false;
  return !(await isRef(objects, ref));
}

/** Files that are read for a question, enough for its page of results: the least in any case, and others up to so many and so many bytes. */
const READ_FIRST = { most: 80, least: 24, bytes: 320 << 10 };
/** Words that are looked for, the longest first: they are the rarest. */
const MOST_WORDS = 3;
/** Time after which a server, whose index is being made meanwhile, looks for words no longer. */
const MOST_LOOKING_MS = 3_000;
/** Files with every word below which files with any of them are read as well, after them. */
const FEW = 20;

type ReadingSession = Pick<Session, 'repository' | 'shards' | 'backgroundIndexer' | 'objects'>;

/** The files of a large tree that has not been indexed, yet have the words of the question; null if the answer waits for all files. */
export async function readFirst(
  { repository, shards, backgroundIndexer, objects }: ReadingSession,
  { resolved, words, trees }: SnapshotOrigin,
  { catalog, config }: SnapshotFiles,
  { missing, files }: UnitCounts,
  signal?: AbortSignal,
): Promise<CatalogFile[] | null> {
  if (words === undefined || trees !== undefined || config.embedder.name !== 'builtin') return null;
  if (missing <= MOST_AWAITED) return null;
  const isServed = backgroundIndexer !== null;
  // The first question of a command waits for the whole index, which nobody else makes.
  if (!isServed && files === 0 && shards.readManifest().shards.length === 0) return null;
  const wanted = [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, MOST_WORDS);
  if (wanted.length === 0) return null;
  const how = { signal, deadline: isServed ? MOST_LOOKING_MS : undefined };
  const lines = await linesOf(repository.git, resolved.tree, wanted, how);
  const found = lines && bestFiles(catalog.files, wanted, lines);
  if (found === null || (isServed && found.length === 0)) return null;
  return firstBytes(found, objects, config.maxFileBytes);
}

/** The first of these files, and of the others those that fit: the answer waits for a parser that has just started, which is slow. */
async function firstBytes(
  files: readonly CatalogFile[],
  objects: ObjectReader,
  maxFileBytes: number,
): Promise<CatalogFile[]> {
  const sizes = await Promise.all(files.map(({ oid }) => objects.info(oid)));
  let left = READ_FIRST.bytes;
  return files.filter((_, i) => {
    const size = sizes[i]?.size ?? 0;
    // Nothing is read of a file over the limit of the settings.
    const read = size > maxFileBytes ? 0 : size;
    if (i >= READ_FIRST.least && read > left) return false;
    left -= read;
    return true;
  });
}

/** Number of lines with the words, by path: of files with all of them, and, if those are few, of files with any. */
interface WordLines {
  whole: ReadonlyMap<string, number>;
  counts: ReadonlyMap<string, number>;
}

/** Looks for words in a tree; null where this clone lacks some of its blobs, or git takes too long. */
async function linesOf(git: Git, tree: string, words: readonly string[], how: Looking): Promise<WordLines | null> {
  const patterns = words.flatMap((word) => ['-e', word]);
  try {
    const whole = await linesWith(git, tree, ['--all-match', ...patterns], how);
    return { whole, counts: whole.size < FEW ? await linesWith(git, tree, patterns, how) : whole };
  } catch (error) {
    if (isSocraticodeError(error, 'UNREADABLE_OBJECT') || isSocraticodeError(error, 'RESOURCES')) return null;
    throw error;
  }
}

/** The files with words of the question: those with all of them, those named by them, and those with more lines first. */
function bestFiles(
  files: readonly CatalogFile[],
  words: readonly string[],
  { whole, counts }: WordLines,
): CatalogFile[] {
  const named = (path: string) => words.filter((word) => path.toLowerCase().includes(word.toLowerCase())).length;
  const scored = files.flatMap((file) => {
    const lines = counts.get(file.path);
    return lines === undefined ? [] : [{ file, isWhole: Number(whole.has(file.path)), named: named(file.path), lines }];
  });
  scored.sort((a, b) => b.isWhole - a.isWhole || b.named - a.named || b.lines - a.lines);
  return scored.slice(0, READ_FIRST.most).map(({ file }) => file);
}

interface Looking {
  signal?: AbortSignal;
  deadline?: number;
}

/** Number of lines with any of the words, by path, in a tree. */
async function linesWith(
  git: Git,
  tree: string,
  patterns: readonly string[],
  how: Looking,
): Promise<Map<string, number>> {
  const fixed = ['-F', '-i', '-a', '-c', '-z', '--no-color', '--no-textconv', '--no-recurse-submodules'];
  const args = ['grep', ...fixed, ...patterns, tree, '--'];
  const { stdout } = await git.run(args, { allow: [1], ...how });
  const counts = new Map<string, number>();
  // Each entry is `TREE:PATH`, a NUL, the count and a line feed, which a path may hold as well.
  for (const entry of stdout.toString('latin1').split(/(?<=\0\d+)\n/)) {
    const [name, count] = entry.split('\0');
    if (count !== undefined) counts.set(decodePath(Buffer.from(name.slice(tree.length + 1), 'latin1')), Number(count));
  }
  return counts;
}

async function isRef(objects: ObjectReader, name: string): Promise<boolean> {
  if (name === 'HEAD' || name.startsWith('refs/')) return true;
  if (EXPRESSION.test(name)) return false;
  const found = await Promise.all(REF_FOLDERS.map((folder) => objects.info(`${folder}${name}`)));
  return found.some((object) => object !== null);
}

const PAST_MAGIC = 'GSCPAST1';

interface PastMeta {
  /** Names of the view's shards, in its own numbering. */
  shards: string[];
  state: string | null;
  own: OwnShard[];
}

/** A shard that only this file holds, with the profile of its vectors; null without vectors. */
interface OwnShard {
  name: string;
  vectors: { profile: string; dimensions: number; isWhole: boolean } | null;
}

/** Limit on the bytes of these files: one and a half times those of the published shards with their vectors, which are as large again. */
function mostBytes({ shards }: Manifest): number {
  return 3 * shards.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Reads the view of a past commit; null without a usable file. The published shards that it names must be open. */
export function readPast<T>(state: StateFiles, key: string, local: LocalShards): View<T> | null {
  return state.read(PAST, key, ({ content, path }) => {
    const sections = new Sections<PastMeta>(content, PAST_MAGIC, path);
    const { shards: names, state: localState, own: listed } = sections.meta;
    if (localState !== null && localState !== local.localState) return null;
    const own = listed.map((each, i) => ownShard(sections, each, i));
    const shards = arrange([...local.shards, ...own], names);
    return shards && { ...decodeView<T>(sections.bytes('view'), shards, path), localState, own };
  });
}

function ownShard(sections: Sections<PastMeta>, { name, vectors }: OwnShard, i: number): LexicalShard {
  const shard = new LexicalShard(sections.bytes(`words${i}`), name);
  if (vectors === null) return shard;
  const { buffer, byteOffset, byteLength } = sections.u8(`rows${i}`);
  const columns = {
    dimensions: vectors.dimensions,
    rows: new Int8Array(buffer, byteOffset, byteLength),
    squares: sections.u32(`squares${i}`),
    present: vectors.isWhole ? null : sections.u8(`present${i}`),
  };
  rememberVectors(shard, { profile: vectors.profile, vectors: new VectorShard(columns) });
  return shard;
}

/** Writes the view of a past commit, with the shards that no other file holds; `inMemory` has their bytes. Never throws. */
function writePast<T>(
  { state, manifest }: { state: StateFiles; manifest: Manifest },
  key: string,
  { corpus, extra, localState }: View<T>,
  inMemory: WeakMap<LexicalShard, Buffer>,
): void {
  const { names, files } = compact(corpus.live);
  const sections: Record<string, Uint8Array | Uint32Array> = {
    view: encodeView({ ...corpus, live: { ...corpus.live, files } }, extra),
  };
  const own = corpus.live.shards.filter((shard) => inMemory.has(shard) && names.includes(shard.name));
  const listed = own.map((shard, i): OwnShard => {
    sections[`words${i}`] = inMemory.get(shard) as Buffer;
    return { name: shard.name, vectors: addVectors(sections, i, knownVectors(shard)) };
  });
  const meta: PastMeta = { shards: names, state: localState, own: listed };
  const content = packSections(PAST_MAGIC, meta, sections);
  const bytes = mostBytes(manifest);
  if (content.length <= bytes) state.write({ ...PAST, bytes }, key, content);
}

function addVectors(
  sections: Record<string, Uint8Array | Uint32Array>,
  i: number,
  known: KnownVectors | undefined,
): OwnShard['vectors'] {
  if (known === undefined) return null;
  const { rows, squares, present, dimensions } = known.vectors;
  sections[`rows${i}`] = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  sections[`squares${i}`] = squares;
  if (present !== null) sections[`present${i}`] = present;
  return { profile: known.profile, dimensions, isWhole: present === null };
}
