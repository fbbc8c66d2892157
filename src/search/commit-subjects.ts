/**
 * Words in the subjects of earlier commits as a field of the files that these changed, and words of whole messages as a field of the
 * chunks whose lines they changed: people name what they work on in words that the code may lack. BM25 over files (Robertson and Zaragoza,
 * 2009), where a subject counts 1 / sqrt(n) for each of its n files.
 */
import { ByteReader, ByteWriter, packSections, Sections, toInt8, Uint32List } from '../base/binary.js';
import { addTo, firstFrom } from '../base/lists.js';
import type { StaticModel } from '../embed/builtin/model.js';
import { textTerms } from '../extract/terms.js';
import { DictionaryWriter, orderUtf8, packStrings, StringTable } from '../shard/lexical-format.js';
import { documentsOf, type LiveSet } from '../shard/live-set.js';

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
  /** Paths of files. */
  private readonly paths: StringTable;
  /** By file: length of the field, in `UNIT`. */
  private readonly lengths: Uint32Array;
  private readonly terms: StringTable;
  /** By term: number of subjects that have it. */
  private readonly subjects: Uint32Array;
  /** By term: where its postings begin in `data`. A posting is the distance to the file before, and the weight in `UNIT`. */
  private readonly offsets: Uint32Array;
  private readonly data: Uint8Array;
  /** By commit, in the order of subjects: a row of the model's dimensions; empty without a model. */
  private readonly vectors: Int8Array;
  /** By commit, in the same order: where its files begin in `changed`. */
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
    return this.byPath(sums);
  }

  /** Returns scores by path for the files whose commits name a term. */
  scores(terms: readonly string[]): (path: string) => number {
    const sums = new Float64Array(this.paths.length);
    for (const term of terms) this.addScores(sums, this.terms.find(term));
    return this.byPath(sums);
  }

  private byPath(sums: Float64Array): (path: string) => number {
    return (path) => {
      const file = this.paths.find(path);
      return file < 0 ? 0 : sums[file];
    };
  }

  private addScores(sums: Float64Array, term: number): void {
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
  const { lengths, terms } = readTerms(numbered, paths.length);
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
    ...subjectVectors(numbered, model),
  });
}

interface Numbered extends SubjectOfFiles {
  words: readonly string[];
  /** Numbers of the paths. */
  files: readonly number[];
}

/** Vectors of subjects, and the files of each commit by number; nothing without a model. */
function subjectVectors(commits: readonly Numbered[], model: StaticModel | null) {
  // Sorted, so that the bytes do not depend on the order of the commits.
  const sorted = bySubject(model === null ? [] : commits, ({ paths }) => [...paths].sort(orderUtf8).join('\0'));
  const vectors = new Int8Array(sorted.length * (model?.dimensions ?? 0));
  const changedOffsets = new Uint32Array(sorted.length + 1);
  const changed: number[] = [];
  const rows = new Map<string, number[]>();
  for (const [i, commit] of sorted.entries()) {
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

/** Sorts commits by subject, those of one subject by a text about them, in UTF-8 order. */
function bySubject<T extends { subject: string }>(commits: readonly T[], rest: (commit: T) => string): T[] {
  return [...commits].sort((a, b) => orderUtf8(a.subject, b.subject) || orderUtf8(rest(a), rest(b)));
}

const weightOf = ({ files }: Pick<Numbered, 'files'>): number =>
  Math.max(1, Math.round(UNIT / Math.sqrt(files.length)));

/** Lengths of the field by file, and the commits that have each term. */
function readTerms(
  commits: readonly Numbered[],
  files: number,
): { lengths: Uint32Array; terms: Map<string, number[]> } {
  const lengths = new Uint32Array(files);
  const terms = new Map<string, number[]>();
  for (const [at, commit] of commits.entries()) {
    const length = commit.words.length * weightOf(commit);
    for (const file of commit.files) lengths[file] += length;
    for (const word of commit.words) addTo(terms, word, at);
  }
  return { lengths, terms };
}

/** A message with the lines, today, that its commit made or changed. */
interface MessageOfLines {
  subject: string;
  /** Rest of the message. */
  body: string;
  lines: readonly { path: string; first: number; last: number }[];
}

/** As `MAGIC`, of the messages. */
const MESSAGE_MAGIC = 'GSCMESS1';
/** Weight of a word that only the rest of a message has, where one of its subject counts 1. */
const BODY = 0.5;
/** Documents of a commit from which on it says nothing of any of them. */
const MOST_DOCUMENTS = 60;
/** Lines at the end of a message that name people, and other commits. */
const TRAILER = /^(?:[A-Z][a-z]+(?:-[a-z]+)+|git-svn-id|Change-Id): .*$/gm;

/** Messages as a field of the chunks of one snapshot. A message counts 1 / sqrt(n) for each of the n chunks of its commit. */
export interface MessageField {
  /** Length of the field by document. */
  lengths: Float64Array;
  average: number;
  /** Visits the documents that have a word, as often as messages have it. */
  each(word: string, visit: (document: number, tf: number) => void): void;
}

export class MessageIndex {
  /** Paths of files. */
  private readonly paths: StringTable;
  private readonly words: StringTable;
  /** By word: where its postings begin, which `messageWords` writes. */
  private readonly offsets: Uint32Array;
  private readonly postings: Uint8Array;
  /** By commit: where its ranges begin in `lines`. A range is the number of a file, its first line, and the distance to its last one. */
  private readonly lineOffsets: Uint32Array;
  private readonly lines: Uint8Array;
  /** By commit: length of its message in half words, since a word of a body counts half. */
  private readonly lengths: Uint32Array;
  private readonly fields = new WeakMap<LiveSet, MessageField>();

  /** Throws SHARD_CORRUPT for other bytes. */
  constructor(bytes: Buffer, name: string) {
    const sections = new Sections<null>(bytes, MESSAGE_MAGIC, name);
    this.paths = StringTable.of(sections, 'path');
    this.words = StringTable.of(sections, 'word');
    this.offsets = sections.u32('offsets');
    this.postings = sections.u8('postings');
    this.lineOffsets = sections.u32('lineOffsets');
    this.lines = sections.u8('lines');
    this.lengths = sections.u32('lengths');
  }

  /** Returns the field for a snapshot of the same commit. */
  fieldOf(live: LiveSet): MessageField {
    const field = this.fields.get(live) ?? this.makeField(live);
    this.fields.set(live, field);
    return field;
  }

  private makeField(live: LiveSet): MessageField {
    const { offsets, documents } = this.documentsIn(live);
    const lengths = new Float64Array(live.fileOf.length);
    /** Weight of a word for each document of a commit. */
    const parts = new Float64Array(this.lengths.length);
    let [sum, having] = [0, 0];
    for (const [commit, length] of this.lengths.entries()) {
      const count = offsets[commit + 1] - offsets[commit];
      parts[commit] = 1 / Math.sqrt(Math.max(1, count));
      const part = BODY * length * parts[commit];
      sum += part * count;
      for (let k = offsets[commit]; k < offsets[commit + 1]; k++) {
        if (lengths[documents[k]] === 0) having++;
        lengths[documents[k]] += part;
      }
    }
    const each: MessageField['each'] = (word, visit) => {
      const index = this.words.find(word);
      if (index < 0) return;
      const reader = new ByteReader(this.postings, this.offsets[index]);
      for (let commit = 0; reader.at < this.offsets[index + 1]; ) {
        const value = reader.varint();
        commit += value >> 1;
        const tf = (value & 1) === 1 ? BODY * parts[commit] : parts[commit];
        for (let k = offsets[commit]; k < offsets[commit + 1]; k++) visit(documents[k], tf);
      }
    };
    return { lengths, average: sum / Math.max(1, having), each };
  }

  /** Finds the documents of which each commit made or changed lines; none for a commit of very many. */
  private documentsIn(live: LiveSet): { offsets: Uint32Array; documents: Uint32Array } {
    const rangeIn = this.filesIn(live);
    const offsets = new Uint32Array(this.lengths.length + 1);
    const documents = new Uint32List();
    /** The last commit of each document, plus one. */
    const latest = new Uint32Array(live.fileOf.length);
    for (let commit = 0; commit < this.lengths.length; commit++) {
      const before = documents.length;
      const most = before + MOST_DOCUMENTS;
      const reader = new ByteReader(this.lines, this.lineOffsets[commit]);
      while (reader.at < this.lineOffsets[commit + 1] && documents.length <= most) {
        const file = rangeIn[reader.varint()];
        const first = reader.varint();
        const last = first + reader.varint();
        for (let document = lastBefore(file, last); document >= file.from; document--) {
          if (file.endLine[document - file.base] < first) break;
          if (latest[document] !== commit + 1) documents.push(document);
          latest[document] = commit + 1;
        }
      }
      if (documents.length > most) documents.length = before;
      offsets[commit + 1] = documents.length;
    }
    return { offsets, documents: documents.view() };
  }

  /** Finds the documents of the files by path; an empty range for one that the snapshot lacks. */
  private filesIn(live: LiveSet): DocumentRange[] {
    const { files, shards, bases } = live;
    const ranges = Array.from({ length: this.paths.length }, () => NO_DOCUMENTS);
    const indexes = this.paths.indexesOf(files.table);
    for (let file = 0; file < files.length; file++) {
      for (let at = files.pathStart[file]; at < files.pathStart[file + 1]; at++) {
        if (indexes[at] < 0) continue;
        const { first: from, end } = documentsOf(live, file);
        const { startLine, endLine } = shards[files.shard[file]].columns;
        ranges[indexes[at]] = { from, end, base: bases[files.shard[file]], startLine, endLine };
      }
    }
    return ranges;
  }
}

/** Documents [from, end) of a file, and the lines of all documents of its shard, whose first one is `base`. */
interface DocumentRange {
  from: number;
  end: number;
  base: number;
  startLine: Uint32Array;
  endLine: Uint32Array;
}

const NONE = new Uint32Array(0);
const NO_DOCUMENTS: DocumentRange = { from: 0, end: 0, base: 0, startLine: NONE, endLine: NONE };

/** Returns the last document that begins at a line or above: catalogues of translations have thousands of documents. */
function lastBefore({ from, end, base, startLine }: DocumentRange, line: number): number {
  return firstFrom(end, (document) => startLine[document - base] <= line, from) - 1;
}

/** Encodes messages, sorted so that the bytes do not depend on the order of the commits. */
export function encodeMessages(commits: readonly MessageOfLines[]): Buffer {
  const sorted = bySubject(
    commits.filter(({ lines }) => lines.length > 0),
    ({ body, lines: changed }) => `${body}\0${JSON.stringify(changed)}`,
  );
  const paths = [...new Set(sorted.flatMap(({ lines }) => lines.map(({ path }) => path)))].sort(orderUtf8);
  const numbers = new Map(paths.map((path, i) => [path, i]));
  const lines = new ByteWriter();
  const lineOffsets = [0];
  for (const { lines: changed } of sorted) {
    for (const { path, first, last } of changed)
      for (const value of [numbers.get(path) as number, first, last - first]) lines.varint(value);
    lineOffsets.push(lines.length);
  }
  return packSections(MESSAGE_MAGIC, null, {
    ...new StringTable(packStrings(paths)).sections('path'),
    ...messageWords(sorted),
    lines: lines.view(),
    lineOffsets: Uint32Array.from(lineOffsets),
  });
}

/** Postings of the words of messages: twice the distance to the commit before, plus one if the subject lacks the word. */
function messageWords(messages: readonly MessageOfLines[]) {
  const words = new Map<string, number[]>();
  const lengths = new Uint32Array(messages.length);
  for (const [commit, { subject, body }] of messages.entries()) {
    const own = new Set(textTerms(subject));
    const both = new Set([...own, ...textTerms(body.replace(TRAILER, ''))]);
    for (const word of both) {
      const value = 2 * commit + (own.has(word) ? 0 : 1);
      addTo(words, word, value);
    }
    lengths[commit] = own.size + both.size;
  }
  const names = [...words.keys()].sort(orderUtf8);
  const writer = new DictionaryWriter();
  for (const name of names) {
    writer.begin(name);
    let before = 0;
    for (const value of words.get(name) ?? []) {
      writer.out.varint(value - 2 * before);
      before = value >> 1;
    }
  }
  const { offsets, data } = writer.finish();
  return { ...new StringTable(packStrings(names)).sections('word'), offsets, postings: data, lengths };
}
