/** Builds a corpus from a live set, with the centrality of its files. A file of its own, since a cached view needs none of this. */
import { ByteReader, ByteWriter, packSections, Sections, Uint32List } from '../base/binary.js';
import { firstFrom, hashOf } from '../base/lists.js';
import { stem } from '../extract/terms.js';
import { orderUtf8, packStrings, StringTable } from '../shard/lexical-format.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import type { CatalogFile, LiveSet } from '../shard/live-set.js';
import { unionEntries } from '../shard/merge.js';
import { averageLengths, type Corpus, PATH_CLASSES, PathPostings, pathLength, pathTerms } from './corpus.js';
import { classifyFiles } from './path-classes.js';

/**
 * Builds the corpus. `entries`: catalog entries of the live set's files. `isFragment`: most files are still to come. Then all files count
 * as equally central, since edges among the few would say little and take longer than everything else.
 */
export function createCorpus(
  live: LiveSet,
  entries: readonly CatalogFile[],
  { isFragment = false, onUses }: { isFragment?: boolean; onUses?: (uses: NameUses) => void } = {},
): Corpus {
  const uses = isFragment ? null : NameUses.of(live);
  if (uses !== null) onUses?.(uses);
  const folders = new Map();
  const paths = entries.map((entry) => pathTerms(entry.path, folders));
  const pathLengths = Uint16Array.from(paths, pathLength);
  return {
    live,
    averages: averageLengths(live, pathLengths),
    pathPostings: PathPostings.build(paths),
    pathLengths,
    classes: Uint8Array.from(classifyFiles(live, entries), (name) => PATH_CLASSES.indexOf(name)),
    centrality: uses?.centrality(live.files.length) ?? new Float64Array(live.files.length).fill(1 / live.files.length),
  };
}

const MAX_DEFINING_FILES = 2;
/** Share of all files beyond which the users of a name do not count: it is a common word of the language or the repository. */
const MAX_USING_SHARE = 0.25;
const MIN_NAME_LENGTH = 3;
const DAMPING = 0.85;
const ITERATIONS = 20;

export interface Edges {
  from: number[];
  to: number[];
  weight: number[];
}

type EdgeColumns = Record<keyof Edges, ArrayLike<number>>;

/**
 * Returns how central each file is: PageRank (Brin and Page, 1998) over the relation "uses a name that is defined there". Names defined
 * in more than two files are skipped, since a use does not show which file is meant, and so are names used nearly everywhere. The values
 * sum to 1 (empty for no files).
 */
export function fileCentrality(live: LiveSet): Float64Array {
  return NameUses.of(live).centrality(live.files.length);
}

/** Kind and version of the bytes. Change it with their content, and with the rules for definers and users. */
const USES_MAGIC = 'GSCUSES1';
/** Share of all files up to which the users of a name are listed. It is above `MAX_USING_SHARE`, which a few files more can move. */
const LISTED_SHARE = 0.3;
/** Documents of a shard up to which all its terms are read for the sake of a few units. */
const MAX_SCANNED = 5_000;

/** A unit of one of the live set's shards, both by their indexes. */
interface Unit {
  shard: number;
  unit: number;
}

/**
 * The files that define and that use each name, in the order of names: all that centrality is made of. It is kept beside a view, so that
 * a snapshot near by looks only at the names that its changed files have. Names depend on the live set alone, not on other content of the
 * shards, because floating-point sums depend on their order.
 */
export class NameUses {
  constructor(
    private readonly names: StringTable,
    /** Hashes of each name and of its stem. */
    private readonly hashes: Uint32Array,
    private readonly offsets: Uint32Array,
    /**
     * For each name, as varints: the number of definers, these, the number of users, and unless there are too many, the distance of each user
     * from the one before.
     */
    private readonly data: Uint8Array,
  ) {}

  static of(live: LiveSet): NameUses {
    const writer = new UsesWriter(live);
    for (const { entry: name, indexes } of unionEntries(live.shards.map((shard) => shard.names)))
      writer.addFound(name, indexes);
    return writer.finish();
  }

  /** Throws SHARD_CORRUPT for other bytes. */
  static decode(bytes: Buffer, name: string): NameUses {
    const sections = new Sections<null>(bytes, USES_MAGIC, name);
    const [hashes, offsets] = [sections.u32('hashes'), sections.u32('offsets')];
    return new NameUses(StringTable.of(sections, 'name'), hashes, offsets, sections.u8('data'));
  }

  encode(): Buffer {
    const { names, hashes, offsets, data } = this;
    return packSections(USES_MAGIC, null, { ...names.sections('name'), hashes, offsets, data });
  }

  centrality(files: number): Float64Array {
    return pageRank(files, this.edges(files));
  }

  /** Whether each name has the files that it has in `other`, as after an edit of a body or a comment: centrality is then equal to the bit. */
  hasFilesOf(other: NameUses): boolean {
    const { length } = this.offsets;
    if (length !== other.offsets.length || Buffer.compare(this.data, other.data) !== 0) return false;
    for (let name = 0; name < length; name++) if (this.offsets[name] !== other.offsets[name]) return false;
    return true;
  }

  /** Edges from users to definers, without those of names used nearly everywhere. */
  private edges(files: number): EdgeColumns {
    const [from, to] = [new Uint32List(this.data.length), new Uint32List(this.data.length)];
    /** For each name that counts: number of its first edge, and the weight of each of its edges. */
    const [starts, weights]: [number[], number[]] = [[], []];
    const reader = new ByteReader(this.data);
    for (let name = 0; name < this.names.length; name++) {
      reader.at = this.offsets[name];
      const definers = readVarints(reader);
      const count = reader.varint();
      const isListed = reader.at < this.offsets[name + 1];
      if (!isListed || count > files * MAX_USING_SHARE) continue;
      starts.push(from.length);
      weights.push(1 / (definers.length * Math.sqrt(count)));
      for (let left = count, user = 0; left > 0; left--) {
        user += reader.varint();
        if (definers.includes(user)) continue;
        for (let i = 0; i < definers.length; i++) {
          from.push(user);
          to.push(definers[i]);
        }
      }
    }
    const weight = new Float64Array(from.length);
    for (let i = 0; i < starts.length; i++) weight.fill(weights[i], starts[i], starts[i + 1]);
    return { from: from.view(), to: to.view(), weight };
  }

  /** `users` is null if they are not listed. */
  private read(name: number): { definers: number[]; users: number[] | null } {
    const reader = new ByteReader(this.data, this.offsets[name]);
    const definers = readVarints(reader);
    const count = reader.varint();
    if (reader.at === this.offsets[name + 1] && count > 0) return { definers, users: null };
    const users = Array<number>(count);
    let file = 0;
    for (let i = 0; i < count; i++) {
      file += reader.varint();
      users[i] = file;
    }
    return { definers, users };
  }

  /**
   * Returns the uses in another live set, over the same shards, that differs by a few units; null if too much would have to be read. The
   * bytes are those of `of`.
   */
  stepped(before: LiveSet, after: LiveSet): NameUses | null {
    const [gone, come] = [unitsOnlyIn(before, after), unitsOnlyIn(after, before)];
    if (come.some(({ shard }) => after.shards[shard].meta.documents > MAX_SCANNED)) return null;
    const defined = namesDefinedBy(after.shards, [...gone, ...come]);
    const hashesUsed = new Set([...termsUsedBy(after.shards, come), ...defined].map(hashOf));
    const numbers = Int32Array.from(before.files.unit, (unit, file) => {
      const shard = before.files.shard[file];
      return after.fileOf[after.bases[shard] + after.shards[shard].unitFirst[unit]];
    });
    const writer = new UsesWriter(after);
    const more = [...defined].filter((name) => this.names.find(name) < 0).sort(orderUtf8);
    const places = more.map((name) => this.placeFor(name));
    // Whether users are listed depends on the number of files.
    const mayCopy = before.files.length === after.files.length;
    const isUsed = membership(hashesUsed);
    let added = 0;
    /** First name of those that are copied together. */
    let copied = 0;
    for (let name = 0; name <= this.names.length; name++) {
      const isAdded = places[added] === name;
      // Then no new unit uses the name, and none that comes or goes defines it. A user that is gone shows in the numbers.
      const isSame = !isUsed(this.hashes[2 * name]) && !isUsed(this.hashes[2 * name + 1]);
      if (!isAdded && name < this.names.length && isSame && mayCopy && this.keepsNumbers(name, numbers)) continue;
      writer.addCopies(this, copied, name);
      copied = name + 1;
      for (; places[added] === name; added++) writer.addFound(more[added]);
      if (name === this.names.length) break;
      const { definers, users } = this.read(name);
      const hashes = this.hashes.subarray(2 * name, 2 * name + 2);
      const known = isSame && users !== null && renumberAll(definers, numbers) && renumberAll(users, numbers);
      if (known) writer.add(this.names.at(name), { definers, users, hashes });
      else writer.addFound(this.names.at(name));
    }
    return writer.finish(this.names);
  }

  /** Returns whether all files of a name have the numbers that they had, and its users are listed. */
  private keepsNumbers(name: number, numbers: Int32Array): boolean {
    const reader = new ByteReader(this.data, this.offsets[name]);
    for (let left = reader.varint(); left > 0; left--) {
      const file = reader.varint();
      if (numbers[file] !== file) return false;
    }
    const count = reader.varint();
    if (reader.at === this.offsets[name + 1]) return count === 0;
    for (let left = count, file = 0; left > 0; left--) {
      file += reader.varint();
      if (numbers[file] !== file) return false;
    }
    return true;
  }

  /** Appends names `from` to `to` and their files to the columns of other uses. */
  copyTo(columns: UsesColumns, from: number, to: number): void {
    const { hashes, offsets, out } = columns;
    const start = this.offsets[from];
    const shift = out.length - start;
    for (let name = from; name < to; name++) offsets.push(this.offsets[name] + shift);
    for (let i = 2 * from; i < 2 * to; i++) hashes.push(this.hashes[i]);
    out.bytes(this.data.subarray(start, this.offsets[to]));
  }

  private placeFor(name: string): number {
    return firstFrom(this.names.length, (i) => orderUtf8(this.names.at(i), name) < 0);
  }
}

/** Reads a number and as many numbers. */
function readVarints(reader: ByteReader): number[] {
  const values: number[] = [];
  for (let left = reader.varint(); left > 0; left--) values.push(reader.varint());
  return values;
}

/** Replaces files by their new numbers, in order. Returns false if one is gone. */
function renumberAll(files: number[], numbers: Int32Array): boolean {
  let isSorted = true;
  for (let i = 0; i < files.length; i++) {
    files[i] = numbers[files[i]];
    if (files[i] < 0) return false;
    if (i > 0 && files[i] < files[i - 1]) isSorted = false;
  }
  if (!isSorted) files.sort((a, b) => a - b);
  return true;
}

/** Returns a test for these hashes. Most others are ruled out by their last bits. */
function membership(hashes: ReadonlySet<number>): (hash: number) => boolean {
  const marks = new Uint8Array(1 << 16);
  for (const hash of hashes) marks[hash & 0xffff] = 1;
  return (hash) => marks[hash & 0xffff] === 1 && hashes.has(hash);
}

interface UsesColumns {
  hashes: Uint32List;
  offsets: Uint32List;
  out: ByteWriter;
}

class UsesWriter {
  private readonly columns: UsesColumns = {
    hashes: new Uint32List(),
    offsets: new Uint32List(),
    out: new ByteWriter(1 << 16),
  };
  /** The names: runs of those copied, and others. */
  private readonly parts: ([from: number, to: number] | string[])[] = [];
  private latest: string[] | null = null;
  private readonly stamp: Int32Array;
  private round = 0;

  constructor(private readonly live: LiveSet) {
    this.stamp = new Int32Array(live.files.length).fill(-1);
  }

  /** Adds a name unless it is too short, or too few or too many files define it. `indexes`: the name's index in each shard. */
  addFound(name: string, indexes = this.live.shards.map(({ names }) => names.find(name))): void {
    if (name.length < MIN_NAME_LENGTH) return;
    const definers = definingFiles(this.live, indexes);
    if (definers.length === 0 || definers.length > MAX_DEFINING_FILES) return;
    const users = usersOf(this.live, name, this.stamp, this.round);
    this.round += 2;
    definers.sort((a, b) => a - b);
    const hashes = [hashOf(name), hashOf(stem(name))];
    this.add(name, { definers, users: users.sort((a, b) => a - b), hashes });
  }

  /** Adds names of other uses, whose files are those of before. */
  addCopies(uses: NameUses, from: number, to: number): void {
    if (from >= to) return;
    uses.copyTo(this.columns, from, to);
    this.parts.push([from, to]);
    this.latest = null;
  }

  /** `hashes`: of the name and its stem. */
  add(
    name: string,
    { definers, users, hashes }: { definers: readonly number[]; users: readonly number[]; hashes: ArrayLike<number> },
  ): void {
    const { out } = this.columns;
    this.begin(name, hashes);
    out.varint(definers.length);
    for (const file of definers) out.varint(file);
    out.varint(users.length);
    if (users.length > this.live.files.length * LISTED_SHARE) return;
    let before = 0;
    for (const file of users) {
      out.varint(file - before);
      before = file;
    }
  }

  private begin(name: string, hashes: ArrayLike<number>): void {
    if (this.latest === null) {
      this.latest = [];
      this.parts.push(this.latest);
    }
    this.latest.push(name);
    this.columns.offsets.push(this.columns.out.length);
    this.columns.hashes.push(hashes[0]);
    this.columns.hashes.push(hashes[1]);
  }

  /** `copied`: the names that copies are of. */
  finish(copied = new StringTable(packStrings([]))): NameUses {
    const { hashes, offsets, out } = this.columns;
    offsets.push(out.length);
    return new NameUses(copied.select(this.parts), hashes.view().slice(), offsets.view(), out.view());
  }
}

/** Units with files in one live set alone. Both are over the same shards. */
export function unitsOnlyIn(live: LiveSet, other: LiveSet): Unit[] {
  const units: Unit[] = [];
  for (let file = 0; file < live.files.length; file++) {
    const [shard, unit] = [live.files.shard[file], live.files.unit[file]];
    if (other.fileOf[live.bases[shard] + live.shards[shard].unitFirst[unit]] < 0) units.push({ shard, unit });
  }
  return units;
}

/** Returns a test for the documents of these units, for each shard that has some. */
function documentsByShard(shards: readonly LexicalShard[], units: readonly Unit[]): Map<LexicalShard, Uint8Array> {
  const found = new Map<LexicalShard, Uint8Array>();
  for (const { shard: index, unit } of units) {
    const shard = shards[index];
    const isMember = found.get(shard) ?? new Uint8Array(shard.meta.documents);
    isMember.fill(1, shard.unitFirst[unit], shard.unitFirst[unit] + shard.unitDocuments[unit]);
    found.set(shard, isMember);
  }
  return found;
}

function namesDefinedBy(shards: readonly LexicalShard[], units: readonly Unit[]): Set<string> {
  const found = new Set<string>();
  for (const [shard, isMember] of documentsByShard(shards, units))
    for (let name = 0; name < shard.names.length; name++)
      shard.eachDefinition(name, (document) => {
        if (isMember[document] === 1) found.add(shard.names.at(name));
        return isMember[document] !== 1;
      });
  return found;
}

function termsUsedBy(shards: readonly LexicalShard[], units: readonly Unit[]): Set<string> {
  const found = new Set<string>();
  for (const [shard, isMember] of documentsByShard(shards, units))
    for (let term = 0; term < shard.terms.length; term++)
      shard.eachPosting(term, (document, body) => {
        if (body > 0 && isMember[document] === 1) found.add(shard.terms.at(term));
      });
  return found;
}

/** Files that define a name, up to one more than count. `indexes`: the name's index in each shard, -1 for a shard that lacks it. */
function definingFiles(live: LiveSet, indexes: readonly number[]): number[] {
  const files: number[] = [];
  for (let i = 0; i < indexes.length && files.length <= MAX_DEFINING_FILES; i++) {
    if (indexes[i] < 0) continue;
    live.shards[i].eachDefinition(indexes[i], (document) => {
      const file = live.fileOf[live.bases[i] + document];
      if (file >= 0 && !files.includes(file)) files.push(file);
      return files.length <= MAX_DEFINING_FILES;
    });
  }
  return files;
}

/** Files that use a name. A name of several parts is a term itself; a name of one part is found by its stem. */
function usersOf(live: LiveSet, name: string, stamp: Int32Array, round: number): number[] {
  const users = usingFiles(live, name, stamp, round);
  return users.length > 0 ? users : usingFiles(live, stem(name), stamp, round + 1);
}

/** Files with the term in a body; `stamp` marks files already listed in this `round`. */
function usingFiles(live: LiveSet, term: string, stamp: Int32Array, round: number): number[] {
  const files: number[] = [];
  for (const [i, shard] of live.shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const base = live.bases[i];
    shard.eachPosting(index, (document, body) => {
      const file = live.fileOf[base + document];
      if (file < 0 || body === 0 || stamp[file] === round) return;
      stamp[file] = round;
      files.push(file);
    });
  }
  return files;
}

/**
 * PageRank of `count` nodes; the values sum to 1. `starts`: probability of starting at each node, with the sum 1; default: the same for
 * all.
 */
export function pageRank(count: number, edges: EdgeColumns, starts?: Float64Array): Float64Array {
  const out = new Float64Array(count);
  for (let i = 0; i < edges.from.length; i++) out[edges.from[i]] += edges.weight[i];
  let rank = new Float64Array(count).fill(1 / Math.max(1, count));
  for (let round = 0; round < ITERATIONS; round++) {
    const next = new Float64Array(count);
    let dangling = 0;
    for (let i = 0; i < count; i++) if (out[i] === 0) dangling += rank[i];
    for (let i = 0; i < edges.from.length; i++) {
      next[edges.to[i]] += (rank[edges.from[i]] * edges.weight[i]) / out[edges.from[i]];
    }
    const jumps = 1 - DAMPING + DAMPING * dangling;
    const base = jumps / count;
    for (let i = 0; i < count; i++) next[i] = (starts === undefined ? base : jumps * starts[i]) + DAMPING * next[i];
    rank = next;
  }
  return rank;
}
