/** Calls that fitted the parameters of a function before a change, and do not fit those of now. */
import type { CodeSymbol } from '../../../../extract/facts.js';
import type { Graph } from '../../../../graph/graph.js';
import { isFunction, isType, lastNodeOf, siblingsNamed } from '../../../../graph/query/uses.js';
import { areEqual, fits, type Parameters, parametersOf } from '../../../../graph/sides/parameters.js';
import type { Sides } from '../../../../graph/sides/sides.js';
import { conventionsOf } from '../../../../languages/registry.js';
import type { Reference } from '../../../../languages/roles/relation-facts.js';
import { argumentsOf, readCall } from './arguments.js';
import type { FileText, FileTexts } from './file-texts.js';
import type { Mismatch } from './output.js';

interface Changed {
  /** Node of the newer graph. */
  now: number;
  /** Of every overload, before and now. */
  before: readonly Parameters[];
  after: readonly Parameters[];
}

/** `changed`: older files that differ; `former`: texts of the older graph. Errors first, then by place. */
export async function findMismatches(
  sides: Sides,
  { former, texts, touched }: { former: FileTexts; texts: FileTexts; touched: ReadonlySet<number> },
): Promise<Mismatch[]> {
  const { old, now } = sides;
  const files = Array.from({ length: old.fileCount }, (_, file) => file).filter(
    (file) => sides.file(file) >= 0 && !sides.isSame(file) && formOf(old, file) !== undefined,
  );
  await Promise.all([former.load(files), texts.load(files.map((file) => sides.file(file)))]);
  const changed = files.flatMap((file) => changedIn(sides, file, former, texts));
  const calls = changed.flatMap((one) => callsOf(now, one.now).map((edge) => ({ one, edge })));
  await texts.load(calls.map(({ edge }) => now.fileOf(now.source(edge))));
  const found = calls.flatMap(({ one, edge }) => mismatchOf(now, edge, one, { texts, touched }));
  const rank = ({ level }: Mismatch) => (level === 'error' ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

const formOf = (graph: Graph, file: number) => conventionsOf(graph.tables.files[file].language).parameters;

function changedIn(sides: Sides, file: number, former: FileTexts, texts: FileTexts): Changed[] {
  const { old, now } = sides;
  const first = old.fileNode(file);
  const found: Changed[] = [];
  const seen = new Set<number>();
  for (let node = first + 1; node < lastNodeOf(old, first); node++) {
    const newer = isFunction(old, node) ? sides.node(node) : -1;
    if (newer < 0 || seen.has(newer) || !isFunction(now, newer)) continue;
    const [was, is] = [overloads(old, node), overloads(now, newer)];
    for (const one of is) seen.add(one);
    if (areUntouched(sides, { was, is }, former, texts)) continue;
    const before = was.map((one) => parametersAt(old, one, former));
    const after = is.map((one) => parametersAt(now, one, texts));
    if (!areKnown(before) || !areKnown(after)) continue;
    if (before.length === after.length && before.every((one, i) => areEqual(one, after[i]))) continue;
    for (const one of is) found.push({ now: one, before, after });
  }
  return found;
}

/** Is every overload written as before? Most functions of a changed file are, and reading parameters takes long. */
function areUntouched(
  { old, now }: Sides,
  { was, is }: { was: readonly number[]; is: readonly number[] },
  former: FileTexts,
  texts: FileTexts,
): boolean {
  if (was.length !== is.length) return false;
  return was.every((node, i) => {
    const [before, after] = [bytesOf(old, node, former), bytesOf(now, is[i], texts)];
    return before !== null && after !== null && before.equals(after);
  });
}

function bytesOf(graph: Graph, node: number, texts: FileTexts): Buffer | null {
  const file = graph.fileOf(node);
  const text = texts.get(file);
  const symbol = text?.facts.symbols[node - graph.fileNode(file) - 1];
  return text === undefined || symbol === undefined ? null : text.bytes.subarray(symbol.start, symbol.end);
}

const areKnown = (all: (Parameters | null)[]): all is Parameters[] => all.every((one) => one !== null);

/** All declarations of a function. */
export function overloads(graph: Graph, node: number): number[] {
  return siblingsNamed(graph, node).filter((other) => isFunction(graph, other));
}

/** Parameters of a function whose file is loaded; null where they cannot be told. */
export function parametersAt(graph: Graph, node: number, texts: FileTexts): Parameters | null {
  const file = graph.fileOf(node);
  const text = texts.get(file);
  const form = formOf(graph, file);
  const symbol = text?.facts.symbols[node - graph.fileNode(file) - 1];
  if (text === undefined || form === undefined || symbol?.name !== graph.name(node)) return null;
  if (form.plainDecorators !== undefined && !isPlain(text, symbol, form.plainDecorators)) return null;
  if (form.unclearBefore?.test(text.bytes.toString('utf8', symbol.start, symbol.nameStart) + symbol.name)) return null;
  const declared = text.bytes.toString('utf8', symbol.nameStart, Math.min(symbol.end, symbol.nameStart + MAX_DECLARED));
  const isMember = isType(graph, graph.container(node));
  return parametersOf(declared, { form, lexical: text.lexical, isMember });
}

const MAX_DECLARED = 8_000;

/** Is it without decorators, or with none that may change what it takes? */
function isPlain({ bytes }: FileText, { start, nameStart }: CodeSymbol, plain: RegExp): boolean {
  const before = bytes.toString('utf8', start, nameStart);
  return [...before.matchAll(/^\s*@([\w.]+)/gm)].every(([, name]) => plain.test(name));
}

/** Calls that are sure to mean a function, or to make an instance by it. */
function callsOf(graph: Graph, node: number): number[] {
  const made = graph.kind(node) === 'constructor' ? [...graph.incoming(graph.container(node))] : [];
  return [...[...graph.incoming(node)].filter((edge) => graph.edgeKind(edge) !== 'new'), ...made].filter((edge) => {
    const kind = graph.edgeKind(edge);
    return (
      (kind === 'call' || kind === 'new') &&
      graph.tier(edge) !== 'unique' &&
      (made.includes(edge) ? kind === 'new' : true)
    );
  });
}

function mismatchOf(
  graph: Graph,
  number: number,
  { now: node, before, after }: Changed,
  { texts, touched }: { texts: FileTexts; touched: ReadonlySet<number> },
): Mismatch[] {
  const edge = graph.edge(number);
  const file = graph.fileOf(edge.from);
  const text = texts.get(file);
  const form = formOf(graph, graph.fileOf(node));
  // Through the type itself the instance is an argument.
  const isUnbound = edge.receiver.split('.').at(-1) === graph.name(graph.container(node));
  if (text === undefined || form === undefined || isUnbound) return [];
  const calls = referencesAt(text, edge);
  const level = form.isLenient ? 'warning' : 'error';
  const problem = problemOf(
    calls,
    { before, after },
    { text, form, name: edge.name, isTouched: touched.has(edge.from) },
  );
  if (problem === null) return [];
  return [
    {
      path: graph.path(edge.from),
      line: edge.startLine,
      symbol: graph.isFile(edge.from) ? null : graph.qualifiedName(edge.from),
      text: edge.receiver === '' ? edge.name : `${edge.receiver}.${edge.name}`,
      level: problem.problem === 'order' ? 'warning' : level,
      ...problem,
      callee: { path: graph.path(node), symbol: graph.qualifiedName(node), line: Math.max(1, graph.startLine(node)) },
    },
  ];
}

function referencesAt({ facts }: FileText, edge: { name: string; startLine: number }): Reference[] {
  return facts.relations.references.filter(
    ({ kind, name, startLine }) =>
      startLine === edge.startLine && name === edge.name && (kind === 'call' || kind === 'new'),
  );
}

interface CallContext {
  text: FileText;
  form: NonNullable<ReturnType<typeof formOf>>;
  name: string;
  isTouched: boolean;
}

/** Calls of one name on a line cannot be told apart: all of them have to be wrong in the same way. */
function problemOf(
  calls: readonly Reference[],
  { before, after }: Pick<Changed, 'before' | 'after'>,
  { text, form, name, isTouched }: CallContext,
): Pick<Mismatch, 'problem' | 'detail'> | null {
  if (calls.length === 0 || calls.some(({ args }) => args < 0) || !isClear(calls, text, form, name)) return null;
  const wrong = calls.filter(
    ({ args }) => before.some((one) => fits(one, args)) && !after.some((one) => fits(one, args)),
  );
  if (wrong.length === calls.length) {
    const [{ args, startLine, endLine }] = wrong;
    // A call among the arguments may give several values.
    const given = argumentsOf(text, { name, startLine, endLine });
    if (args === 1 && (given === null || given[0]?.includes('(')) && after.every(({ least }) => least > 1)) return null;
    const problem = after.every(({ least }) => args < least) ? 'too-few' : 'too-many';
    return { problem, detail: `${plural(args)} where it takes ${after.map(rangeOf).join(' or ')}` };
  }
  const [was] = before;
  const [is] = after;
  if (before.length > 1 || after.length > 1 || calls.length > 1) return null;
  const [{ args, startLine, endLine }] = calls;
  const given = argumentsOf(text, { name, startLine, endLine });
  if (given === null || given.length !== args) return null;
  const keywords = given.map((one) => form.keyword?.exec(one)?.[1]);
  const known = new Set([...is.names, ...is.keywords]);
  const former = new Set([...was.names, ...was.keywords]);
  const gone = keywords.find((one) => one !== undefined && former.has(one) && !known.has(one));
  if (gone !== undefined && !is.anyKeyword)
    return { problem: 'keyword', detail: `it has no parameter ${gone} any more` };
  const byPlace = keywords.filter((one) => one === undefined).length;
  if (isTouched || !isReordered(was.names, is.names, byPlace)) return null;
  return { problem: 'order', detail: `its parameters are in another order: ${is.names.join(', ')}` };
}

/** Does the text show all that is given? Blocks and spread lists are arguments that nothing counts. */
function isClear(calls: readonly Reference[], text: FileText, form: CallContext['form'], name: string): boolean {
  const { unclearArgument, trailingBlocks = false } = form;
  if (unclearArgument === undefined && !trailingBlocks) return true;
  const [{ args, startLine, endLine }] = calls;
  const call = calls.length > 1 ? null : readCall(text, { name, startLine, endLine });
  if (call === null || call.args.length !== args || (trailingBlocks && call.hasBlock)) return false;
  return !call.args.some((one) => unclearArgument?.test(one));
}

/** Are the names the same, in another order as far as arguments are passed by place? */
function isReordered(was: readonly string[], is: readonly string[], byPlace: number): boolean {
  const first = was.findIndex((name, i) => is[i] !== name);
  const isSame = was.length === is.length && was.every((name) => name !== '?' && is.includes(name));
  return isSame && new Set(was).size === was.length && first >= 0 && first < byPlace;
}

export const plural = (count: number): string => `${count} argument${count === 1 ? '' : 's'}`;

export function rangeOf({ least, most }: Parameters): string {
  if (most === Number.POSITIVE_INFINITY) return `${least} or more`;
  return least === most ? `${least}` : `${least} to ${most}`;
}
