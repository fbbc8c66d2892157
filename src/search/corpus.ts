/**
 * A live set with the data that every query needs: average lengths, path postings, classes, centrality. Built once per snapshot. As a
 * cached view it loads in milliseconds, while listing a tree of 30,000 files takes a second.
 */
import { ByteReader, packSections, Sections } from '../base/binary.js';
import { SocraticodeError } from '../base/errors.js';
import { eachIdentifier, identifierParts, identifierTerms, textTerms } from '../extract/terms.js';
import { type Dictionary, DictionaryWriter, orderUtf8, packStrings, StringTable } from '../shard/lexical-format.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import { documentsOf, FileTable, type LiveSet, liveSetOf } from '../shard/live-set.js';

/** Classes of files by path; the rules are in `path-classes.ts`. The order gives the codes in cached views. */
export const PATH_CLASSES = [
  'source',
  'test',
  'example',
  'legacy',
  'generated',
  'vendored',
  'declaration',
  'forwarding',
  'document',
  'data',
] as const;
export type PathClass = (typeof PATH_CLASSES)[number];

/** Average field lengths over the live documents, in terms. */
interface Averages {
  body: number;
  name: number;
  enclosing: number;
  path: number;
}

export interface Corpus {
  live: LiveSet;
  averages: Averages;
  pathPostings: PathPostings;
  /** Length of the path field in terms, by file. */
  pathLengths: Uint16Array;
  /** Index into PATH_CLASSES, by file. */
  classes: Uint8Array;
  /** Centrality by file; the values sum to 1. */
  centrality: Float64Array;
}

export function averageLengths(live: LiveSet, pathLengths: Uint16Array): Averages {
  const sum: Averages = { body: 0, name: 0, enclosing: 0, path: 0 };
  for (let file = 0; file < live.files.length; file++) {
    const index = live.files.shard[file];
    const { columns } = live.shards[index];
    const { first, end } = documentsOf(live, file);
    sum.path += pathLengths[file] * (end - first);
    for (let local = first - live.bases[index]; local < end - live.bases[index]; local++) {
      sum.body += columns.bodyLength[local];
      sum.name += columns.nameLength[local];
      sum.enclosing += columns.enclosingLength[local];
    }
  }
  const n = Math.max(1, live.count);
  return { body: sum.body / n, name: sum.name / n, enclosing: sum.enclosing / n, path: sum.path / n };
}

/** Kind and version of cached views. Change it with their content, including path terms and centrality. */
const VIEW_MAGIC = 'GSCVIEW9';

interface ViewMeta<T> {
  averages: Averages;
  /** Data that the caller stores together with the corpus. */
  extra: T;
}

export function encodeView<T>({ live, averages, ...corpus }: Corpus, extra: T): Buffer {
  const { files } = live;
  return packSections(VIEW_MAGIC, { averages, extra } satisfies ViewMeta<T>, {
    fileShard: files.shard,
    fileUnit: files.unit,
    pathStart: files.pathStart,
    ...files.table.sections('path'),
    ...corpus.pathPostings.sections(),
    pathLengths: corpus.pathLengths,
    classes: corpus.classes,
    centrality: new Uint8Array(corpus.centrality.buffer, corpus.centrality.byteOffset, corpus.centrality.byteLength),
  });
}

/** Decodes a view over exactly the shards that it was made from. Throws SHARD_CORRUPT for other shards. */
export function decodeView<T>(
  file: Buffer,
  shards: readonly LexicalShard[],
  name: string,
): { corpus: Corpus; extra: T } {
  const sections = new Sections<ViewMeta<T>>(file, VIEW_MAGIC, name);
  const table = StringTable.of(sections, 'path');
  const files = new FileTable(
    shards,
    sections.u32('fileShard'),
    sections.u32('fileUnit'),
    sections.u32('pathStart'),
    table,
  );
  for (let i = 0; i < files.length; i++) {
    const units = shards[files.shard[i]]?.meta.units ?? 0;
    if (files.unit[i] >= units) throw new SocraticodeError('SHARD_CORRUPT', `${name} does not fit its shards`);
  }
  const centrality = sections.bytes('centrality');
  const corpus: Corpus = {
    live: liveSetOf(shards, files),
    averages: sections.meta.averages,
    pathPostings: PathPostings.read(sections),
    pathLengths: sections.u16('pathLengths'),
    classes: sections.u8('classes'),
    centrality: new Float64Array(centrality.buffer, centrality.byteOffset, centrality.byteLength / 8),
  };
  return { corpus, extra: sections.meta.extra };
}

/** A file's path as terms, in the parts that ranking distinguishes: the path field of BM25F, and words to compare with a query. */
export interface PathTerms {
  /** Terms of the file name without extension. */
  stem: string[];
  /** Words of the file name, without the whole name, which only `stem` has. */
  words: string[];
  /** Terms of the directories, the parent last. */
  directories: string[];
  /** Terms of the parent directory alone. */
  parent: string[];
}

/** Weight of the file name in the path field: people choose it to say what the file is about. */
const STEM_WEIGHT = 2;
const MAX_TF = 255;

/** Splits a path into terms. Pass the same `folders` for many paths: it caches the terms of their directories. */
export function pathTerms(path: string, folders: Folders = new Map<string, FolderTerms>()): PathTerms {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const dot = name.lastIndexOf('.');
  const bare = dot > 0 ? name.slice(0, dot) : name;
  const stem: string[] = [];
  const words: string[] = [];
  eachIdentifier(bare, (identifier) => {
    const terms = identifierTerms(identifier);
    stem.push(...terms);
    words.push(...(identifierParts(identifier).length > 1 ? terms.slice(0, -1) : terms));
  });
  return { stem, words, ...folderTerms(slash < 0 ? '' : path.slice(0, slash), folders) };
}

export type FolderTerms = Pick<PathTerms, 'directories' | 'parent'>;

interface Folders {
  get(folder: string): FolderTerms | undefined;
  set(folder: string, terms: FolderTerms): unknown;
}

/** Terms of a folder, cached in `known`: a folder of a repository has ten files on average. */
function folderTerms(folder: string, known: Folders): FolderTerms {
  let terms = known.get(folder);
  if (terms === undefined) {
    const segments = folder.split('/');
    terms = { directories: segments.flatMap(textTerms), parent: textTerms(segments[segments.length - 1]) };
    known.set(folder, terms);
  }
  return terms;
}

export function pathLength(terms: PathTerms): number {
  return terms.stem.length * STEM_WEIGHT + terms.directories.length;
}

/** Turns the postings of an old file table into those of a new one. */
interface PathPatch {
  /** New number of each old file in ascending order; -1 for a removed file. */
  renumber: Int32Array;
  added: PathPostings;
  /** New number of each file of `added`. */
  numbers: Int32Array;
}

/** Postings of path terms: the files that have a term, with its frequency in the path field. */
export class PathPostings {
  constructor(
    private readonly terms: StringTable,
    private readonly offsets: Uint32Array,
    private readonly data: Uint8Array,
    private readonly patch: PathPatch | null = null,
  ) {}

  static build(paths: readonly PathTerms[]): PathPostings {
    const { entries, offsets, data } = invertPaths(paths);
    return new PathPostings(new StringTable(packStrings(entries)), offsets, data);
  }

  static read(sections: Sections<unknown>): PathPostings {
    return new PathPostings(
      StringTable.of(sections, 'pathTerm'),
      sections.u32('pathPostingOffsets'),
      sections.u8('pathPostings'),
    );
  }

  /**
   * Returns the postings for another file table. They are renumbered while they are read, so this costs nothing, but only `written` ones
   * can be encoded as a view.
   */
  patched(renumber: Int32Array, added: readonly PathTerms[], numbers: Int32Array): PathPostings {
    return new PathPostings(this.terms, this.offsets, this.data, {
      ...{ renumber, numbers },
      added: PathPostings.build(added),
    });
  }

  /** Returns the postings without a patch: these can be encoded as a view, and patched again. */
  written(): PathPostings {
    const { terms, patch } = this;
    if (patch === null) return this;
    const of = (table: StringTable) => Array.from({ length: table.length }, (_, i) => table.at(i));
    const writer = new DictionaryWriter();
    for (const term of [...new Set([...of(terms), ...of(patch.added.terms)])].sort(orderUtf8)) {
      const files = [...this.of(term)].sort(([a], [b]) => a - b);
      if (files.length > 0) writePathPostings(writer, term, files);
    }
    const { entries, offsets, data } = writer.finish();
    return new PathPostings(new StringTable(packStrings(entries)), offsets, data);
  }

  sections(): Record<string, Uint8Array | Uint32Array> {
    return { ...this.terms.sections('pathTerm'), pathPostingOffsets: this.offsets, pathPostings: this.data };
  }

  /** Yields the files that have the term: those of the patch after the others, each in order. */
  *of(term: string): Generator<[file: number, tf: number]> {
    if (this.patch === null) {
      yield* this.stored(term);
      return;
    }
    const { renumber, added, numbers } = this.patch;
    for (const [file, tf] of this.stored(term)) if (renumber[file] >= 0) yield [renumber[file], tf];
    for (const [file, tf] of added.of(term)) yield [numbers[file], tf];
  }

  private *stored(term: string): Generator<[file: number, tf: number]> {
    const index = this.terms.find(term);
    if (index < 0) return;
    const reader = new ByteReader(this.data, this.offsets[index]);
    for (let file = 0; reader.at < this.offsets[index + 1]; ) {
      file += reader.varint();
      yield [file, reader.byte()];
    }
  }
}

function invertPaths(paths: readonly PathTerms[]): Dictionary {
  const index = new Map<string, Map<number, number>>();
  const add = (term: string, file: number, weight: number) => {
    let files = index.get(term);
    if (files === undefined) {
      files = new Map();
      index.set(term, files);
    }
    files.set(file, Math.min(MAX_TF, (files.get(file) ?? 0) + weight));
  };
  for (const [file, terms] of paths.entries()) {
    for (const term of terms.stem) add(term, file, STEM_WEIGHT);
    for (const term of terms.directories) add(term, file, 1);
  }
  const writer = new DictionaryWriter();
  for (const term of [...index.keys()].sort(orderUtf8))
    writePathPostings(writer, term, index.get(term) as Map<number, number>);
  return writer.finish();
}

/** `files`: pairs of a file and the term's frequency in its path, in order. */
function writePathPostings(writer: DictionaryWriter, term: string, files: Iterable<readonly [number, number]>): void {
  writer.begin(term);
  let before = 0;
  for (const [file, tf] of files) {
    writer.out.varint(file - before);
    writer.out.byte(tf);
    before = file;
  }
}
