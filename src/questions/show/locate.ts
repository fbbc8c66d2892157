/**
 * Finds the text of a target, in three steps: reads what the target names (`readingsOf`), looks that up as a file of the snapshot, indexed or
 * not, or as a definition in its graph (`readerOf`), and cuts the lines into parts (`partsOf`).
 */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { lineOf } from '../../base/lists.js';
import type { BlobFacts } from '../../extract/facts.js';
import type { Graph } from '../../graph/graph.js';
import { cut, isProduction, type Prefix, spellings } from '../../graph/query/node-place.js';
import { type Candidate, resolveFile, resolveTarget } from '../../graph/query/target.js';
import type { BlobFactsSource } from '../../session/blob-facts.js';
import type { FoundFile, FoundPath, TreeFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import { formatBytes } from '../format.js';
import { LISTED } from '../graph/graph-question.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';
import type { Change, Part, Problem, ShowValues } from './question.js';

/** A target with its text. */
export interface Located {
  target: string;
  file: FoundFile;
  ranges: LineRange[];
  /** Qualified name; null for a file or lines of it. */
  symbol: string | null;
  /** Parse errors may hide declarations in the file. */
  isIncomplete?: boolean;
  /** Other definitions of the name, as targets for a next question. */
  alternatives?: readonly string[];
}

/** Finds targets one after the other. The caller closes it. */
export interface Reader {
  /** Throws BAD_ARGUMENT for an unreadable target. */
  locate(target: string): Promise<Located | Problem>;
  /** Facts of a file in the graph; null for another file. */
  facts(path: string): Promise<BlobFacts | null>;
  /** The graph, if a symbol was looked up. */
  graph(): GraphAndHeader | null;
  close(): Promise<void>;
}

export function readerOf(
  at: Asker,
  values: ShowValues,
  { files, prefix }: { files: TreeFiles; prefix: Prefix },
): Reader {
  let opened: Opened | null = null;
  const open = async () => {
    // Loaded late: lines of a file need no graph.
    const [{ openGraph }, { openFacts }] = await Promise.all([
      import('../graph/snapshot-graph.js'),
      import('../../session/blob-facts.js'),
    ]);
    const graph = await openGraph(at, values);
    const facts = await openFacts(at.session, graph, { signal: at.signal, count: values.targets?.length });
    return { graph, facts };
  };
  return {
    async locate(target) {
      const found = await findFile(files, prefix, target);
      if (found !== null && found.symbol === null) return found;
      opened ??= await open();
      const { lines, path } = readingsOf(target).at(-1) as Reading;
      if (found === null && lines !== null) return locateLines(opened, { target, path, lines, prefix });
      // Questions about the graph write `PATH#NAME` as `PATH:NAME`.
      const name = found === null ? target : `${found.file.path}:${found.symbol}`;
      return locateSymbol(opened, { target, name, prefix });
    },
    async facts(path) {
      opened ??= await open();
      const { graph } = opened.graph;
      const file = graph.findFile(path);
      return file < 0 ? null : opened.facts.facts(graph.tables.files[file]);
    },
    graph: () => opened?.graph ?? null,
    close: async () => opened?.facts.close(),
  };
}

/** File of a target, perhaps with a symbol in it; null if it names no file. Throws BAD_ARGUMENT. */
async function findFile(files: TreeFiles, prefix: Prefix, target: string): Promise<Located | null> {
  for (const reading of readingsOf(target)) {
    for (const path of pathsOf(reading.path, prefix)) {
      const found = await files.find(path);
      if (found !== null) return locatedIn(target, fileOf(found), reading);
    }
  }
  return null;
}

/** Spellings of a path; none for a name that leads out of the repository, such as `../`. */
function pathsOf(text: string, prefix: Prefix): string[] {
  try {
    return spellings(text, prefix).map((path) => path.replace(/\/$/, ''));
  } catch (error) {
    if (isSocraticodeError(error, 'BAD_ARGUMENT') && !text.includes('/')) return [];
    throw error;
  }
}

function locatedIn(target: string, file: FoundFile, { lines, symbol }: Reading): Located {
  if (lines !== null) checkLines(lines, file.path, new TextLines(file.bytes));
  return { target, file, ranges: [lines ?? { start: 1, end: Infinity }], symbol };
}

/** Throws BAD_ARGUMENT for a path without text. */
function fileOf(found: FoundPath): FoundFile {
  if (found.kind === 'file') return found;
  const { path } = found;
  const [message, hint] = refusal(found);
  throw new SocraticodeError('BAD_ARGUMENT', `${path} ${message}`, { hint });
}

function refusal(found: Exclude<FoundPath, FoundFile>): [message: string, hint: string] {
  switch (found.kind) {
    case 'directory':
      return ['is a directory', 'Name a file in it; an outline of the directory lists them.'];
    case 'symlink':
      return [`is a symbolic link to ${found.target}`, 'Links are not followed: name the file that it leads to.'];
    case 'submodule':
      return [`is a submodule at commit ${found.commit}`, 'Its files are in a repository of their own: ask there.'];
    case 'large':
      return [
        `has ${formatBytes(found.size)}`,
        `Larger files than 64 MB are not read; \`git show REF:PATH\` prints them.`,
      ];
    case 'secret':
      return ['looks like it holds secrets', 'By its name or content it is left out of every answer.'];
    case 'binary':
      return ['is binary', 'There are no lines to show.'];
    case 'deleted':
      return ['is deleted in the work tree', 'A ref such as HEAD shows it as it was committed.'];
    case 'unreadable':
      return ['cannot be read', UNREADABLE];
  }
}

const UNREADABLE = 'It is missing from this clone, or no regular file.';

interface Opened {
  graph: GraphAndHeader;
  facts: BlobFactsSource;
}

interface SymbolRequest {
  target: string;
  prefix: Prefix;
}

/** Lines of a file named by the end of its path. Throws BAD_ARGUMENT. */
async function locateLines(
  { graph: prepared, facts }: Opened,
  { target, path, lines, prefix }: SymbolRequest & { path: string; lines: LineRange },
): Promise<Located | Problem> {
  const found = resolveFile(prepared.graph, path, prefix);
  if ('candidates' in found) return ambiguity(target, found.candidates);
  const file = await readFile(prepared, facts, found.file);
  return locatedIn(target, file, { path, lines, symbol: null });
}

async function locateSymbol(
  { graph: prepared, facts }: Opened,
  { target, name, prefix }: SymbolRequest & { name: string },
): Promise<Located | Problem> {
  const { graph } = prepared;
  const named = resolveTarget(graph, name, { prefix });
  const found = 'candidates' in named ? exactMatch(graph, target, named.candidates) : named;
  if (found === null || 'candidates' in found) return ambiguity(target, (named as Ambiguous).candidates);
  const { alternatives } = found;
  const [first] = found.nodes;
  const number = graph.fileOf(first);
  const file = await readFile(prepared, facts, number);
  if (found.isFile) return { target, file, ranges: [{ start: 1, end: Infinity }], symbol: null };
  const known = await facts.facts(file);
  // Parts of a type in other files count as other definitions.
  const nodes = found.nodes.filter((node) => graph.fileOf(node) === number);
  const ranges = nodes.map((node) => {
    const range = { start: Math.max(1, graph.startLine(node)), end: graph.endLine(node) };
    const doc = known?.symbols[node - graph.fileNode(number) - 1]?.doc ?? null;
    return doc === null ? range : { ...range, start: Math.min(range.start, lineOf(file.bytes, doc.start)) };
  });
  const isIncomplete = known?.parseErrors.some(({ lost }) => lost) ?? false;
  const symbol = graph.qualifiedName(first);
  return { target, file, ranges, symbol, isIncomplete, ...(alternatives && { alternatives }) };
}

type Resolved = ReturnType<typeof resolveTarget>;
type Ambiguous = Extract<Resolved, { candidates: Candidate[] }>;

/** The only definition whose qualified name is the target, rather than a member's end; null for none or several. */
function exactMatch(graph: Graph, target: string, candidates: readonly Candidate[]): Resolved | null {
  const whole = candidates.filter(({ symbol }) => symbol === target);
  const own = whole.filter(({ path }) => isProduction(graph, graph.findFile(path)));
  const [matched, ...further] = own.length > 0 ? own : whole;
  if (matched === undefined || further.length > 0) return null;
  const rest = candidates.filter((each) => each !== matched).map(({ pick }) => pick);
  return { ...resolveTarget(graph, matched.pick), alternatives: rest };
}

function ambiguity(target: string, all: Candidate[]): Problem {
  const candidates = cut(all, LISTED.candidates);
  const message = `${target} is ambiguous: ${all.length} definitions`;
  return { target, code: 'BAD_ARGUMENT', message, hint: `Name one by its place: ${all[0].pick}`, candidates };
}

/** A file of the graph. Throws BAD_ARGUMENT if its text is missing. */
async function readFile(
  { graph, uncommitted }: GraphAndHeader,
  facts: BlobFactsSource,
  file: number,
): Promise<FoundFile> {
  const { path, oid } = graph.tables.files[file];
  const bytes = await facts.bytes(oid);
  if (bytes === null) throw new SocraticodeError('BAD_ARGUMENT', `${path} cannot be read`, { hint: UNREADABLE });
  return { kind: 'file', path, oid, bytes, isUncommitted: uncommitted.has(path), isPointer: false };
}

// Targets as people type and paste them: a path, lines of a file, a symbol, or a symbol of a file.

/** Lines, counted from 1. `end` may be beyond the file; Infinity means its end. */
export interface LineRange {
  start: number;
  end: number;
}

/** A way to split a text into a path and a part of the file. The first one takes the whole text as a path. */
interface Reading {
  path: string;
  lines: LineRange | null;
  /** Symbol in the file. */
  symbol: string | null;
}

/** `:10`, `:10-40`, `:10-`; `:10,40`, `:10,+20` as in `git log -L`; `:10:5` of compilers; `#L10-L40` of web pages. */
const LINES =
  /^(?<path>.+?)(?::|#L)(?<start>\d{1,9})(?:-L?(?<end>\d{1,9})|(?<open>-)|,(?<until>\+?\d{1,9})|:\d{1,9})?$/s;
const SYMBOL = /^(?<path>.+?)(?:#|(?<!:):(?!:))(?<symbol>[^:#].*)$/s;

/** Possible readings of a target, the most literal first. Throws BAD_ARGUMENT for impossible lines. */
export function readingsOf(target: string): Reading[] {
  const whole = { path: target, lines: null, symbol: null };
  const lines = LINES.exec(target)?.groups;
  if (lines !== undefined) return [whole, { path: lines.path, lines: rangeOf(target, lines), symbol: null }];
  const named = SYMBOL.exec(target)?.groups;
  return named === undefined ? [whole] : [whole, { path: named.path, lines: null, symbol: named.symbol }];
}

function rangeOf(target: string, { start: first, end, open, until }: Record<string, string | undefined>): LineRange {
  const start = Number(first);
  const last = open !== undefined ? Infinity : Number(end ?? until ?? first);
  const range = { start, end: until?.startsWith('+') ? start + last - 1 : last };
  if (start < 1) throw new SocraticodeError('BAD_ARGUMENT', `lines are counted from 1: ${target}`, { hint: FORMS });
  if (range.end < start)
    throw new SocraticodeError('BAD_ARGUMENT', `the lines end before they begin: ${target}`, { hint: FORMS });
  return range;
}

const FORMS = 'Lines are written PATH:10, PATH:10-40, or PATH:10,+20 for twenty lines.';

/** Lines of a part for agents: the smallest budget holds one part. */
const PART_LINES = 25;

/** Lines of a text by number. The last line need not end with a newline. */
export class TextLines {
  readonly count: number;
  private readonly lines: string[];

  constructor(bytes: Buffer) {
    this.lines = bytes.toString('utf8').split('\n');
    if (this.lines.at(-1) === '') this.lines.pop();
    this.count = this.lines.length;
  }

  /** Lines from `start` to `end`, both counted from 1 and included. */
  slice({ start, end }: LineRange): string {
    return this.lines.slice(start - 1, end).join('\n');
  }

  /** True if some bytes are no UTF-8. */
  get isMangled(): boolean {
    return this.lines.some((line) => line.includes('\ufffd'));
  }
}

interface PartOptions {
  /** Lines of context before and after. */
  context: number;
  /** Splits text into parts, of which pages are made. */
  isPaged: boolean;
  /** Changes of the file; undefined if none were requested. */
  changes?: readonly Change[];
}

/** Requested parts of a file. Throws BAD_ARGUMENT for lines that the file does not have. */
export function partsOf(located: Located, text: TextLines, options: PartOptions): Part[] {
  const { target, file, ranges, symbol, alternatives = [] } = located;
  const shown = unite(ranges.map((range) => within(range, text, options.context)));
  const pieces = options.isPaged ? shown.flatMap(inPieces) : shown;
  return pieces.map(({ start, end }, i) => ({
    ...{ target, path: file.path, symbol, startLine: start, endLine: end },
    content: text.slice({ start, end }),
    ...(i === 0 && alternatives.length > 0 && { alternatives: [...alternatives] }),
    ...(options.changes && { changes: changesIn({ start, end }, options.changes, text) }),
  }));
}

function within({ start, end }: LineRange, { count }: TextLines, context: number): LineRange {
  return { start: Math.max(1, start - context), end: Math.min(Math.max(1, count), end + context) };
}

/** Changes within a range, cut at both ends. Lines removed at the end of the file belong to its last line. */
function changesIn({ start, end }: LineRange, changes: readonly Change[], { count }: TextLines): Change[] {
  return changes.flatMap(({ line, added, removed }) => {
    const first = Math.max(line, start);
    const last = Math.min(line + added - 1, end);
    if (first <= last) return [{ line: first, added: last - first + 1, removed: line === first ? removed : 0 }];
    const isHere = (line >= start && line <= end) || (end === count && line > count);
    return added === 0 && isHere ? [{ line, added, removed }] : [];
  });
}

/** Throws BAD_ARGUMENT for a start beyond the file. */
function checkLines({ start }: LineRange, path: string, { count }: TextLines): void {
  if (start <= Math.max(1, count)) return;
  throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${start}`, {
    hint: `It has ${count} ${count === 1 ? 'line' : 'lines'}.`,
  });
}

/** Sorts ranges, and joins those that overlap or touch. */
export function unite(ranges: readonly LineRange[]): LineRange[] {
  const united: LineRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = united.at(-1);
    if (last !== undefined && range.start <= last.end + 1) last.end = Math.max(last.end, range.end);
    else united.push({ ...range });
  }
  return united;
}

function inPieces({ start, end }: LineRange): LineRange[] {
  const pieces: LineRange[] = [];
  for (let at = start; at <= end; at += PART_LINES) pieces.push({ start: at, end: Math.min(end, at + PART_LINES - 1) });
  return pieces;
}

/** Remark about a text; '' for none. */
export function noteOf({ isPointer, bytes }: FoundFile, text: TextLines): string {
  if (isPointer) return 'a pointer of git-lfs: the file itself is not in git';
  if (bytes.length === 0) return 'empty';
  return text.isMangled ? 'not UTF-8: other bytes are shown as \ufffd' : '';
}
