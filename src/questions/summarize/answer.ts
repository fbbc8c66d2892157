/** Answers `summarize`: cached summaries first, then a model for the rest, files before the folders around them. */
import { mapConcurrently } from '../../base/async.js';
import { SocraticodeError } from '../../base/errors.js';
import { groupBy } from '../../base/lists.js';
import { groupDigits } from '../../base/printable.js';
import type { Config } from '../../config/settings.js';
import type { Chat } from '../../embed/chat.js';
import type { BlobFacts } from '../../extract/facts.js';
import type { Graph } from '../../graph/graph.js';
import { isOnMap } from '../../graph/query/file-edges.js';
import { cut, findDirectory, findPath, isProduction } from '../../graph/query/node-place.js';
import { firstLine, signatureText } from '../../graph/query/signatures.js';
import { resolveTarget } from '../../graph/query/target.js';
import { isPlain, usesOf } from '../../graph/query/uses.js';
import { claimNow, type SummaryKind, summaryKey } from '../../knowledge/codecs.js';
import { optionText } from '../../params/param.js';
import { openFacts } from '../../session/blob-facts.js';
import { readSummaries } from '../../session/knowledge/summaries.js';
import type { Asker, ServerCaller } from '../asker.js';
import { dateText, formatCount, quoted } from '../format.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { isoTime } from '../note/answer.js';
import type { Pen } from '../pen.js';
import { more } from '../view.js';
import type { SummarizeDocument, SummarizeValues, SummaryItem } from './question.js';
import { fileShown, symbolShown, Writer, type Written } from './writer.js';

/** Throws BAD_ARGUMENT without a target or for one that does not exist, BAD_CONFIG without a model's name. */
export async function answerSummarize(at: Asker, values: SummarizeValues): Promise<SummarizeDocument> {
  const targets = values.all ? ['.'] : (values.targets ?? []);
  if (targets.length === 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'nothing is named', {
      hint: 'Name a symbol, a file or a folder.',
    });
  const prepared = await prepareGraph(at, values);
  const { summarizer } = (await at.session.configOfOrigin(prepared.origin)).config;
  const chat = await chatOf(at, summarizer, values);
  const gathered = await gather(at, prepared, { targets, symbols: values.symbols });
  const writer = new Writer(at, await readSummaries(at.session, chat?.id ?? null), { chat, ...values }, summarizer);
  const items = await summarizeAll(at, prepared, gathered, writer);
  const { model, made, kept, left, tokens, cost, failure } = writer.report();
  return {
    ...prepared.header,
    ...{ model, made, kept, left, dryRun: values.dryRun === true, tokens, cost },
    ...(failure !== null && { failure }),
    summaries: cut(inOrder(items), values.limit),
  };
}

/**
 * The model to ask; null: only cached summaries are read, nothing is sent, and nothing is paid. On the command line it is the one that the
 * settings name (null for `none` and `host`), for agents that of their host, and only with `ask`. Throws BAD_ARGUMENT and BAD_CONFIG.
 */
async function chatOf(at: Asker, settings: Config['summarizer'], values: SummarizeValues): Promise<Chat | null> {
  const { inputPrice, outputPrice } = settings;
  if (values.maxCost !== undefined && inputPrice === undefined && outputPrice === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'the cost is limited, and no price is known', {
      hint: 'Set summarizer.inputPrice and summarizer.outputPrice, for a million tokens.',
    });
  const chat = at.server === undefined ? await ownChat(at, settings, values) : hostChat(at.server, settings, values);
  // Every summary names the person who asked for it. A missing name fails here, before anything is paid for.
  if (chat !== null && values.dryRun !== true) claimNow(at.session, { isAgent: true, agent: chat.id });
  return chat;
}

async function ownChat(at: Asker, settings: Config['summarizer'], { pull }: SummarizeValues): Promise<Chat | null> {
  const { createChat } = await import('../../embed/chat.js');
  const chat = createChat(settings, process.env);
  if (!pull) return chat;
  if (chat?.pull === undefined)
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      `${optionText('pull')} downloads models to Ollama, and summarizer.name is ${settings.name}`,
      { hint: 'git config --global socraticode.summarizer.name ollama' },
    );
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  await chat.pull(
    ({ status, completed, total }) => at.progress(megabytes(completed), megabytes(total), status),
    at.signal,
  );
  return chat;
}

/** Model of the agent's host, as chosen in the settings. Throws BAD_CONFIG if it may not be asked, or cannot be. */
function hostChat({ model }: ServerCaller, { name }: Config['summarizer'], { ask }: SummarizeValues): Chat | null {
  if (!ask) return null;
  if (name !== 'host')
    throw new SocraticodeError('BAD_CONFIG', `summarizer.name is ${name}: the host's model may not be asked`, {
      hint: 'The user can allow it: git config --global socraticode.summarizer.name host',
    });
  if (model === undefined)
    throw new SocraticodeError('BAD_CONFIG', 'the host offers no model to its servers (sampling)', {
      hint: 'The user can name one: git config --global socraticode.summarizer.name ollama, then git socraticode summarize',
    });
  return {
    id: 'host',
    async ask(system, user) {
      const said = model.ask(system, user);
      return said && { text: said.text, model: `host:${said.model}`, inputTokens: null, outputTokens: null };
    },
  };
}

/** Summarizes files and symbols at once, then folders from the deepest up: the text for a folder holds its children's summaries. */
export async function summarizeAll(
  at: Asker,
  prepared: GraphAndHeader,
  { units, folders }: Gathered,
  writer: Writer,
): Promise<SummaryItem[]> {
  const items: SummaryItem[] = [];
  // Summaries of children, by folder.
  const texts = new Map<string, Map<string, Written>>();
  const record = (path: string, written: Written) => {
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    texts.set(parent, (texts.get(parent) ?? new Map()).set(path, written));
  };
  try {
    await mapConcurrently(units, writer.atOnce, async (unit) => {
      const written = await writer.write({ ...unit, key: summaryKey(unit.kind, unit.shown), objects: [unit.blob] });
      items.push(itemOf(unit, written));
      if (unit.kind === 'file') record(unit.path, written);
    });
    for (const level of byDepth(folders))
      await mapConcurrently(level, writer.atOnce, async (folder) => {
        const children = [...(texts.get(folder) ?? [])];
        const { unit, written } = await summarizeFolder(at, prepared, { folder, children, writer });
        items.push(itemOf(unit, written));
        if (folder !== '') record(folder, written);
      });
  } finally {
    await writer.finish();
  }
  return items;
}

/** Folders of equal depth, the deepest first. */
function byDepth(folders: readonly string[]): string[][] {
  return [...groupBy(folders, (folder) => (folder === '' ? 0 : folder.split('/').length))]
    .sort(([a], [b]) => b - a)
    .map(([, level]) => level);
}

/** Most children in the text for a folder. */
const MAX_CHILDREN = 150;

async function summarizeFolder(
  at: Asker,
  { graph, origin, uncommitted }: GraphAndHeader,
  { folder, children, writer }: { folder: string; children: [path: string, written: Written][]; writer: Writer },
): Promise<{ unit: Unit; written: Written }> {
  const isBelow = (path: string) => folder === '' || path.startsWith(`${folder}/`);
  const start = folder === '' ? 0 : folder.length + 1;
  children.sort(([a], [b]) => (a < b ? -1 : 1));
  const files: number[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) if (isBelow(path)) files.push(file);
  const isCommitted = ![...uncommitted].some(isBelow) && origin.resolved.commit !== null;
  const shown = children
    .slice(0, MAX_CHILDREN)
    .map(([path, { text }]) => `${path.slice(start)}: ${text}`)
    .join('\n');
  const kind = folder === '' ? 'repository' : 'folder';
  const unit: Unit = {
    kind,
    path: folder,
    symbol: null,
    shown,
    extracted: extractFolder(graph, files),
    blob: '',
    isCommitted,
  };
  const [only] = children;
  // A folder with one child has the same summary, which costs nothing.
  if (children.length === 1 && only !== undefined && kind === 'folder') return { unit, written: only[1] };
  const isWhole = children.length > 0 && children.every(([, { isFinal }]) => isFinal);
  const tree = isCommitted ? await at.session.objects.info(`${origin.resolved.commit}:${folder}`) : null;
  const written = isWhole
    ? await writer.write({
        ...unit,
        key: summaryKey(kind, shown),
        objects: tree === null ? [] : [tree.oid],
        isCommitted: tree !== null,
      })
    : writer.leave(unit);
  return { unit, written };
}

function itemOf({ kind, path, symbol }: Unit, { text, by }: Written): SummaryItem {
  const about = { kind, path, symbol, text };
  if (by === null) return { ...about, by: 'extracted' };
  return { ...about, by: 'model', model: by.model, date: isoTime(by.time) };
}

const RANK = { repository: 0, folder: 1, file: 2, symbol: 3 } as const;

/** Sorts folders before their contents. */
function inOrder(items: readonly SummaryItem[]): SummaryItem[] {
  return [...items].sort((a, b) => {
    if (a.kind === 'repository' || b.kind === 'repository') return RANK[a.kind] - RANK[b.kind];
    if (a.path !== b.path) return a.path < b.path ? -1 : 1;
    return RANK[a.kind] - RANK[b.kind] || ((a.symbol ?? '') < (b.symbol ?? '') ? -1 : 1);
  });
}

export function summarizeText(document: SummarizeDocument, { pen }: { pen: Pen }): string {
  const { summaries, model, made, kept, left, dryRun, tokens, cost, failure } = document;
  const lines = dryRun
    ? []
    : [...summaries.list.flatMap((item) => itemLines(item, pen)), ...more(summaries.leftOut, pen)];
  const price = cost === null ? '' : `, ${cost.toFixed(4)} at the prices of the settings`;
  const size = `${groupDigits(tokens.input)} tokens in, ${groupDigits(tokens.output)} out${price}`;
  if (model === null) {
    if (summaries.list.some(({ by }) => by === 'extracted'))
      lines.push(pen.dim('extracted from the code: no model has written about it (summarizer.name)'));
  } else if (dryRun)
    lines.push(
      `${formatCount(left, 'summary', 'summaries')} to ask ${model} for, about ${size}; ${groupDigits(kept)} kept`,
    );
  else
    lines.push(
      pen.dim(`${model}: ${groupDigits(made)} made, ${groupDigits(kept)} kept, ${groupDigits(left)} left; ${size}`),
    );
  if (failure !== undefined) lines.push(failure.message, pen.dim(failure.hint));
  return `${lines.join('\n')}\n`;
}

function itemLines(item: SummaryItem, pen: Pen): string[] {
  const { path, symbol, kind, text } = item;
  const name = symbol === null ? '' : `  ${pen.symbol(symbol)}`;
  const place = kind === 'repository' ? 'the repository' : `${path}${kind === 'folder' ? '/' : ''}`;
  const author = item.by === 'extracted' ? [] : [pen.dim(`  ${authorOf(item)}`)];
  return [`${pen.path(place)}${name}`, quoted(text), ...author];
}

export function authorOf({ by, model = '', date = '' }: Pick<SummaryItem, 'by' | 'model' | 'date'>): string {
  return by === 'extracted' ? 'extracted' : `written by the model ${model}, ${dateText(date)}`;
}

// Finds the files and symbols to summarize, the text of each for the model, and the folders above them.

export interface Unit {
  kind: SummaryKind;
  path: string;
  symbol: string | null;
  /** Text that the model is shown. */
  shown: string;
  /** Summary without a model. */
  extracted: string;
  blob: string;
  isCommitted: boolean;
}

interface Gathered {
  /** Files and symbols that were named, and files below folders that were. */
  units: Unit[];
  /** Folders that were named, and all folders below them; '' for the repository. */
  folders: string[];
}

interface Wish {
  targets: readonly string[];
  /** Below folders, adds the definitions that other files use. */
  symbols?: boolean;
}

/** Throws BAD_ARGUMENT for a target that does not exist or is ambiguous. */
export async function gather(at: Asker, prepared: GraphAndHeader, { targets, symbols }: Wish): Promise<Gathered> {
  const { graph } = prepared;
  const wanted = new Map<number, number[]>();
  const folders = new Set<string>();
  const want = (file: number, node?: number) => {
    const nodes = wanted.get(file) ?? [];
    if (node !== undefined) nodes.push(node);
    wanted.set(file, nodes);
  };
  const whole = new Set<number>();
  for (const target of targets) {
    const folder = folderNamed(prepared, target);
    if (folder !== null) {
      for (const file of filesBelow(graph, folder)) {
        want(file);
        if (symbols) for (const node of usedElsewhere(graph, file)) want(file, node);
        whole.add(file);
        for (const each of foldersAbove(graph.tables.files[file].path, folder)) folders.add(each);
      }
      continue;
    }
    const node = nodeOf(prepared, target);
    want(graph.fileOf(node), graph.isFile(node) ? undefined : node);
    if (graph.isFile(node)) whole.add(graph.fileOf(node));
  }
  const units = await read(at, prepared, { wanted, whole });
  const deepestFirst = [...folders].sort((a, b) => b.split('/').length - a.split('/').length || (a < b ? -1 : 1));
  return { units, folders: [...deepestFirst.filter((each) => each !== ''), ...(folders.has('') ? [''] : [])] };
}

/** The folder that a target names, '' for the repository; null for a file or a symbol. */
function folderNamed({ graph, prefix }: GraphAndHeader, target: string): string | null {
  if (['.', '/', ''].includes(target)) return '';
  if (findPath(graph, target, prefix) >= 0) return null;
  return findDirectory(graph, target, prefix)?.replace(/\/$/, '') ?? null;
}

function nodeOf({ graph, prefix }: GraphAndHeader, target: string): number {
  const found = resolveTarget(graph, target, { prefix });
  if (!('candidates' in found)) return found.nodes[0];
  const picks = found.candidates.slice(0, 3).map(({ pick }) => pick);
  throw new SocraticodeError('BAD_ARGUMENT', `${target} is ambiguous: ${found.candidates.length} definitions`, {
    hint: `Name one by its place: ${picks.join(', ')}`,
  });
}

/** Definitions of a file that other files use. Helpers are left out: they would cost most, and their summaries are read least. */
function usedElsewhere(graph: Graph, file: number): number[] {
  const found: number[] = [];
  for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (!isPlain(graph, node) && [...graph.incoming(node)].some((edge) => graph.fileOf(graph.source(edge)) !== file))
      found.push(node);
  return found;
}

/** Production code below a folder. Tests, copies and generated files are left out: they cost as much and say little. */
function filesBelow(graph: Graph, folder: string): number[] {
  const found: number[] = [];
  for (const [file, { path }] of graph.tables.files.entries())
    if ((folder === '' || path.startsWith(`${folder}/`)) && isOnMap(graph, file)) found.push(file);
  return found;
}

/** Folders around a path, up to `top` included. */
function foldersAbove(path: string, top: string): string[] {
  const found: string[] = [];
  for (let at = path; at !== top && at !== ''; ) {
    at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '';
    found.push(at);
  }
  return found;
}

interface Wanted {
  /** Symbols by their file. */
  wanted: ReadonlyMap<number, readonly number[]>;
  /** Files that get a summary of their own. */
  whole: ReadonlySet<number>;
}

async function read(at: Asker, prepared: GraphAndHeader, { wanted, whole }: Wanted): Promise<Unit[]> {
  const { graph, uncommitted } = prepared;
  const files = [...wanted.keys()].sort((a, b) => a - b);
  const byPath = new Map(files.map((file) => [graph.tables.files[file].path, file]));
  const units: Unit[] = [];
  const source = await openFacts(at.session, prepared, { count: files.length, signal: at.signal });
  try {
    await source.prefetch(
      files.map((file) => graph.tables.files[file]),
      { update: (done, total) => at.progress(done, total, 'reading files'), finish: () => {} },
      ({ path, oid }, facts, bytes) => {
        const file = byPath.get(path) as number;
        const about = { path, blob: oid, isCommitted: !uncommitted.has(path) };
        const read = facts === null || bytes === null ? null : { facts, bytes };
        if (whole.has(file))
          units.push({
            ...{ kind: 'file', ...about, symbol: null, extracted: extractFile(graph, file, read) },
            shown: read === null ? '' : fileShown(source.languageOf(path) ?? '', read),
          });
        if (read === null) return;
        for (const node of wanted.get(file) ?? [])
          units.push({
            ...{ kind: 'symbol', ...about, symbol: graph.qualifiedName(node) },
            extracted: extractSymbol(graph, node, read),
            shown: symbolShown(source.languageOf(path) ?? '', node - graph.fileNode(file) - 1, read),
          });
      },
    );
  } finally {
    await source.close();
  }
  return units.sort((a, b) =>
    a.path !== b.path ? (a.path < b.path ? -1 : 1) : Number(a.kind === 'file') - Number(b.kind === 'file'),
  );
}

// Summaries without a model: one sentence of facts from the graph and from comments.

/** Names that a sentence lists. */
const NAMES = 6;

/** Comments that say nothing: a tag of a documentation tool, or a single word. */
const MEANINGLESS = /^(?:@|[^\s]*$)/;

/** First line of the comment on a symbol; '' if it says nothing. */
function docOf(facts: BlobFacts, bytes: Buffer, symbol: number): string {
  const doc = facts.symbols[symbol]?.doc ?? null;
  const text = doc === null ? '' : firstLine(bytes.toString('utf8', doc.start, doc.end));
  return MEANINGLESS.test(text) ? '' : text;
}

/** `Defines Cart, round and 3 more. "Keeps the goods of a customer." Used by 4 files.` */
function extractFile(graph: Graph, file: number, source: { facts: BlobFacts; bytes: Buffer } | null): string {
  const tops = topSymbols(graph, file);
  const first = graph.fileNode(file);
  const docs = source === null ? [] : tops.map((node) => docOf(source.facts, source.bytes, node - first - 1));
  const doc = docs.find((text) => text !== '');
  const users = usersOf(graph, file).size;
  const sentences = [
    tops.length === 0
      ? 'Defines nothing that the graph knows.'
      : `Defines ${listed([...new Set(tops.map((node) => graph.name(node)))])}.`,
    ...(doc === undefined ? [] : [quotedSentence(doc)]),
    ...(users > 0 ? [`Used by ${formatCount(users, 'file')}.`] : []),
  ];
  return sentences.join(' ');
}

/** Symbols at the top level of a file: exported and much used ones first. */
export function topSymbols(graph: Graph, file: number): number[] {
  const first = graph.fileNode(file);
  const nodes: number[] = [];
  for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (graph.container(node) === first && !isPlain(graph, node)) nodes.push(node);
  const weight = (node: number) => (graph.isExported(node) ? 1_000_000 : 0) + Math.min(usesOf(graph, node), 999_999);
  return nodes.sort((a, b) => weight(b) - weight(a) || a - b);
}

/** Cached by graph and file, since every folder around a file asks for its users. */
const USERS = new WeakMap<Graph, (ReadonlySet<number> | undefined)[]>();

/** Files that use something in a file. */
function usersOf(graph: Graph, file: number): ReadonlySet<number> {
  const known = USERS.get(graph) ?? [];
  USERS.set(graph, known);
  known[file] ??= findUsers(graph, file);
  return known[file];
}

function findUsers(graph: Graph, file: number): Set<number> {
  const users = new Set<number>();
  for (let node = graph.fileNode(file); node < graph.tables.nodeBase[file + 1]; node++)
    for (const edge of graph.incoming(node)) {
      const from = graph.fileOf(graph.source(edge));
      if (from !== file) users.add(from);
    }
  return users;
}

function extractSymbol(graph: Graph, node: number, { facts, bytes }: { facts: BlobFacts; bytes: Buffer }): string {
  const index = node - graph.fileNode(graph.fileOf(node)) - 1;
  const symbol = facts.symbols[index];
  const doc = docOf(facts, bytes, index);
  const callers = new Set([...graph.incoming(node)].map((edge) => graph.qualifiedName(graph.source(edge))));
  const sentences = [
    `${symbol === undefined ? graph.qualifiedName(node) : signatureText(bytes, symbol)}.`,
    ...(doc === '' ? [] : [quotedSentence(doc)]),
    callers.size === 0 ? 'Nothing is known to use it.' : `Used by ${listed([...callers])}.`,
  ];
  return sentences.join(' ');
}

/** Describes a folder by its size and by its symbols that are most used from outside. */
function extractFolder(graph: Graph, files: readonly number[]): string {
  const languages = new Map<string, number>();
  for (const file of files) {
    const { language } = graph.tables.files[file];
    languages.set(language, (languages.get(language) ?? 0) + 1);
  }
  const [most] = [...languages].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const inside = files.length === graph.fileCount ? new Set<number>() : new Set(files);
  const central = files
    .filter((file) => isProduction(graph, file))
    .map((file) => ({ file, users: [...usersOf(graph, file)].filter((user) => !inside.has(user)).length }))
    .filter(({ users }) => users > 0)
    .sort((a, b) => b.users - a.users || a.file - b.file)
    .slice(0, NAMES)
    .flatMap(({ file }) =>
      topSymbols(graph, file)
        .slice(0, 1)
        .map((node) => graph.name(node)),
    );
  const main = most === undefined ? '' : `, most of them ${most[0]}`;
  const used = central.length === 0 ? '' : ` Most used${inside.size > 0 ? ' from elsewhere' : ''}: ${listed(central)}.`;
  return `${formatCount(files.length, 'file')}${files.length > 1 ? main : ''}.${used}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

const quotedSentence = (doc: string): string => `"${doc}"`;
