/**
 * Words in the subjects of earlier commits as a field of the files that these changed: people name what they work on in words that the
 * code may lack. BM25 over files (Robertson and Zaragoza, 2009), where a subject counts 1 / sqrt(n) for each of its n files.
 */
import { ByteReader, packSections, Sections, toInt8 } from '../base/binary.js';
import type { StaticModel } from '../embed/builtin/model.js';
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
  const paths = [...new Set(commits.flatMap((commit) => commit.paths))].sort(orderUtf8);
  const numbers = new Map(paths.map((path, i) => [path, i]));
  const numbered = commits.map(({ subject, paths: changed }) => ({
    ...{ subject, paths: changed },
    words: [...new Set(textTerms(subject))],
    files: changed.map((path) => numbers.get(path) as number),
  }));
  const { lengths, terms } = collect(numbered, paths.length);
  const names = [...terms.keys()].sort(orderUtf8);
  const writer = new DictionaryWriter();
  // The weights of one term by file, set to 0 again behind each.
  const weights = new Uint32Array(paths.length);
  for (const name of names) {
    writer.begin(name);
    const files: number[] = [];
    for (const at of terms.get(name) ?? [])
      for (const file of numbered[at].files) {
        if (weights[file] === 0) files.push(file);
        weights[file] += weightOf(numbered[at]);
      }
    let before = 0;
    for (const file of files.sort((a, b) => a - b)) {
      writer.out.varint(file - before);
      writer.out.varint(weights[file]);
      weights[file] = 0;
      before = file;
    }
  }
  const { offsets, data } = writer.finish();
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length));
  return packSections(MAGIC, { commits: commits.length, average } satisfies SubjectMeta, {
    ...new StringTable(packStrings(paths)).sections('path'),
    ...new StringTable(packStrings(names)).sections('term'),
    lengths,
    subjects: Uint32Array.from(names, (name) => terms.get(name)?.length ?? 0),
    offsets,
    postings: data,
    ...meanings(numbered, model),
  });
}

interface Numbered extends SubjectOfFiles {
  words: readonly string[];
  /** Numbers of the paths. */
  files: readonly number[];
}

/** Vectors of subjects, and the files of each commit by number. */
function meanings(commits: readonly Numbered[], model: StaticModel | null) {
  // In an order of their own, since that of the commits is of no account.
  const keyed = (model === null ? [] : commits).map((commit) => ({
    commit,
    key: Buffer.from([commit.subject, ...[...commit.paths].sort(orderUtf8)].join('\0')),
  }));
  const told = keyed.sort((a, b) => Buffer.compare(a.key, b.key));
  const vectors = new Int8Array(told.length * (model?.dimensions ?? 0));
  const changedOffsets = new Uint32Array(told.length + 1);
  const changed: number[] = [];
  const rows = new Map<string, number[]>();
  for (const [i, { commit }] of told.entries()) {
    if (model !== null) {
      const sum = new Float64Array(model.dimensions);
      for (const word of commit.words) {
        const known = rows.get(word) ?? model.rowsOf(word);
        rows.set(word, known);
        for (const row of known) model.addWeighted(sum, row, 1);
      }
      toInt8(sum, vectors, i * model.dimensions);
    }
    for (const file of commit.files) changed.push(file);
    changedOffsets[i + 1] = changed.length;
  }
  return {
    vectors: new Uint8Array(vectors.buffer),
    changedOffsets,
    changed: Uint32Array.from(changed),
  };
}

const weightOf = ({ files }: Pick<Numbered, 'files'>): number =>
  Math.max(1, Math.round(UNIT / Math.sqrt(files.length)));

/** Lengths of the field by file, and the commits that have each term. */
function collect(commits: readonly Numbered[], files: number): { lengths: Uint32Array; terms: Map<string, number[]> } {
  const lengths = new Uint32Array(files);
  const terms = new Map<string, number[]>();
  for (const [at, commit] of commits.entries()) {
    const length = commit.words.length * weightOf(commit);
    for (const file of commit.files) lengths[file] += length;
    for (const word of commit.words) {
      const known = terms.get(word);
      if (known === undefined) terms.set(word, [at]);
      else known.push(at);
    }
  }
  return { lengths, terms };
}
