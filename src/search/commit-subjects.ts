/**
 * Words in the subjects of earlier commits as a field of the files that these changed: people name what they work on in words that the
 * code may lack. BM25 over files (Robertson and Zaragoza, 2009), where a subject counts 1 / sqrt(n) for each of its n files.
 */
import { ByteReader, packSections, Sections, toInt8 } from '../base/binary.js';
import { type StaticModel, wordSum } from '../embed/builtin/model.js';
import { textTerms } from '../extract/terms.js';
import { DictionaryWriter, orderUtf8, packStrings, StringTable } from '../shard/lexical-format.js';

/** A commit with the present names of the files that it changed. */
interface SubjectOfFiles {
  subject: string;
  paths: readonly string[];
}

/** Kind and version of the bytes. Change it with their content, terms included. */
const MAGIC = 'GSCSUBJ2';

const K1 = 1.2;
const B = 0.5;
/** Weights are whole numbers, so that sums are exact. This one is for a file that a commit changed alone. */
const UNIT = 64;

/** Cosine from which on a subject counts, and the power of what it has beyond: a few near ones count more than many distant ones. */
const NEAR = { least: 0.2, power: 2 } as const;

interface SubjectMeta {
  commits: number;
  /** Mean length of the field, in `UNIT`. */
  average: number;
}

interface Collected {
  paths: string[];
  lengths: Uint32Array;
  /** Weights by file number, and the number of subjects, for each term. */
  terms: Map<string, { weights: Map<number, number>; subjects: number }>;
}

export class SubjectIndex {
  private readonly paths: StringTable;
  private readonly lengths: Uint32Array;
  private readonly terms: StringTable;
  private readonly subjects: Uint32Array;
  private readonly offsets: Uint32Array;
  private readonly data: Uint8Array;
  private readonly vectors: Int8Array;
  private readonly changedOffsets: Uint32Array;
  private readonly changed: Uint32Array;
  private readonly meta: SubjectMeta;

  /** Throws SHARD_CORRUPT for other bytes. */
  constructor(bytes: Buffer, name: string) {
    const sections = new Sections<SubjectMeta>(bytes, MAGIC, name);
    this.meta = sections.meta;
    this.paths = StringTable.of(sections, 'path');
    this.terms = StringTable.of(sections, 'term');
    this.lengths = sections.u32('lengths');
    this.subjects = sections.u32('subjects');
    this.offsets = sections.u32('offsets');
    this.data = sections.u8('postings');
    const vectors = sections.u8('vectors');
    this.vectors = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.length);
    this.changedOffsets = sections.u32('changedOffsets');
    this.changed = sections.u32('changed');
  }

  /**
   * Returns scores by path for the files that commits with subjects of near meaning changed: nearest neighbours among the commits.
   * `query`: a vector of length 1, of the model that the index was made with.
   */
  near(query: Float32Array): (path: string) => number {
    const sums = new Float64Array(this.paths.length);
    const { length: dimensions } = query;
    const { vectors, changed, changedOffsets } = this;
    for (let commit = 0; commit + 1 < changedOffsets.length; commit++) {
      let [dot, squares] = [0, 0];
      for (let i = 0, at = commit * dimensions; i < dimensions; i++, at++) {
        const x = vectors[at];
        dot += x * query[i];
        squares += x * x;
      }
      const nearness = dot / Math.sqrt(squares || 1) - NEAR.least;
      if (nearness <= 0) continue;
      const [from, to] = [changedOffsets[commit], changedOffsets[commit + 1]];
      const weight = nearness ** NEAR.power / Math.sqrt(to - from);
      for (let k = from; k < to; k++) sums[changed[k]] += weight;
    }
    return (path) => {
      const file = this.paths.find(path);
      return file < 0 ? 0 : sums[file];
    };
  }

  /** Returns scores by path for the files whose commits name a term. */
  scores(terms: readonly string[]): (path: string) => number {
    const sums = new Float64Array(this.paths.length);
    for (const term of terms) this.add(sums, this.terms.find(term));
    return (path) => {
      const file = this.paths.find(path);
      return file < 0 ? 0 : sums[file];
    };
  }

  private add(sums: Float64Array, term: number): void {
    if (term < 0) return;
    const { commits, average } = this.meta;
    const having = this.subjects[term];
    const idf = Math.log(1 + (commits - having + 0.5) / (having + 0.5));
    const reader = new ByteReader(this.data, this.offsets[term]);
    for (let file = 0; reader.at < this.offsets[term + 1]; ) {
      file += reader.varint();
      const tf = reader.varint() / UNIT / (1 - B + (B * this.lengths[file]) / average);
      sums[file] += (idf * tf) / (tf + K1);
    }
  }
}

/** `model`: the subjects get vectors of it. */
export function encodeSubjects(commits: readonly SubjectOfFiles[], model: StaticModel | null = null): Buffer {
  const { paths, lengths, terms } = collect(commits);
  const names = [...terms.keys()].sort(orderUtf8);
  const writer = new DictionaryWriter();
  for (const name of names) {
    writer.begin(name);
    let before = 0;
    const weights = [...(terms.get(name)?.weights ?? [])].sort(([a], [b]) => a - b);
    for (const [file, weight] of weights) {
      writer.out.varint(file - before);
      writer.out.varint(weight);
      before = file;
    }
  }
  const { offsets, data } = writer.finish();
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  return packSections(MAGIC, { commits: commits.length, average } satisfies SubjectMeta, {
    ...new StringTable(packStrings(paths)).sections('path'),
    ...new StringTable(packStrings(names)).sections('term'),
    lengths,
    subjects: Uint32Array.from(names, (name) => terms.get(name)?.subjects ?? 0),
    offsets,
    postings: data,
    ...meanings(commits, paths, model),
  });
}

/** Vectors of subjects, and the files of each commit by number. */
function meanings(commits: readonly SubjectOfFiles[], paths: readonly string[], model: StaticModel | null) {
  const numbers = new Map(paths.map((path, i) => [path, i]));
  // In an order of their own, since that of the commits is of no account.
  const key = ({ subject, paths: files }: SubjectOfFiles) => [subject, ...[...files].sort(orderUtf8)].join('\0');
  const told = model === null ? [] : [...commits].sort((a, b) => orderUtf8(key(a), key(b)));
  const vectors = new Int8Array(told.length * (model?.dimensions ?? 0));
  const changedOffsets = new Uint32Array(told.length + 1);
  const changed: number[] = [];
  for (const [i, { subject, paths: files }] of told.entries()) {
    if (model !== null) {
      const sum = wordSum(
        model,
        [...new Set(textTerms(subject))].map((term) => [term, 1]),
      );
      toInt8(sum, vectors, i * model.dimensions);
    }
    for (const path of files) changed.push(numbers.get(path) as number);
    changedOffsets[i + 1] = changed.length;
  }
  return {
    vectors: new Uint8Array(vectors.buffer),
    changedOffsets,
    changed: Uint32Array.from(changed),
  };
}

function collect(commits: readonly SubjectOfFiles[]): Collected {
  const paths = [...new Set(commits.flatMap((commit) => commit.paths))].sort(orderUtf8);
  const numbers = new Map(paths.map((path, i) => [path, i]));
  const lengths = new Uint32Array(paths.length);
  const terms: Collected['terms'] = new Map();
  for (const { subject, paths: changed } of commits) {
    const weight = Math.max(1, Math.round(UNIT / Math.sqrt(changed.length)));
    const files = changed.map((path) => numbers.get(path) as number);
    const words = new Set(textTerms(subject));
    for (const file of files) lengths[file] += words.size * weight;
    for (const word of words) {
      const known = terms.get(word) ?? { weights: new Map<number, number>(), subjects: 0 };
      known.subjects++;
      for (const file of files) known.weights.set(file, (known.weights.get(file) ?? 0) + weight);
      terms.set(word, known);
    }
  }
  return { paths, lengths, terms };
}
