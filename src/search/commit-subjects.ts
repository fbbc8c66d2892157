/**
 * Words in the subjects of earlier commits as a field of the files that these changed: people name what they work on in words that the
 * code may lack. BM25 over files (Robertson and Zaragoza, 2009), where a subject counts 1 / sqrt(n) for each of its n files.
 */
import { ByteReader, packSections, Sections } from '../base/binary.js';
import { textTerms } from '../extract/terms.js';
import { DictionaryWriter, orderUtf8, packStrings, StringTable } from '../shard/lexical-format.js';

/** A commit with the present names of the files that it changed. */
interface SubjectOfFiles {
  subject: string;
  paths: readonly string[];
}

/** Kind and version of the bytes. Change it with their content, terms included. */
const MAGIC = 'GSCSUBJ1';

const K1 = 1.2;
const B = 0.5;
/** Weights are whole numbers, so that sums are exact. This one is for a file that a commit changed alone. */
const UNIT = 64;

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

export function encodeSubjects(commits: readonly SubjectOfFiles[]): Buffer {
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
  });
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
