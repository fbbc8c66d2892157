/** Turns ranked chunks into results. Text comes from the blobs themselves, and equal chunks become one result that lists every place. */
import type { ObjectReader } from '../git/objects.js';
import { documentsOf, type LiveSet, locate } from '../shard/live-set.js';
import { definitionsIn, focused, shownSymbol } from './definitions.js';
import type { NextPart } from './rerank.js';
import type { RankedChunk, Ranking } from './scoring.js';

type ResultSource = 'lexical' | 'definition' | 'path' | 'semantic';

interface ResultPlace {
  path: string;
  startLine: number;
  endLine: number;
  /** Id of the blob, if requested: with several refs, a path alone is ambiguous. */
  blob?: string;
  /** The newest refs that hold this blob at this path. */
  refs?: string[];
  refsLeftOut?: number;
  /** Repository, ref and commit of a fleet. */
  repo?: string;
  ref?: string;
  commit?: string;
}

export interface SearchResult extends ResultPlace {
  /** Other places with the same text; undefined if there are none. */
  places?: ResultPlace[];
  language: string;
  kind: string;
  /** Qualified name of the definition that the chunk is about; null outside definitions. */
  symbol: string | null;
  score: number;
  /** Parts of the same file that fit next best; undefined if there are none. */
  also?: NextPart[];
  /** First line of `content`, if lines of context come before the chunk. */
  contentLine?: number;
  /** With `explain`, reasons why the chunk was found: words, a definition, the path, meaning. */
  sources?: ResultSource[];
  explain?: Record<string, number>;
  content?: string;
}

interface CollapseOptions {
  live: LiveSet;
  objects: BlobReader;
  /** Reader that has read some of the texts. */
  texts?: TextReader;
  limit: number;
  /** Accepts a path if the path filter does. */
  showsPath: (path: string) => boolean;
  explain?: boolean;
  noContent?: boolean;
  /** Lines of context before and after each result. */
  context?: number;
  /** Lines up to which the first results are whole definitions, where their chunks are parts of one. */
  whole?: number;
  /** Adds the blob's id to every place. */
  withBlobs?: boolean;
  /** Labels for every place of a file. */
  about?: (file: number) => Pick<ResultPlace, 'repo' | 'ref' | 'commit'>;
  /** Terms of the query. A result is named after the definition whose lines have most of them. */
  terms?: readonly string[];
  /** Candidates, the best first, for the next parts of the results' files. */
  candidates?: Ranking['ranked'];
}

interface CollapsedChunk {
  chunk: RankedChunk;
  hash: number;
  text: string;
  others: ResultPlace[];
  /** Documents of the whole definition, where the result shows it. */
  span?: Span;
}

/** Documents from the first to the last. */
interface Span {
  first: number;
  last: number;
}

type BlobReader = Pick<ObjectReader, 'read'>;
type Blob = Awaited<ReturnType<ObjectReader['read']>>;

/** Bytes of the blobs of a generation, and the size from which a blob is not remembered. */
const MAX_BLOBS = 2 ** 22;
const MAX_BLOB = 2 ** 18;

/** Remembers the last blobs that were read, for questions about the same files: git's answer costs two switches of process. */
export class RecentBlobs {
  private newer = new Map<string, Blob>();
  private older = new Map<string, Blob>();
  private bytes = 0;

  /** A reader that remembers. `except`: ids of uncommitted files, each of which has to be compared with the disk again. */
  over(objects: BlobReader, except: ReadonlySet<string>): BlobReader {
    return {
      read: async (oid) => {
        if (except.has(oid)) return objects.read(oid);
        const blob = this.newer.get(oid) ?? this.older.get(oid) ?? (await objects.read(oid));
        if (blob !== null && blob.content.length < MAX_BLOB) this.keep(oid, blob);
        return blob;
      },
    };
  }

  private keep(oid: string, blob: NonNullable<Blob>): void {
    if (this.newer.has(oid)) return;
    if (this.bytes > MAX_BLOBS) {
      this.older = this.newer;
      this.newer = new Map();
      this.bytes = 0;
    }
    this.newer.set(oid, blob);
    this.bytes += blob.content.length;
  }
}

/** Reads the text of documents, each blob once. */
export class TextReader {
  private readonly blobs = new Map<string, Promise<Buffer | null>>();

  constructor(
    private readonly live: LiveSet,
    private readonly objects: BlobReader,
  ) {}

  blobOf(file: number): Promise<Buffer | null> {
    const oid = this.live.files.oid(file);
    const blob = this.blobs.get(oid) ?? this.objects.read(oid).then((object) => object?.content ?? null);
    this.blobs.set(oid, blob);
    return blob;
  }

  /** Text of a document, or of all from it to the document `last` of the same file. */
  async textOf(document: number, last = document): Promise<string> {
    const { shard, local } = locate(this.live, document);
    const bytes = await this.blobOf(this.live.fileOf[document]);
    const end = shard.columns.end[locate(this.live, last).local];
    return bytes?.subarray(shard.columns.start[local], end).toString('utf8') ?? '';
  }
}

export async function collapse(ranked: readonly RankedChunk[], options: CollapseOptions): Promise<SearchResult[]> {
  const { live, objects, limit } = options;
  const texts = options.texts ?? new TextReader(live, objects);
  const textOf = ({ document }: RankedChunk) => texts.textOf(document);
  const hashOf = ({ document }: RankedChunk): number => {
    const { shard, local } = locate(live, document);
    return shard.columns.hash[local];
  };
  const most = options.whole === undefined ? limit : limit + FIRST * PARTS;
  const gathered: CollapsedChunk[] = [];
  // All at once: one by one, git would be woken for each, and the answer would wait each time.
  await Promise.all(firstOfEach(ranked, hashOf, most).map(textOf));
  for (const chunk of ranked) {
    const hash = hashOf(chunk);
    const twin = gathered.find((entry) => entry.hash === hash);
    if (twin !== undefined && twin.text === (await textOf(chunk))) twin.others.push(...placesOf(options, chunk));
    else if (gathered.length < most) gathered.push({ chunk, hash, text: await textOf(chunk), others: [] });
  }
  const entries = (await widened(gathered, { live, texts, whole: options.whole })).slice(0, limit);
  const results = await withNextParts(
    entries.map((entry) => toResult(entry, options)),
    entries,
    options,
  );
  const { context = 0 } = options;
  if (context === 0 || options.noContent) return results;
  return Promise.all(
    results.map(async (result, i) => {
      const { chunk } = entries[i];
      const bytes = await texts.blobOf(chunk.file);
      const { shard, local } = locate(live, chunk.document);
      return bytes ? withContext(result, bytes, { start: shard.columns.start[local], context }) : result;
    }),
  );
}

/** Results that may be whole definitions, and further parts of each that are read in case they are. */
const FIRST = 3;
const PARTS = 2;

/** Makes the first results whole definitions, if these are short, and drops the results that are parts of them. */
async function widened(
  entries: readonly CollapsedChunk[],
  { live, texts, whole }: { live: LiveSet; texts: TextReader; whole?: number },
): Promise<CollapsedChunk[]> {
  const wide: CollapsedChunk[] = [];
  for (const entry of entries) {
    const { document } = entry.chunk;
    if (wide.some(({ span }) => span !== undefined && span.first <= document && document <= span.last)) continue;
    const span = wide.length < FIRST && entry.others.length === 0 ? definitionOf(live, entry.chunk, whole) : undefined;
    wide.push(span === undefined ? entry : { ...entry, span, text: await texts.textOf(span.first, span.last) });
  }
  return wide;
}

/** The documents of the definition that a chunk is a part of; undefined for a whole one, and for more than `most` lines. */
function definitionOf(live: LiveSet, { document, file }: RankedChunk, most = 0): Span | undefined {
  const { shard, local } = locate(live, document);
  const symbol = shard.documentSymbol(local);
  if (symbol === null || most === 0) return undefined;
  const all = documentsOf(live, file);
  const isPart = (other: number) =>
    other >= all.first && other < all.end && shard.documentSymbol(locate(live, other).local) === symbol;
  let [first, last] = [document, document];
  while (isPart(first - 1)) first--;
  while (isPart(last + 1)) last++;
  const lines =
    shard.columns.endLine[locate(live, last).local] - shard.columns.startLine[locate(live, first).local] + 1;
  return first === last || lines > most ? undefined : { first, last };
}

async function withNextParts(
  results: SearchResult[],
  entries: readonly CollapsedChunk[],
  { live, candidates = [] }: CollapseOptions,
): Promise<SearchResult[]> {
  if (candidates.length === 0) return results;
  const { nextParts } = await import('./rerank.js');
  const shown = results.map(({ symbol }, i) => ({ ...entries[i].chunk, symbol }));
  const next = nextParts(live, candidates, shown);
  return results.map((result, i) => {
    const also = next.get(entries[i].chunk.document) ?? [];
    return also.length === 0 ? result : { ...result, also };
  });
}

/** Returns the first chunk of each hash, up to `limit` hashes: usually the chunks that are shown. */
function firstOfEach(
  ranked: readonly RankedChunk[],
  hashOf: (chunk: RankedChunk) => number,
  limit: number,
): RankedChunk[] {
  const first = new Map<number, RankedChunk>();
  for (const chunk of ranked) {
    if (first.size >= limit) break;
    const hash = hashOf(chunk);
    if (!first.has(hash)) first.set(hash, chunk);
  }
  return [...first.values()];
}

const NEWLINE = 0x0a;

/** Adds the lines around a chunk that begins at the byte `start`. */
function withContext(
  result: SearchResult,
  bytes: Buffer,
  { start, context }: { start: number; context: number },
): SearchResult {
  let from = start;
  let before = 0;
  for (; before < context && from > 0; before++) from = from < 2 ? 0 : bytes.lastIndexOf(NEWLINE, from - 2) + 1;
  let end = start + Buffer.byteLength(result.content ?? '');
  for (let after = 0; after <= context && end < bytes.length; after++) {
    const next = bytes.indexOf(NEWLINE, end + (after === 0 ? 0 : 1));
    end = next < 0 ? bytes.length : next;
  }
  const content = bytes.toString('utf8', from, end).replace(/\r?\n$/, '');
  return { ...result, ...(before > 0 && { contentLine: result.startLine - before }), content };
}

function placesOf(
  { live, showsPath, withBlobs, about }: CollapseOptions,
  chunk: RankedChunk,
  { first, last }: Span = { first: chunk.document, last: chunk.document },
): ResultPlace[] {
  const { shard, local } = locate(live, first);
  const startLine = shard.columns.startLine[local];
  const endLine = shard.columns.endLine[locate(live, last).local];
  const paths = live.files.paths(chunk.file);
  // Paths that the filter accepts come first; the others show where else the text occurs.
  const wanted = [...paths.filter(showsPath), ...paths.filter((path) => !showsPath(path))];
  const blob = withBlobs ? { blob: live.files.oid(chunk.file) } : {};
  return wanted.map((path) => ({ path, startLine, endLine, ...blob, ...about?.(chunk.file) }));
}

function toResult({ chunk, text, others, span }: CollapsedChunk, options: CollapseOptions): SearchResult {
  const { live, explain, noContent } = options;
  const { shard, local } = locate(live, chunk.document);
  const [place, ...copies] = placesOf(options, chunk, span);
  const content = text.replace(/\s+$/, '');
  // Blank lines after a definition belong to its chunk, but do not help a reader.
  place.endLine -= Math.max(0, text.slice(content.length).split('\n').length - 1 - (text.endsWith('\n') ? 1 : 0));
  const places = [...copies, ...others];
  const own = { symbol: shard.documentSymbol(local), kind: shard.documentKind(local) };
  const defined = definitionsIn(shard, local, content);
  const named =
    chunk.defines === undefined
      ? focused(own, defined, { content, terms: options.terms ?? [] })
      : shownSymbol(own, defined, chunk.defines);
  // A filter by kind selected the result by its own kind.
  const kind = options.terms?.length === 0 ? own.kind : named.kind;
  return {
    ...place,
    ...(places.length > 0 ? { places } : {}),
    language: live.files.language(chunk.file),
    symbol: named.symbol,
    kind,
    score: round(chunk.score, explain ? 1e6 : 1e3),
    ...(explain ? explained(chunk.explain) : {}),
    ...(noContent ? {} : { content }),
  };
}

function explained(all: Record<string, number>): Pick<SearchResult, 'sources' | 'explain'> {
  return {
    sources: sourcesOf(all),
    explain: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, round(value, 1e6)])),
  };
}

function sourcesOf(explain: Record<string, number>): ResultSource[] {
  const sources: ResultSource[] = [];
  if (explain.bm25 || explain.exact) sources.push('lexical');
  if (explain.definition) sources.push('definition');
  if (explain.fileName || explain.directory || explain.prefix) sources.push('path');
  if (explain['rank:vectors'] || explain.similarity) sources.push('semantic');
  return sources;
}

const round = (value: number, parts: number): number => Math.round(value * parts) / parts;
