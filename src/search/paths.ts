/** Paths as terms: the path field of BM25F and the words that ranking compares with a query. */
import { ByteReader } from '../base/buffers.js';
import type { Sections } from '../base/sections.js';
import { eachIdentifier, identifierParts, identifierTerms, textTerms } from '../extract/terms.js';
import { type Dictionary, DictionaryWriter } from '../shard/columns.js';
import { compareUtf8, packStrings, StringTable } from '../shard/strings.js';

/** A file's path as terms, split where ranking tells the parts apart. */
export interface PathTerms {
  /** Terms of the file name without extension. */
  stem: string[];
  /** Words of the file name, without the whole name that `stem` has too. */
  words: string[];
  /** Terms of the directories, the parent last. */
  directories: string[];
  /** Terms of the parent directory alone. */
  parent: string[];
}

/** The file name counts twice in the path field: it is chosen for what the file is about. */
export const STEM_WEIGHT = 2;
const MAX_TF = 255;

/** `folders` makes a run over many paths faster. */
export function pathTerms(path: string, folders = new Map<string, FolderTerms>()): PathTerms {
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

type FolderTerms = Pick<PathTerms, 'directories' | 'parent'>;

/** `known` remembers folders: a repository has ten files in each. */
function folderTerms(folder: string, known: Map<string, FolderTerms>): FolderTerms {
  let terms = known.get(folder);
  if (terms === undefined) {
    const segments = folder.split('/');
    terms = { directories: segments.flatMap(textTerms), parent: textTerms(segments[segments.length - 1]) };
    known.set(folder, terms);
  }
  return terms;
}

/** Length of the path field, as BM25F counts it. */
export function pathLength(terms: PathTerms): number {
  return terms.stem.length * STEM_WEIGHT + terms.directories.length;
}

/** Files of a table that stand in another one too, and files that only the other one has. */
interface PathPatch {
  /** Old file -> new file, -1 for one that is gone. Ascending. */
  renumber: Int32Array;
  added: PathPostings;
  /** New number of the first file of `added`. */
  base: number;
}

/** Path term -> files that have it, with its frequency in the path field. */
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

  /** The postings of another file table: renumbered as they are read, so that it costs nothing. Not for a view. */
  patched(renumber: Int32Array, added: readonly PathTerms[], base: number): PathPostings {
    return new PathPostings(this.terms, this.offsets, this.data, { renumber, added: PathPostings.build(added), base });
  }

  sections(): Record<string, Uint8Array | Uint32Array> {
    return { ...this.terms.sections('pathTerm'), pathPostingOffsets: this.offsets, pathPostings: this.data };
  }

  /** Files with the term, in order. */
  *of(term: string): Generator<[file: number, tf: number]> {
    if (this.patch === null) {
      yield* this.stored(term);
      return;
    }
    const { renumber, added, base } = this.patch;
    for (const [file, tf] of this.stored(term)) if (renumber[file] >= 0) yield [renumber[file], tf];
    for (const [file, tf] of added.of(term)) yield [base + file, tf];
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
  for (const term of [...index.keys()].sort(compareUtf8)) {
    writer.begin(term);
    let before = 0;
    for (const [file, tf] of index.get(term) as Map<number, number>) {
      writer.out.varint(file - before);
      writer.out.byte(tf);
      before = file;
    }
  }
  return writer.finish();
}
