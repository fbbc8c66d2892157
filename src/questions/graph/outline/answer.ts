/**
 * Answers `graph outline`: the definitions of files; for a directory, many files or everything, a map. An outline is
 * read instead of the file, so it is short.
 */
import { posix } from 'node:path';
import { isSocraticodeError, type SocraticodeError } from '../../../base/errors.js';
import { signs } from '../../../base/printable.js';
import type { BlobFacts } from '../../../extract/facts.js';
import { findDirectory, findPath } from '../../../graph/query/node-place.js';
import { declarationText, firstLine, signatureText } from '../../../graph/query/signatures.js';
import { acceptsPath, resolveFile } from '../../../graph/query/target.js';
import { pathMatcher } from '../../../search/filter.js';
import { openFacts } from '../../../session/blob-facts.js';
import type { Asker } from '../../asker.js';
import { withReason } from '../../explain/reasons.js';
import { formatBytes, formatCount, parseErrorsText } from '../../format.js';
import type { Pen } from '../../pen.js';
import { more } from '../../view.js';
import { LISTED } from '../graph-question.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import type { GraphMapResponse, GraphOutlineResponse, OutlineSymbol, OutlineValues } from './question.js';

/** Maximum number of files of a glob that are outlined one by one; more are shown as a map. */
const MAX_OUTLINED = 12;
const GLOB = /[*?{[]/;

/** Throws BAD_ARGUMENT if no file that is named is in the snapshot. */
export async function answerOutline(
  at: Asker,
  values: OutlineValues,
): Promise<GraphOutlineResponse | GraphMapResponse | GraphCandidates> {
  const { limit = LISTED.outline } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, prefix } = prepared;
  const { parts, refused } = await partsOf(at, prepared, values);
  if (parts.length === 0 || parts.some(({ isMap }) => isMap)) {
    if (refused.length > 0) throw refused[0];
    return mapOfParts(at, prepared, { values, parts });
  }
  const wanted = new Set<number>();
  for (const { target, accepts } of parts) {
    const found = accepts === null ? resolveFile(graph, target, prefix) : filesOf(prepared, accepts);
    if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
    for (const file of 'file' in found ? [found.file] : found) wanted.add(file);
  }
  const outlined = await outlines(at, prepared, { values, wanted: [...wanted] });
  return refused.length === 0 ? outlined : { ...outlined, refused: refused.map(({ message }) => message) };
}

/** A file, directory or glob of the request. */
interface Part {
  target: string;
  /** Null for a file, named by its path or the end of it. */
  accepts: ((path: string) => boolean) | null;
  isMap: boolean;
}

/** The parts that are named, without files that are unknown beside others that are not: a glob of a shell also names links. */
async function partsOf(
  at: Asker,
  prepared: GraphAndHeader,
  values: OutlineValues,
): Promise<{ parts: Part[]; refused: Error[] }> {
  const parts: Part[] = [];
  const failed: SocraticodeError[] = [];
  for (const target of values.files ?? []) {
    try {
      const part = partOf(prepared, target);
      if (part.accepts === null) resolveFile(prepared.graph, target, prepared.prefix);
      parts.push(part);
    } catch (error) {
      if (!isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
      failed.push(error);
    }
  }
  if (parts.length === 0 && failed.length > 0) throw failed[0];
  const refused: Error[] = [];
  for (const error of failed) refused.push(await withReason(error, at, values).catch((found: Error) => found));
  return { parts, refused };
}

function partOf(prepared: GraphAndHeader, target: string): Part {
  const { graph, prefix } = prepared;
  if (findPath(graph, target, prefix) >= 0) return { target, accepts: null, isMap: false };
  const directory = findDirectory(graph, target, prefix);
  if (directory !== null) return { target, accepts: (path) => path.startsWith(directory), isMap: true };
  if (!GLOB.test(target)) return { target, accepts: null, isMap: false };
  const accepts = pathMatcher([target]);
  return { target, accepts, isMap: filesOf(prepared, accepts).length > MAX_OUTLINED };
}

function filesOf({ graph }: GraphAndHeader, accepts: (path: string) => boolean): number[] {
  return graph.tables.files.flatMap(({ path }, file) => (accepts(path) ? [file] : []));
}

async function mapOfParts(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  { values, parts }: { values: OutlineValues; parts: readonly Part[] },
): Promise<GraphMapResponse> {
  const { mapOf } = await import('./map.js');
  const { graph, prefix } = prepared;
  const tests = parts.map(({ target, accepts }) => accepts ?? acceptsPath(graph, target, prefix));
  const scope = {
    names: parts.map(({ target }) => target),
    accepts: (path: string) => tests.some((test) => test(path)),
  };
  const { maxTokens: budget, signatures } = values;
  return mapOf(session, prepared, { budget, signatures, signal, ...(parts.length > 0 && { scope }) });
}

async function outlines(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  { values, wanted }: { values: OutlineValues; wanted: readonly number[] },
): Promise<GraphOutlineResponse> {
  const { graph, header } = prepared;
  const { limit = LISTED.outline } = values;
  const source = await openFacts(session, prepared, { count: wanted.length, signal });
  const files: GraphOutlineResponse['files'] = [];
  try {
    for (const file of wanted) {
      const { path, oid, language } = graph.tables.files[file];
      const [facts, bytes] = [await source.facts({ oid, path }), await source.bytes(oid)];
      const symbols = facts === null || bytes === null ? [] : outlineOf(facts, bytes, values);
      const isDegraded = facts === null || source.degraded.has(oid);
      files.push({
        ...{ path, language, lines: facts?.lines ?? 0, bytes: bytes?.length ?? 0 },
        degraded: isDegraded,
        ...(!isDegraded && { parseErrors: facts.parseErrors }),
        symbols: symbols.slice(0, limit),
        leftOut: Math.max(0, symbols.length - limit),
      });
    }
  } finally {
    await source.close();
  }
  return { ...header, files };
}

type OutlineParts = Pick<OutlineValues, 'signatures' | 'docs'>;

export function outlineOf(facts: BlobFacts, bytes: Buffer, { signatures, docs }: OutlineParts): OutlineSymbol[] {
  const depths: number[] = [];
  return facts.symbols.map((symbol, i) => {
    const { name, kind, exported, container, startLine, endLine, doc } = symbol;
    depths[i] = container < 0 ? 0 : depths[container] + 1;
    const text = doc === null || !docs ? '' : firstLine(bytes.toString('utf8', doc.start, doc.end));
    return {
      ...{ name, kind, exported, depth: depths[i], startLine, endLine },
      ...(signatures && { signature: signatureText(bytes, symbol) }),
      ...(text !== '' && { doc: text }),
    };
  });
}

type File = GraphOutlineResponse['files'][number];

type Style = Pick<OutlineValues, 'all'>;

export function outlineText(
  answer: GraphOutlineResponse | GraphMapResponse,
  { pen, values }: { pen: Pen; values: OutlineValues },
): string {
  if ('folders' in answer) return mapText(answer, pen);
  const files = answer.files.map((file) => `${fileLines(file, pen, values).join('\n')}\n`);
  const rest = (answer.refused ?? []).map((reason) => `${reason}\n`).join('');
  return [...files, ...(rest === '' ? [] : [rest])].join('\n');
}

function fileLines(file: File, pen: Pen, style: Style): string[] {
  const { path, language, lines, bytes, degraded, symbols, leftOut, parseErrors = [] } = file;
  const state = degraded ? ', could not be parsed as a whole' : '';
  const details = `${language}, ${formatCount(lines, 'line')}, ${formatBytes(bytes)}${state}`;
  const errors = parseErrors.length === 0 ? [] : [pen.dim(`  ${parseErrorsText(parseErrors)}`)];
  const head = [`${pen.path(path)}  ${pen.dim(details)}`, ...errors];
  if (symbols.length === 0) return [...head, pen.dim('  no symbols are known')];
  return [...head, ...symbolLines(file, pen, style), ...more(leftOut, pen)];
}

/** Maximum depth of indentation. */
const MAX_INDENT = 10;
/** Width up to which small symbols share a line. */
const RUN_WIDTH = 100;
/** Members whose place the lines of their type show well enough. */
const FIELD_KINDS: ReadonlySet<string> = new Set(['field', 'property', 'enum-member']);

/** Small symbols that share a line. */
interface Run {
  depth: number;
  isFields: boolean;
  parts: string[];
}

function symbolLines({ symbols, language }: File, pen: Pen, { all = false }: Style): string[] {
  // In a file without exports (a script, a test, a language without them) no symbol is private.
  const isOpen = all || !symbols.some(({ depth, exported }) => depth === 0 && exported);
  const lines: (string | Run)[] = [];
  for (const [i, symbol] of symbols.entries()) {
    const { depth, doc, exported } = symbol;
    const isLeaf = (symbols[i + 1]?.depth ?? 0) <= depth;
    const isFields = FIELD_KINDS.has(symbol.kind) && depth > 0;
    const isShown = isOpen || exported;
    const isSmall = isFields || !isShown || isBareValue(symbol, language);
    if (!isLeaf || doc !== undefined || !isSmall) lines.push(symbolLine(symbol, language, pen));
    else
      addToRun(lines, { depth, isFields }, isFields ? fieldText(symbol, isShown ? language : null) : nameText(symbol));
  }
  return lines.flatMap((line) => (typeof line === 'string' ? [line] : runLines(line, pen)));
}

/** Adds a small symbol to the run before it, or begins one. */
function addToRun(lines: (string | Run)[], { depth, isFields }: Omit<Run, 'parts'>, part: string): void {
  const last = lines.at(-1);
  if (typeof last === 'object' && last.depth === depth && last.isFields === isFields) last.parts.push(part);
  else lines.push({ depth, isFields, parts: [part] });
}

/** Is it a constant whose declaration adds nothing to its name? */
function isBareValue({ name, kind, signature }: OutlineSymbol, language: string): boolean {
  return VALUE_KINDS.has(kind) && (signature === undefined || declarationText(signature, language) === name);
}

const VALUE_KINDS: ReadonlySet<string> = new Set(['constant', 'variable']);

const indentOf = (depth: number): string => ' '.repeat(Math.min(depth, MAX_INDENT) + 1);
const linesOf = ({ startLine, endLine }: OutlineSymbol): string =>
  endLine > startLine ? `${startLine}-${endLine}` : String(startLine);

/** `17-27 parseRange(text: string): Range | null` */
function symbolLine(symbol: OutlineSymbol, language: string, pen: Pen): string {
  const { name, kind, depth, signature, doc } = symbol;
  const declaration = signature ? declarationText(signature, language) : `${pen.symbol(name)} ${pen.dim(kind)}`;
  const remark = doc === undefined ? '' : pen.dim(`  # ${doc}`);
  return `${indentOf(depth)}${pen.line(linesOf(symbol))} ${declaration}${remark}`;
}

/** Text of a field. `language` null: only its name. */
function fieldText({ name, signature }: OutlineSymbol, language: string | null): string {
  return signature && language !== null ? declarationText(signature, language) : name;
}

const nameText = (symbol: OutlineSymbol): string => `${linesOf(symbol)} ${symbol.name}`;

function runLines({ depth, isFields, parts }: Run, pen: Pen): string[] {
  const lines: string[] = [];
  const between = isFields ? '; ' : ', ';
  let line = '';
  for (const part of parts) {
    if (line !== '' && line.length + part.length > RUN_WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? part : `${between}${part}`;
  }
  return [...lines, line].map((text) => `${indentOf(depth)}${pen.dim(text)}`);
}

// Text of a map.

type Folder = GraphMapResponse['folders'][number];
type MapFile = Folder['central'][number];
type Definition = MapFile['defines'][number];

export function mapText({ folders, folderCount, scope, aside }: GraphMapResponse, pen: Pen): string {
  if (folderCount === 0) return `no code is known${scope.length > 0 ? ' there' : ''}\n`;
  const blocks = folders.map((folder) => folderLines(folder, pen).join('\n'));
  const rest = folderCount - folders.length;
  if (rest > 0) blocks.push(pen.dim(`${signs.cut} and ${formatCount(rest, 'smaller folder')}`));
  const others = aside.map(({ path, files }) => `${folderName(path)} ${formatCount(files, 'file')}`);
  if (others.length > 0) blocks.push(pen.dim(`tests, examples and copies: ${others.join(', ')}`));
  return `${blocks.join('\n\n')}\n`;
}

/** `src/search/  18 files, uses src/base, src/shard` */
function folderLines({ path, files, uses, central }: Folder, pen: Pen): string[] {
  const names = uses.map((other) => folderName(nearest(path, other)));
  const used = names.length === 0 ? '' : `, uses ${names.join(', ')}`;
  const head = `${pen.path(folderName(path))}  ${pen.dim(`${formatCount(files, 'file')}${used}`)}`;
  const rest = files - central.length;
  const lines = central.flatMap((file) => mapFileLines(file, path, pen));
  return [
    head,
    ...lines,
    ...(rest > 0 && central.length > 0 ? [pen.dim(`  ${signs.cut} ${formatCount(rest, 'more file')}`)] : []),
  ];
}

/**
 * Shorter path of a folder: `../cfg` beside it, `./cfg` inside. Some languages begin every folder with the same forty characters.
 */
function nearest(folder: string, other: string): string {
  const way = posix.relative(`/${folder}`, `/${other}`);
  const near = way.startsWith('..') ? way : `./${way}`;
  return !near.startsWith('../..') && near.length + MIN_SHORTER <= other.length ? near : other;
}

/** Minimum number of saved characters for a path that begins elsewhere. */
const MIN_SHORTER = 12;

const folderName = (path: string): string => (path === '' || path === '.' ? './' : `${path}/`);

function mapFileLines({ path, lines, defined, defines }: MapFile, folder: string, pen: Pen): string[] {
  const name = folder === '' ? path : path.slice(folder.length + 1);
  const rest = defined - defines.length;
  const more = rest > 0 && defines.length > 0 ? `, ${rest} more` : '';
  const head = `  ${pen.path(name)}  ${pen.dim(`${formatCount(lines, 'line')}${more}`)}`;
  return [head, ...defines.flatMap((definition) => definitionLines(definition, pen))];
}

function definitionLines({ line, text, members = [] }: Definition, pen: Pen): string[] {
  return [`    ${pen.line(String(line))} ${text}`, ...members.map((member) => `      ${member}`)];
}
