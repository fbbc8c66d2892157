/** Finds calls that fitted the parameters of a function before a change, and do not fit them now. */
import type { CodeSymbol } from '../../../extract/facts.js';
import type { Comparison } from '../../../graph/compare/correspondence.js';
import type { Graph } from '../../../graph/graph.js';
import {
  areEqual,
  fits,
  insideBrackets,
  type Parameters,
  parametersOf,
  splitList,
} from '../../../graph/query/signatures.js';
import { isFunction, isType, lastNodeOf, siblingsNamed } from '../../../graph/query/uses.js';
import { GUESSED } from '../../../graph/tables.js';
import { conventionsOf } from '../../../languages/registry.js';
import type { Reference } from '../../../languages/roles/relation-facts.js';
import type { FileText, FileTexts } from './both-graphs.js';
import type { Mismatch } from './output.js';

/** A function whose parameters differ. */
interface ChangedFunction {
  /** Its node after the change. */
  node: number;
  /** Parameters of every overload, before the change and now. */
  before: readonly Parameters[];
  after: readonly Parameters[];
}

/**
 * Mismatches, errors first, then by place. `former` and `texts` read files before and after the change. `touched`: nodes after the change
 * whose text differs.
 */
export async function findMismatches(
  comparison: Comparison,
  { former, texts, touched }: { former: FileTexts; texts: FileTexts; touched: ReadonlySet<number> },
): Promise<Mismatch[]> {
  const { old, now } = comparison;
  const files = Array.from({ length: old.fileCount }, (_, file) => file).filter(
    (file) => comparison.file(file) >= 0 && !comparison.isSame(file) && formOf(old, file) !== undefined,
  );
  await Promise.all([former.load(files), texts.load(files.map((file) => comparison.file(file)))]);
  const changed = files.flatMap((file) => changedIn(comparison, file, former, texts));
  const calls = changed.flatMap((callee) => callsOf(now, callee.node).map((edge) => ({ callee, edge })));
  await texts.load(calls.map(({ edge }) => now.fileOf(now.source(edge))));
  const found = calls.flatMap(({ callee, edge }) => mismatchOf(now, edge, callee, { texts, touched }));
  const rank = ({ level }: Mismatch) => (level === 'error' ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
}

const formOf = (graph: Graph, file: number) => conventionsOf(graph.tables.files[file].language).parameters;

function changedIn(comparison: Comparison, file: number, former: FileTexts, texts: FileTexts): ChangedFunction[] {
  const { old, now } = comparison;
  const first = old.fileNode(file);
  const found: ChangedFunction[] = [];
  const seen = new Set<number>();
  for (let node = first + 1; node < lastNodeOf(old, first); node++) {
    const newer = isFunction(old, node) ? comparison.node(node) : -1;
    if (newer < 0 || seen.has(newer) || !isFunction(now, newer)) continue;
    const [was, is] = [overloads(old, node), overloads(now, newer)];
    for (const one of is) seen.add(one);
    if (areUntouched(comparison, { was, is }, former, texts)) continue;
    const before = was.map((one) => parametersAt(old, one, former));
    const after = is.map((one) => parametersAt(now, one, texts));
    if (!areKnown(before) || !areKnown(after)) continue;
    if (before.length === after.length && before.every((one, i) => areEqual(one, after[i]))) continue;
    for (const one of is) found.push({ node: one, before, after });
  }
  return found;
}

/** Are all overloads written as before? Most functions of a changed file are, and reading parameters takes long. */
function areUntouched(
  { old, now }: Comparison,
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

/** The functions of a function's name in the same place, itself among them: each may have other parameters. */
export function overloads(graph: Graph, node: number): number[] {
  return siblingsNamed(graph, node).filter((other) => isFunction(graph, other));
}

/** Parameters of a function whose file is loaded; null if they are unknown. */
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

/** Has it no decorator that may change its parameters? */
function isPlain({ bytes }: FileText, { start, nameStart }: CodeSymbol, plain: RegExp): boolean {
  const before = bytes.toString('utf8', start, nameStart);
  return [...before.matchAll(/^\s*@([\w.]+)/gm)].every(([, name]) => plain.test(name));
}

/** Numbers of the edges that are calls of a function for sure, or make an instance by it. */
function callsOf(graph: Graph, node: number): number[] {
  const calls = [...graph.incoming(node)].filter((edge) => graph.edgeKind(edge) === 'call');
  const owners = graph.kind(node) === 'constructor' ? [...graph.incoming(graph.container(node))] : [];
  const made = owners.filter((edge) => graph.edgeKind(edge) === 'new');
  return [...calls, ...made].filter((edge) => !GUESSED.has(graph.tier(edge)));
}

function mismatchOf(
  graph: Graph,
  call: number,
  { node, before, after }: ChangedFunction,
  { texts, touched }: { texts: FileTexts; touched: ReadonlySet<number> },
): Mismatch[] {
  const edge = graph.edge(call);
  const file = graph.fileOf(edge.from);
  const text = texts.get(file);
  const form = formOf(graph, graph.fileOf(node));
  // A call through the type itself has the instance as an argument, where the list of parameters has it.
  const isThroughType = edge.receiver.split('.').at(-1) === graph.name(graph.container(node));
  const isUnbound = isThroughType && form?.implicit !== undefined;
  if (text === undefined || form === undefined || isUnbound) return [];
  const calls = referencesAt(text, edge);
  const level = form.isLenient ? 'warning' : 'error';
  const problem = problemOf(
    calls,
    { before, after },
    { text, form, name: edge.name, isTouched: touched.has(edge.from) },
  );
  if (problem === null) return [];
  if (form.isLenient && COUNTS.has(problem.problem)) problem.detail += ', which runs all the same';
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

/** Problems that a language without types lets run: missing arguments are undefined, further ones are ignored. */
const COUNTS: ReadonlySet<Mismatch['problem']> = new Set(['too-few', 'too-many']);

function referencesAt({ facts }: FileText, edge: { name: string; startLine: number }): Reference[] {
  return facts.relations.references.filter(
    ({ kind, name, startLine }) =>
      startLine === edge.startLine && name === edge.name && (kind === 'call' || kind === 'new'),
  );
}

type Problem = Pick<Mismatch, 'problem' | 'detail'>;

interface CallContext {
  text: FileText;
  form: NonNullable<ReturnType<typeof formOf>>;
  name: string;
  isTouched: boolean;
}

/** Problem of the calls of one name on a line. They cannot be distinguished, so all of them have to be wrong in the same way. */
function problemOf(
  calls: readonly Reference[],
  { before, after }: Pick<ChangedFunction, 'before' | 'after'>,
  context: CallContext,
): Problem | null {
  const { text, form, name } = context;
  if (calls.length === 0 || calls.some(({ args }) => args < 0) || !isClear(calls, text, form, name)) return null;
  const wrong = calls.filter(
    ({ args }) => before.some((one) => fits(one, args)) && !after.some((one) => fits(one, args)),
  );
  const [{ args, startLine, endLine }] = calls;
  const given = argumentsOf(text, { name, startLine, endLine });
  if (wrong.length === calls.length) return countProblem(args, given, after);
  if (before.length > 1 || after.length > 1 || calls.length > 1 || given?.length !== args) return null;
  return namesProblem(given, before[0], after[0], context);
}

function countProblem(args: number, given: readonly string[] | null, after: readonly Parameters[]): Problem | null {
  // A call among the arguments may stand for several values.
  if (args === 1 && (given === null || given[0]?.includes('(')) && after.every(({ least }) => least > 1)) return null;
  const problem = after.every(({ least }) => args < least) ? 'too-few' : 'too-many';
  return { problem, detail: countText(args, after) };
}

/** Problem of a call with the right number of arguments: a keyword that is gone, or another order. */
function namesProblem(
  given: readonly string[],
  was: Parameters,
  is: Parameters,
  { form, isTouched }: CallContext,
): Problem | null {
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

/** Does the text show all arguments? Blocks and spread lists are arguments that nothing counts. */
function isClear(calls: readonly Reference[], text: FileText, form: CallContext['form'], name: string): boolean {
  const { unclearArgument, trailingBlocks = false } = form;
  if (unclearArgument === undefined && !trailingBlocks) return true;
  const [{ args, startLine, endLine }] = calls;
  const call = calls.length > 1 ? null : readCall(text, { name, startLine, endLine });
  if (call === null || call.args.length !== args || (trailingBlocks && call.hasBlock)) return false;
  return !call.args.some((one) => unclearArgument?.test(one));
}

/** Are the names the same in another order, among parameters that are passed by position? */
function isReordered(was: readonly string[], is: readonly string[], byPlace: number): boolean {
  const first = was.findIndex((name, i) => is[i] !== name);
  const isSame = was.length === is.length && was.every((name) => name !== '?' && is.includes(name));
  return isSame && new Set(was).size === was.length && first >= 0 && first < byPlace;
}

/** `3 arguments where it takes 1 to 2 or 4`. `parameters`: those of every overload. */
export const countText = (args: number, parameters: readonly Parameters[]): string =>
  `${args} argument${args === 1 ? '' : 's'} where it takes ${parameters.map(rangeOf).join(' or ')}`;

function rangeOf({ least, most }: Parameters): string {
  if (most === Number.POSITIVE_INFINITY) return `${least} or more`;
  return least === most ? `${least}` : `${least} to ${most}`;
}

// Arguments as written.

/** A call of `name` that begins and ends in these lines. */
interface WrittenCall {
  name: string;
  startLine: number;
  endLine: number;
}

/** Arguments; null if the text does not show which call of that name is meant. */
function argumentsOf(file: FileText, call: WrittenCall): string[] | null {
  return readCall(file, call)?.args ?? null;
}

/** Arguments, and whether a block follows them; null as in `argumentsOf`. */
function readCall(
  { text, lexical }: FileText,
  { name, startLine, endLine }: WrittenCall,
): { args: string[]; hasBlock: boolean } | null {
  const part = text
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n');
  const first = part.indexOf(`${name}(`);
  if (first < 0 || part.indexOf(`${name}(`, first + 1) >= 0 || /[\w$]/.test(part[first - 1] ?? '')) return null;
  const inside = insideBrackets(part, first + name.length, lexical);
  if (inside === null) return null;
  const end = first + name.length + inside.length + 2;
  return { args: splitList(inside, lexical), hasBlock: /^\s*\{/.test(part.slice(end)) };
}
