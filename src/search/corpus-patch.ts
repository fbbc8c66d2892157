/**
 * Applies changed files to a corpus without building a new one: uncommitted changes are a handful of files, and building a corpus of
 * 30,000 takes a second. Except for centrality, the result equals a corpus built from the changed snapshot, whose files have other
 * numbers unless they are put `inOrder`.
 */
import { firstFrom, getOrMake } from '../base/lists.js';
import { orderUtf8 } from '../shard/lexical-format.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import { type CatalogFile, FileTable, type LiveSet, liveSetOf, lookUpUnit } from '../shard/live-set.js';
import { averageLengths, type Corpus, PATH_CLASSES, type PathClass, pathLength, pathTerms } from './corpus.js';
import { classifyPath, supersededDirectories } from './path-classes.js';

interface CorpusPatch {
  /** Paths to remove from the corpus. */
  removed: ReadonlySet<string>;
  /** Files that exist now. Those without a unit or without documents are left out, as in any corpus. */
  added: readonly CatalogFile[];
  /** Shards in addition to those of the corpus. */
  shards: readonly LexicalShard[];
  /** Attributes of an old path, needed if it becomes the first path of its text. */
  attributesOf: (path: string) => Pick<CatalogFile, 'generated' | 'vendored'>;
  /** Gives changed files the numbers that they have in a corpus built anew. Otherwise they come last, which takes less. */
  inOrder?: boolean;
}

/** A file that the patch changes, adds or removes. */
interface Touched {
  shard: number;
  unit: number;
  paths: string[];
  /** Number of the file in the old corpus; -1 if it is new. */
  before: number;
}

export function patchCorpus(corpus: Corpus, patch: CorpusPatch): Corpus {
  const shards = [...corpus.live.shards, ...patch.shards];
  const { touched, ownerOf } = findTouched(corpus, shards, patch);
  const present = touched.filter(({ paths }) => paths.length > 0);
  for (const { paths } of present) paths.sort(orderUtf8);
  if (patch.inOrder) present.sort((a, b) => orderUtf8(a.paths[0], b.paths[0]));
  const places = placesOf(corpus.live.files, { touched, present, inOrder: patch.inOrder === true });
  const { numbers, renumber } = places;
  const live = liveSetOf(shards, patchFiles(corpus.live, shards, present, places));
  const terms = present.map(({ paths }) => pathTerms(paths[0]));
  const pathLengths = renumbered(corpus.pathLengths, renumber, new Uint16Array(live.files.length));
  const centrality = renumbered(corpus.centrality, renumber, new Float64Array(live.files.length));
  const unused = corpus.centrality.reduce((least, value) => Math.min(least, value), 1);
  for (const [i, file] of present.entries()) {
    pathLengths[numbers[i]] = pathLength(terms[i]);
    centrality[numbers[i]] = inherited(corpus, file, ownerOf) ?? unused;
  }
  const postings = corpus.pathPostings.patched(renumber, terms, numbers);
  return {
    live,
    averages: averageLengths(live, pathLengths),
    pathPostings: hasSamePaths(corpus.live, live) ? corpus.pathPostings : patch.inOrder ? postings.written() : postings,
    pathLengths,
    classes: patchClasses(corpus, live, { places, patch }),
    centrality,
  };
}

interface TouchedFiles {
  touched: Touched[];
  /** File in the old corpus, by removed path. */
  ownerOf: ReadonlyMap<string, number>;
}

function findTouched({ live }: Corpus, shards: readonly LexicalShard[], patch: CorpusPatch): TouchedFiles {
  const { files, fileOf } = live;
  const known = new Map<number, Touched>();
  const ownerOf = new Map<string, number>();
  const touch = (file: number): Touched => {
    return getOrMake(known, file, () => ({
      shard: files.shard[file],
      unit: files.unit[file],
      paths: files.paths(file),
      before: file,
    }));
  };
  for (const index of files.table.findAll(patch.removed)) {
    const file = fileOfPath(files, index);
    const path = files.table.at(index);
    ownerOf.set(path, file);
    const found = touch(file);
    found.paths = found.paths.filter((other) => other !== path);
  }
  const fresh = new Map<string, Touched>();
  for (const entry of patch.added) {
    const unit = findUnit(live.shards, patch.shards, entry);
    if (unit === null || shards[unit.shard].unitDocuments[unit.unit] === 0) continue;
    const before = unit.shard < live.shards.length ? fileOf[documentsAt(live, unit)] : -1;
    const key = `${unit.shard} ${unit.unit}`;
    const found = before >= 0 ? touch(before) : (fresh.get(key) ?? { ...unit, paths: [], before: -1 });
    if (before < 0) fresh.set(key, found);
    found.paths.push(entry.path);
  }
  return { touched: [...known.values(), ...fresh.values()], ownerOf };
}

/** Searches the corpus's own shards first, so that equal texts stay one file. */
function findUnit(committed: readonly LexicalShard[], more: readonly LexicalShard[], entry: CatalogFile) {
  const known = lookUpUnit(committed, entry);
  if (known !== null && known.state !== 'too-large') return { shard: known.shard, unit: known.unit };
  const found = lookUpUnit(more, entry);
  return found === null ? null : { shard: committed.length + found.shard, unit: found.unit };
}

function documentsAt(live: LiveSet, { shard, unit }: Pick<Touched, 'shard' | 'unit'>): number {
  return live.bases[shard] + live.shards[shard].unitFirst[unit];
}

function fileOfPath({ pathStart, length }: FileTable, index: number): number {
  return firstFrom(length, (file) => pathStart[file] <= index) - 1;
}

/** New numbers: of each old file, -1 for one that is touched; and of each file that is present after being touched. */
interface Places {
  renumber: Int32Array;
  numbers: Int32Array;
}

/** Untouched files stay in order. `present` is sorted by first paths if files are put `inOrder`. */
function placesOf(
  files: FileTable,
  { touched, present, inOrder }: { touched: readonly Touched[]; present: readonly Touched[]; inOrder: boolean },
): Places {
  const renumber = new Int32Array(files.length);
  for (const { before } of touched) if (before >= 0) renumber[before] = -1;
  const numbers = new Int32Array(present.length);
  const starts = present.map(({ paths }) => (inOrder ? firstAfter(files, paths[0]) : files.length));
  let next = 0;
  let placed = 0;
  for (let file = 0; file <= files.length; file++) {
    while (placed < present.length && starts[placed] === file) numbers[placed++] = next++;
    if (file < files.length && renumber[file] === 0) renumber[file] = next++;
  }
  return { renumber, numbers };
}

/** First file whose first path is not before this one. */
function firstAfter(files: FileTable, path: string): number {
  return firstFrom(files.length, (file) => orderUtf8(files.path(file), path) < 0);
}

/** Returns whether each file has the same first path as before, which is all that the postings of paths depend on. */
function hasSamePaths({ files: before }: LiveSet, { files: after }: LiveSet): boolean {
  return (
    before.length === after.length &&
    before.table.isSame(after.table) &&
    before.pathStart.every((start, file) => start === after.pathStart[file])
  );
}

/** Copies the values of remaining files to their new positions. */
function renumbered<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  from: T,
  renumber: Int32Array,
  to: T,
): T {
  for (let file = 0; file < renumber.length; file++) if (renumber[file] >= 0) to[renumber[file]] = from[file];
  return to;
}

function patchFiles(
  { files }: LiveSet,
  shards: readonly LexicalShard[],
  present: readonly Touched[],
  { renumber, numbers }: Places,
): FileTable {
  const length = renumber.reduce((count, number) => count + (number < 0 ? 0 : 1), present.length);
  const shard = renumbered(files.shard, renumber, new Uint32Array(length));
  const unit = renumbered(files.unit, renumber, new Uint32Array(length));
  const pathStart = new Uint32Array(length + 1);
  const parts: (number | readonly string[])[] = Array(length);
  for (let file = 0; file < renumber.length; file++) {
    if (renumber[file] < 0) continue;
    parts[renumber[file]] = file;
    pathStart[renumber[file] + 1] = files.pathStart[file + 1] - files.pathStart[file];
  }
  for (const [i, file] of present.entries()) {
    parts[numbers[i]] = file.paths;
    shard[numbers[i]] = file.shard;
    unit[numbers[i]] = file.unit;
    pathStart[numbers[i] + 1] = file.paths.length;
  }
  for (let i = 1; i <= length; i++) pathStart[i] += pathStart[i - 1];
  return new FileTable(shards, shard, unit, pathStart, files.table.select(runsOf(files, parts)));
}

/** Joins files whose paths follow each other in the old table. */
function runsOf(
  files: FileTable,
  parts: readonly (number | readonly string[])[],
): (readonly string[] | [from: number, to: number])[] {
  const runs: (readonly string[] | [from: number, to: number])[] = [];
  let open: [from: number, to: number] | null = null;
  for (const part of parts) {
    if (typeof part !== 'number') {
      runs.push(part);
      open = null;
      continue;
    }
    const [from, to] = [files.pathStart[part], files.pathStart[part + 1]];
    if (open !== null && open[1] === from) open[1] = to;
    else {
      open = [from, to];
      runs.push(open);
    }
  }
  return runs;
}

/**
 * Centrality of a patched file. A changed file keeps its value: uses of its names are not counted again. A new file gets the lowest,
 * because no file uses it yet.
 */
function inherited(
  { centrality }: Corpus,
  { before, paths }: Touched,
  ownerOf: ReadonlyMap<string, number>,
): number | undefined {
  const owners = [before, ...paths.map((path) => ownerOf.get(path) ?? -1)].filter((file) => file >= 0);
  return owners.length === 0 ? undefined : Math.max(...owners.map((file) => centrality[file]));
}

function patchClasses(
  corpus: Corpus,
  live: LiveSet,
  { places: { renumber, numbers }, patch }: { places: Places; patch: CorpusPatch },
): Uint8Array {
  const { files } = live;
  const classes = renumbered(corpus.classes, renumber, new Uint8Array(files.length));
  const added = new Map(patch.added.map((entry) => [entry.path, entry]));
  for (const file of numbers) {
    const path = files.path(file);
    const { generated, vendored } = added.get(path) ?? patch.attributesOf(path);
    classes[file] = codeOf(ownClass(files, file, { generated, vendored }));
  }
  if (mayHaveVersions(files)) applyVersions(files, classes);
  return classes;
}

const codeOf = (name: PathClass): number => PATH_CLASSES.indexOf(name);
const SOURCE = codeOf('source');
const LEGACY = codeOf('legacy');

function ownClass(files: FileTable, file: number, flags: Pick<CatalogFile, 'generated' | 'vendored'>): PathClass {
  const language = files.language(file);
  return classifyPath({ path: files.path(file), oid: '', language, ...flags }, files.unitFlags(file), language);
}

/**
 * Returns whether there may be directories named `v1`, `v2`…. Whether another one replaces such a directory shows only in all paths
 * together.
 */
function mayHaveVersions({ table }: FileTable): boolean {
  return Array.from({ length: 10 }, (_, digit) => `v${digit}`).some((start) => table.mentions(start));
}

function applyVersions(files: FileTable, classes: Uint8Array): void {
  const paths = Array.from({ length: files.length }, (_, file) => ({ path: files.path(file) }));
  const superseded = supersededDirectories(paths);
  const plain = { generated: false, vendored: false };
  for (const [file, { path }] of paths.entries()) {
    const isLegacy = classes[file] === LEGACY;
    if (!isLegacy && classes[file] !== SOURCE) continue;
    const isReplaced = superseded.some((directory) => `/${path}`.startsWith(directory));
    if (isLegacy === isReplaced) continue;
    // A file may be legacy by its own name, or only by its directory.
    classes[file] = codeOf(isReplaced ? 'legacy' : ownClass(files, file, plain));
  }
}
