/**
 * Codecs of a view: the files of a published ref, and the frequencies of its terms. Views come from publishers, so the readers
 * trust nothing: sizes are bounded, and paths are those that a git tree can have.
 */
import {
  ByteReader,
  ByteWriter,
  type CborValue,
  orderUtf8,
  PATH_CLASSES,
  type PathClass,
  SocraticodeError,
} from './internal.js';
import { KEY_BYTES, keyBytes, keyOf } from './keys.js';
import { damaged, deflated, inflated, limitsOf, sealed, unsealed } from './sealed.js';

export const MAX_FILES = 2_000_000;
const MAX_PATH_BYTES = 4_096;
const MAX_TERMS = 20_000_000;
/** Bytes of a view's facts or statistics, as uploaded and inflated. */
export const MAX_VIEW_BYTES = 128 << 20;
const MAX_INFLATED = 512 << 20;
const FORMAT = 1;

/** One unit of a view. */
export interface ViewFile {
  key: string;
  language: string;
  /** Paths of the content in the order of the tree, at least one. */
  paths: readonly string[];
  pathClass: PathClass;
  /** Share of the repository's centrality, 0 to 1. */
  centrality: number;
}

/** The files of a view in columns: file i has the i-th value of each. */
export interface ViewFacts {
  length: number;
  /** `KEY_BYTES` for each file; `keyOf(keys, i)` is the key of file i. */
  keys: Uint8Array;
  /** Language ids, and the index of each file's. */
  languages: readonly string[];
  language: Uint8Array;
  /** Index into PATH_CLASSES. */
  classes: Uint8Array;
  centrality: Float32Array;
  /** Paths of file i are `paths[pathStart[i]]` to `paths[pathStart[i + 1] - 1]`. */
  pathStart: Uint32Array;
  paths: readonly string[];
}

/** Encodes files in the order of their first paths: 25 to 35 bytes a file. */
export function encodeFacts(files: readonly ViewFile[]): Uint8Array {
  const languages = [...new Set(files.map(({ language }) => language))].sort();
  const codes = new Map(languages.map((language, i) => [language, i]));
  const centrality = Float32Array.from(files, (file) => file.centrality);
  return sealed([
    FORMAT,
    files.length,
    languages,
    Buffer.concat(files.map(({ key }) => keyBytes(key))),
    deflated(Uint8Array.from(files, ({ language }) => codes.get(language) as number)),
    deflated(Uint8Array.from(files, ({ pathClass }) => PATH_CLASSES.indexOf(pathClass))),
    deflated(new Uint8Array(centrality.buffer)),
    deflated(packPaths(files)),
  ] satisfies CborValue);
}

/** For each file varint(count), then each path as the length of the prefix that it shares with the previous path, and the rest. */
function packPaths(files: readonly ViewFile[]): Uint8Array {
  const out = new ByteWriter();
  let before: Uint8Array = new Uint8Array(0);
  for (const { paths } of files) {
    out.varint(paths.length);
    for (const path of paths) {
      const bytes = Buffer.from(path);
      writeFront(out, before, bytes);
      before = bytes;
    }
  }
  return out.view();
}

function writeFront(out: ByteWriter, before: Uint8Array, bytes: Uint8Array): void {
  let shared = 0;
  while (shared < before.length && shared < bytes.length && before[shared] === bytes[shared]) shared++;
  out.varint(shared);
  out.varint(bytes.length - shared);
  out.bytes(bytes.subarray(shared));
}

/** Reads front-coded strings; every length is checked against the remaining bytes. */
class FrontReader {
  /** Bytes of the last string: the first `length`, of which `shared` come from the string before. */
  readonly bytes = Buffer.alloc(MAX_PATH_BYTES);
  length = 0;
  shared = 0;
  private readonly reader: ByteReader;

  constructor(
    private readonly data: Buffer,
    private readonly what: string,
  ) {
    this.reader = new ByteReader(data);
  }

  get isAtEnd(): boolean {
    return this.reader.at === this.data.length;
  }

  varint(): number {
    const value = this.reader.varint();
    if (this.reader.at > this.data.length) damaged(this.what);
    return value;
  }

  next(): void {
    const shared = this.varint();
    const rest = this.varint();
    const from = this.reader.at;
    if (shared > this.length || shared + rest > MAX_PATH_BYTES || rest > this.data.length - from) damaged(this.what);
    this.data.copy(this.bytes, shared, from, from + rest);
    this.shared = shared;
    this.length = shared + rest;
    this.reader.at = from + rest;
  }

  text(): string {
    this.next();
    return this.bytes.toString('utf8', 0, this.length);
  }
}

/** Throws FLEET_STORE for invalid bytes, and for paths that no git tree has. */
export function decodeFacts(bytes: Uint8Array): ViewFacts {
  const what = 'the list of files of a view';
  const value = unsealed(bytes, what, limitsOf(MAX_VIEW_BYTES, 256));
  if (!Array.isArray(value) || value.length !== 8 || value[0] !== FORMAT) damaged(what);
  const [, length, languages, keys, ...columns] = value as [number, number, string[], ...Uint8Array[]];
  const isCount = typeof length === 'number' && length >= 0 && length <= MAX_FILES;
  const areNames = Array.isArray(languages) && languages.every((name) => typeof name === 'string');
  if (!isCount || !areNames || !columns.every(isBytes) || !isBytes(keys) || keys.length !== length * KEY_BYTES)
    damaged(what);
  const [language, classes, ranks, paths] = columns.map((column, i) =>
    inflated(column, [length, length, length * 4, MAX_INFLATED][i], what),
  );
  if (language.length !== length || classes.length !== length || ranks.length !== length * 4) damaged(what);
  if (language.some((code) => code >= languages.length) || classes.some((code) => code >= PATH_CLASSES.length))
    damaged(what);
  const centrality = new Float32Array(new Uint8Array(ranks).buffer);
  if (!centrality.every((rank) => rank >= 0 && rank <= 1)) damaged(what);
  return { length, keys, languages, language, classes, centrality, ...unpackPaths(paths, length, what) };
}

const isBytes = (value: unknown): value is Uint8Array => value instanceof Uint8Array;

function unpackPaths(data: Buffer, length: number, what: string): Pick<ViewFacts, 'pathStart' | 'paths'> {
  const reader = new FrontReader(data, what);
  const pathStart = new Uint32Array(length + 1);
  const paths: string[] = [];
  for (let file = 0; file < length; file++) {
    const count = reader.varint();
    if (count === 0 || paths.length + count > MAX_FILES) damaged(what);
    for (let i = 0; i < count; i++) paths.push(checkPath(reader.text()));
    pathStart[file + 1] = paths.length;
  }
  if (!reader.isAtEnd) damaged(what);
  return { pathStart, paths };
}

function checkPath(path: string): string {
  const isOdd = path.includes('\0') || path.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (isOdd) throw new SocraticodeError('FLEET_STORE', 'a view names a path that no git tree has');
  return path;
}

export function keysOf({ keys, length }: Pick<ViewFacts, 'keys' | 'length'>): string[] {
  return Array.from({ length }, (_, i) => keyOf(keys, i));
}

/** Statistics of a whole snapshot for BM25F, when only some of its units are loaded. */
export interface ViewStats {
  /** Number of chunks. */
  count: number;
  /** Average lengths of the fields, in terms: body, name, enclosing, path. */
  averages: { body: number; name: number; enclosing: number; path: number };
  /** Number of chunks that have a term in any field. */
  df: ReadonlyMap<string, number>;
}

const AVERAGES = ['body', 'name', 'enclosing', 'path'] as const;
/** Denominator of averages, which are stored as integers: canonical CBOR has no floats. */
const FRACTION = 65_536;

export function encodeStats({ count, averages, df }: ViewStats): Uint8Array {
  const out = new ByteWriter(1 << 16);
  let before: Uint8Array = new Uint8Array(0);
  for (const term of [...df.keys()].sort(orderUtf8)) {
    const bytes = Buffer.from(term);
    writeFront(out, before, bytes);
    out.varint(df.get(term) as number);
    before = bytes;
  }
  const lengths = AVERAGES.map((name) => Math.min(0xffff_ffff, Math.round(averages[name] * FRACTION)));
  return sealed([FORMAT, count, lengths, df.size, deflated(out.view())]);
}

/** Throws FLEET_STORE for invalid bytes. */
export function decodeStats(bytes: Uint8Array): ViewStats {
  const df = new Map<string, number>();
  const about = readStats(bytes, ({ bytes: term, length }, count) => df.set(term.toString('utf8', 0, length), count));
  return { ...about, df };
}

/**
 * Reads statistics without a string for each term, of which a large repository has 100,000. `onTerm` gets the number of chunks
 * with the term; the term itself is valid until the next one is read. Throws FLEET_STORE.
 */
export function readStats(
  bytes: Uint8Array,
  onTerm: (term: Readonly<Pick<FrontReader, 'bytes' | 'length' | 'shared'>>, count: number) => void,
): Omit<ViewStats, 'df'> {
  const what = 'the statistics of a view';
  const value = unsealed(bytes, what, limitsOf(MAX_VIEW_BYTES));
  if (!Array.isArray(value) || value.length !== 5 || value[0] !== FORMAT) damaged(what);
  const [, count, lengths, terms, packed] = value as [number, number, number[], number, Uint8Array];
  const areLengths = Array.isArray(lengths) && lengths.length === AVERAGES.length && lengths.every(isCount);
  if (!isCount(count) || !areLengths || !isCount(terms) || terms > MAX_TERMS || !isBytes(packed)) damaged(what);
  const reader = new FrontReader(inflated(packed, MAX_INFLATED, what), what);
  for (let i = 0; i < terms; i++) {
    reader.next();
    onTerm(reader, Math.min(count, reader.varint()));
  }
  if (!reader.isAtEnd) damaged(what);
  const [body, name, enclosing, path] = lengths.map((length) => length / FRACTION);
  return { count, averages: { body, name, enclosing, path } };
}

const isCount = (value: unknown): value is number => typeof value === 'number' && value >= 0;
