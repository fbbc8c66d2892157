/**
 * Language features that an editor asks for: definitions, references, symbols, the call hierarchy, lines above
 * definitions, and the box beside a name. The text of an unsaved document stands in for its file.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CodeLens,
  DocumentSymbol,
  Hover,
  Location,
  Range,
  SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver-types';
import { TIMED_OUT, waitFor } from '../base/async.js';
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { codeSpan as code, groupDigits, longestFence, visibleLine } from '../base/printable.js';
import { ignoreRule } from '../git/repository.js';
import { readIn, UnsavedTexts } from '../overlay/overlay.js';
import { pathOf, readWorkFile } from '../overlay/worktree-file.js';
import { askerOf, questionNamed } from '../questions/asker.js';
import type { GraphDefinitionResponse } from '../questions/graph/definition/question.js';
import type { GraphOutlineResponse, OutlineSymbol } from '../questions/graph/outline/question.js';
import type { GraphCandidates, Place as NodePlace } from '../questions/graph/output.js';
import type { GraphReferencesResponse } from '../questions/graph/references/question.js';
import type { GraphSymbolResponse } from '../questions/graph/symbol/question.js';
import type { GraphSymbolsResponse } from '../questions/graph/symbols/question.js';
import type { HistoryResponse } from '../questions/history/question.js';
import type { SearchResponse } from '../questions/search/question.js';
import type { Project } from '../serve/project.js';
import type { Lease, Projects } from '../serve/projects.js';

// Definitions, references, and symbols of a file or of everything.

const MAX_USES = 10_000;
const MAX_SYMBOLS = 5_000;
/** Editors ask again with each letter. */
const MAX_FOUND = 200;

/** A name somewhere on these lines of a file. */
interface Named {
  path: string;
  name: string | null;
  from: number;
  to: number;
}

/** Reads each file once. */
function locations(project: Project, names: readonly Named[], { workspace }: Editor): Location[] {
  const files = new Map<string, string[]>();
  return names.map(({ path, name, from, to }) => {
    const lines = files.get(path) ?? workspace.lines({ project, path });
    files.set(path, lines);
    const range = name === null ? rangeOfLines([], 1, 1) : rangeOfName(lines, name, from, to);
    return { uri: uriOf({ project, path }), range };
  });
}

export async function definitions(position: Position, editor: Editor): Promise<Location[]> {
  const { found } = await definitionsAt(position, editor);
  const names = found.map(({ path, symbol, startLine, endLine }) => ({
    ...{ path, name: symbol, from: startLine, to: endLine },
  }));
  return locations(position.project, names, editor);
}

/** `withDefinition`: definitions are part of the answer. */
export async function references(position: Position, withDefinition: boolean, editor: Editor): Promise<Location[]> {
  const { project } = position;
  const { found, isCertain } = await definitionsAt(position, editor);
  const [definition] = found;
  // An editor cannot say of uses that one of several may be meant: none are better than those of the first.
  if (definition === undefined || (!isCertain && found.length > 1)) return [];
  const values = { name: targetOf(definition), limit: MAX_USES };
  const answer = await ask({ project, signal: editor.signal }, 'graph references', values);
  if (answer === null || 'candidates' in answer) return [];
  const uses = answer.uses.list.map(({ path, line, endLine, text }) => ({ path, name: text, from: line, to: endLine }));
  const own = answer.definitions.map(({ path, symbol, startLine, endLine }) => ({
    ...{ path, name: symbol, from: startLine, to: endLine },
  }));
  return locations(project, withDefinition ? [...own, ...uses] : uses, editor);
}

/** Symbols of a file with their qualified names. */
export async function outline(place: Place, { signal }: Editor): Promise<(OutlineSymbol & { qualified: string })[]> {
  const { project, path } = place;
  const found = await ask({ project, signal }, 'graph outline', { files: [`:/${path}`], limit: MAX_SYMBOLS });
  if (found === null || 'candidates' in found) return [];
  const around: string[] = [];
  return (found.files[0]?.symbols ?? []).map((symbol) => {
    around.length = symbol.depth;
    around.push(symbol.name);
    return { ...symbol, qualified: around.join('.') };
  });
}

export async function documentSymbols(place: Place, editor: Editor): Promise<DocumentSymbol[]> {
  const lines = editor.workspace.lines(place);
  const top: DocumentSymbol[] = [];
  const around: DocumentSymbol[] = [];
  for (const { name, kind, depth, startLine, endLine } of await outline(place, editor)) {
    const symbol = {
      // An empty name is no symbol of the protocol.
      ...{ name: name === '' ? kind : visibleLine(name), kind: symbolKind(kind), children: [] },
      range: rangeOfLines(lines, startLine, endLine),
      selectionRange: rangeOfName(lines, name, startLine, endLine),
    };
    around.length = Math.min(depth, around.length);
    (around.at(-1)?.children ?? top).push(symbol);
    around.push(symbol);
  }
  return top;
}

export async function workspaceSymbols(query: string, { workspace, signal }: Editor): Promise<SymbolInformation[]> {
  const found: SymbolInformation[] = [];
  for (const project of await workspace.opened()) {
    const answer = await ask({ project, signal }, 'graph symbols', { query, limit: MAX_FOUND });
    for (const { path, symbol, kind, startLine } of answer?.symbols.list ?? []) {
      const location = { uri: uriOf({ project, path }), range: rangeOfLines([], startLine, startLine) };
      found.push({ name: visibleLine(symbol ?? path), kind: symbolKind(kind), location });
    }
  }
  return found;
}

// The protocol's call hierarchy: callers and callees of a function.

const MAX_CALLS = 1_000;

function itemOf(project: Project, place: NodePlace, { workspace }: Editor): CallHierarchyItem {
  const { path, symbol, kind, startLine, endLine } = place;
  const lines = workspace.lines({ project, path });
  return {
    ...{ name: visibleLine(symbol ?? path), kind: symbolKind(kind), detail: visibleLine(path) },
    uri: uriOf({ project, path }),
    range: rangeOfLines(lines, startLine, endLine),
    selectionRange: rangeOfName(lines, symbol ?? '', startLine, endLine),
    data: targetOf(place),
  };
}

export async function callItems(position: Position, editor: Editor): Promise<CallHierarchyItem[]> {
  const { found, isCertain } = await definitionsAt(position, editor);
  return found
    .filter(({ symbol }) => symbol !== null)
    .map((place) => itemOf(position.project, place, editor))
    .map((item) => (isCertain ? item : { ...item, detail: `may be meant  ${item.detail}` }));
}

export async function incomingCalls(
  project: Project,
  target: string,
  editor: Editor,
): Promise<CallHierarchyIncomingCall[]> {
  const found = await symbolOf(target, { project, signal: editor.signal, limit: MAX_CALLS });
  const callers = new Map<string, CallHierarchyIncomingCall>();
  for (const { path, symbol, line, endLine, text } of found?.callers.list ?? []) {
    const lines = editor.workspace.lines({ project, path });
    const range = rangeOfName(lines, text, line, endLine);
    const key = targetOf({ path, symbol });
    const known = callers.get(key);
    if (known !== undefined) known.fromRanges.push(range);
    else {
      // Answers give the line of a call, not the start of its function.
      const kind = symbolKind(symbol === null ? 'file' : 'function');
      const from = { name: visibleLine(symbol ?? path), kind, detail: visibleLine(path) };
      const uri = uriOf({ project, path });
      callers.set(key, { from: { ...from, uri, range, selectionRange: range, data: key }, fromRanges: [range] });
    }
  }
  return [...callers.values()];
}

export async function outgoingCalls(
  project: Project,
  target: string,
  editor: Editor,
): Promise<CallHierarchyOutgoingCall[]> {
  const found = await symbolOf(target, { project, signal: editor.signal, limit: MAX_CALLS });
  if (found === null) return [];
  const lines = editor.workspace.lines({ project, path: found.definitions[0].path });
  return found.callees.resolved.list.map((callee) => ({
    to: itemOf(project, callee, editor),
    fromRanges: callee.lines.map((line) => rangeOfName(lines, callee.symbol ?? '', line)),
  }));
}

// A line above each function and type: how many calls it has, and how many test files reach it.

/** Command of a lens: the editor shows the references of the name there. */
const REFERENCES_COMMAND = 'git-socraticode.references';

/** Subject of a lens, from the list until its title is requested. */
export interface LensData {
  uri: string;
  target: string;
}

/** Places of lenses; the editor requests the titles of those that it shows. */
export async function lenses(place: Place, editor: Editor): Promise<CodeLens[]> {
  const lines = editor.workspace.lines(place);
  const uri = uriOf(place);
  return (await outline(place, editor))
    .filter(({ kind }) => WITH_LENS.has(kind))
    .map(({ name, qualified, startLine, endLine }) => ({
      range: rangeOfName(lines, name, startLine, endLine),
      data: { uri, target: `${place.path}:${qualified}` } satisfies LensData,
    }));
}

export async function resolveLens(lens: CodeLens, project: Project, { signal }: Editor): Promise<CodeLens> {
  const { uri, target } = lens.data as LensData;
  const found = await symbolOf(target, { project, signal, limit: 1 });
  const title = found === null ? 'not in the index' : countsText(found);
  return { ...lens, command: { title, command: REFERENCES_COMMAND, arguments: [uri, lens.range.start] } };
}

function countsText({ callers, otherUses, tests }: GraphSymbolResponse): string {
  const calls = callers.list.length + callers.leftOut;
  const used = calls === 0 && otherUses > 0 ? counted(otherUses, 'use') : counted(calls, 'caller');
  return `${used}, ${counted(tests.list.length + tests.leftOut, 'test file')}`;
}

const counted = (count: number, what: string): string => {
  if (count === 0) return `no ${what}s`;
  return `${groupDigits(count)} ${what}${count === 1 ? '' : 's'}`;
};

// The box beside a name: its declaration, callers, tests that reach it, last change.

/** Callers and tests that the box names. */
const NAMED = 3;
/** Longest wait for history; a later hover shows it. */
const HISTORY_MS = 300;
/** Commits walked for the last change: years of most repositories, seconds of large ones. */
const HISTORY_COMMITS = 2_000;
const MAX_CACHED_CHANGES = 200;

/** Last changes by commit and name; one walk at a time. */
export class LastChanges {
  private readonly known = new Map<string, Promise<string>>();
  private isWalking = false;

  /** One line; '' while it is not known. */
  async of(project: Project, found: GraphSymbolResponse): Promise<string> {
    const [{ path, symbol }] = found.definitions;
    const key = JSON.stringify([project.root, found.commit, path, symbol]);
    if (!this.known.has(key)) {
      if (this.isWalking || found.commit === null) return '';
      this.isWalking = true;
      const walk = walkFor(project, path, symbol ?? '').finally(() => {
        this.isWalking = false;
      });
      walk.catch(() => this.known.delete(key));
      this.known.set(key, walk);
      const [oldest] = this.known.keys();
      if (this.known.size > MAX_CACHED_CHANGES) this.known.delete(oldest);
    }
    const line = await waitFor(this.known.get(key) ?? Promise.resolve(''), { ms: HISTORY_MS }).catch(() => '');
    return line === TIMED_OUT ? '' : line;
  }
}

async function walkFor(project: Project, path: string, symbol: string): Promise<string> {
  // The walk goes on although the editor has moved on: its result is cached.
  const signal = new AbortController().signal;
  const values = { query: symbol, limit: 10, lines: 1, noContent: true, maxCommits: HISTORY_COMMITS };
  const found = await ask({ project, signal }, 'history', values);
  const last = found?.results.find((result) => result.path === path && result.symbol === symbol)?.lastChanged;
  if (!last) return '';
  const day = last.date?.slice(0, 10) ?? '';
  return `Last changed ${day} by ${plain(last.author)}: ${plain(last.subject)} (${last.commit.slice(0, 8)})`;
}

export async function hover(position: Position, changes: LastChanges, editor: Editor): Promise<Hover | null> {
  const { found: all, isCertain } = await definitionsAt(position, editor);
  const [definition, ...others] = all.filter(({ symbol }) => symbol !== null);
  if (definition === undefined) return null;
  const { project } = position;
  const found = await symbolOf(targetOf(definition), { project, signal: editor.signal, limit: NAMED });
  if (found === null) return null;
  const last = await changes.of(project, found);
  const { definitions, doc, callers, tests } = found;
  const signature = definitions.find((each) => each.signature !== '')?.signature ?? definition.symbol ?? '';
  const more = others.length === 0 ? '' : `, and so may ${groupDigits(others.length)} more`;
  const parts = [
    isCertain ? '' : `This may be meant${more}:`,
    fenced(signature),
    plain(doc),
    `${countsText(found)} · ${code(`${definitions[0].path}:${definitions[0].startLine}`)}`,
    named(
      'Called in',
      callers.list.map(({ path, line, symbol }) => `${code(`${path}:${line}`)} ${plain(symbol ?? '')}`),
      callers.leftOut,
    ),
    named(
      'Tested by',
      tests.list.map(({ path }) => code(path)),
      tests.leftOut,
    ),
    last,
  ];
  return { contents: { kind: 'markdown', value: parts.filter((part) => part !== '').join('\n\n') } };
}

function named(label: string, names: readonly string[], leftOut: number): string {
  if (names.length === 0) return '';
  return `${label} ${names.join(', ')}${leftOut > 0 ? `, and ${groupDigits(leftOut)} more` : ''}`;
}

/**
 * Text of the repository as Markdown that does nothing: no link, no image, no HTML. Editors also make links of bare addresses:
 * `http://…`, `www.…` and `name@host`.
 */
const plain = (text: string): string =>
  visibleLine(text).replace(/[\\`*_{}[\]()#+!|<>~&@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestFence(text) + 1));
  return `${fence}\n${text.split('\n').map(visibleLine).join('\n')}\n${fence}`;
}

/** A file of an open repository, by its path from the top. */
export interface Place {
  project: Project;
  path: string;
}

/** Larger files are not read for columns of names. */
const MAX_TEXT = 8 << 20;

export class Workspace {
  /** By directory of a document. */
  private readonly leases = new Map<string, Promise<Lease>>();
  /** Unsaved texts by root of the repository: they outlive a repository that is opened again. */
  private readonly texts = new Map<string, UnsavedTexts>();
  /** Changes are taken in turn, and questions wait for earlier changes. */
  private turn: Promise<void> = Promise.resolve();

  constructor(
    private readonly projects: Projects,
    /** Directories that the user opened in the editor. */
    readonly roots: readonly string[],
  ) {}

  /** The file of a document; null if it is in no repository that the user opened. */
  async locate(uri: string): Promise<Place | null> {
    await this.turn;
    return this.find(uri);
  }

  /** Repositories of the opened directories. */
  async opened(): Promise<Project[]> {
    await this.turn;
    const found = await Promise.all(this.roots.map((root) => this.open(root).catch(() => null)));
    return [...new Set(found.flatMap((project) => project ?? []))];
  }

  /** Takes the text of a document as the editor shows it; null closes it. */
  update(uri: string, text: string | null): Promise<void> {
    const take = () => this.take(uri, text);
    this.turn = this.turn.then(take).catch((error: Error) => log.debug(`lsp: ${uri}: ${error.message}`));
    return this.turn;
  }

  /** Lines of a file as the editor shows it; none for an unreadable file. */
  lines({ project, path }: Place): string[] {
    const tree = { root: rootOf(project), unsaved: project.session.unsaved };
    const text = readIn(tree, Buffer.from(path), MAX_TEXT)?.bytes.toString('utf8');
    return text === undefined ? [] : text.split(/\r\n|\n|\r/);
  }

  async close(): Promise<void> {
    const leases = await Promise.allSettled(this.leases.values());
    this.leases.clear();
    for (const lease of leases) if (lease.status === 'fulfilled') lease.value.release();
  }

  private async find(uri: string): Promise<Place | null> {
    if (!uri.startsWith('file:')) return null;
    try {
      const file = fileURLToPath(uri);
      const directory = realpathSync.native(dirname(file));
      const project = await this.open(directory);
      const path = relative(rootOf(project).toString(), join(directory, basename(file)));
      return path.startsWith('..') || /^\.git(?:\/|$)/.test(path) ? null : { project, path: path.split(sep).join('/') };
    } catch (error) {
      log.debug(`lsp: ${uri}: ${(error as Error).message}`);
      return null;
    }
  }

  private async open(directory: string): Promise<Project> {
    const known = await this.leases.get(directory);
    if (known !== undefined && (await known.project.check()) === 'alive') return known.project;
    known?.release();
    const lease = this.projects.lease(directory);
    this.leases.set(directory, lease);
    lease.catch(() => this.leases.delete(directory));
    const { project } = await lease;
    const texts = this.texts.get(project.root) ?? new UnsavedTexts();
    this.texts.set(project.root, texts);
    project.session.unsaved ??= texts;
    return project;
  }

  private async take(uri: string, text: string | null): Promise<void> {
    const place = await this.find(uri);
    if (place === null) return;
    const { project, path } = place;
    const { unsaved, repository } = project.session;
    const onDisk = text === null ? null : readWorkFile(pathOf(rootOf(project), Buffer.from(path)), MAX_TEXT);
    if (text === null || onDisk === null || onDisk.bytes.equals(Buffer.from(text))) unsaved?.delete(path);
    else if (unsaved?.has(path) || (await ignoreRule(repository.git, path)) === null) unsaved?.set(path, text);
  }
}

function rootOf(project: Project): Buffer {
  return realpathSync.native(project.root, { encoding: 'buffer' });
}

function uriOf({ project, path }: Place): string {
  return pathToFileURL(join(project.root, path)).href;
}

interface Documents {
  'graph definition': GraphDefinitionResponse;
  'graph references': GraphReferencesResponse | GraphCandidates;
  'graph symbol': GraphSymbolResponse | GraphCandidates;
  'graph symbols': GraphSymbolsResponse;
  'graph outline': GraphOutlineResponse | GraphCandidates;
  history: HistoryResponse;
  search: SearchResponse;
}

/** A position of the protocol, in a file. */
export interface Position extends Place {
  line: number;
  character: number;
}

/** Means of an answer to an editor. */
export interface Editor {
  workspace: Workspace;
  signal: AbortSignal;
}

/** The document of an answer; null if there is none, since the file is not indexed, or the repository not yet. */
export async function ask<Name extends keyof Documents>(
  { project, signal }: { project: Project; signal: AbortSignal },
  name: Name,
  values: Record<string, unknown>,
): Promise<Documents[Name] | null> {
  const question = await questionNamed(name);
  if (question === undefined) return null;
  try {
    const answer = await question.answer();
    return (await answer(askerOf(project, signal), values)) as Documents[Name];
  } catch (error) {
    if (NO_ANSWER.some((code) => isSocraticodeError(error, code))) return null;
    throw error;
  }
}

const NO_ANSWER = ['NOT_READY', 'BAD_ARGUMENT', 'CANCELLED', 'UNBORN_HEAD'] as const;

/** Definitions of the name at a position; if none is certain, the possible ones. */
async function definitionsAt(
  position: Position,
  { signal }: Editor,
): Promise<{ found: NodePlace[]; isCertain: boolean }> {
  const { project, path, line, character } = position;
  const place = `:/${path}:${line + 1}:${character + 1}`;
  const found = await ask({ project, signal }, 'graph definition', { place });
  if (found === null) return { found: [], isCertain: false };
  const isCertain = found.definitions.length > 0;
  return { found: isCertain ? found.definitions : found.possible, isCertain };
}

/** Name of a definition or a file, as questions take it. */
const targetOf = ({ path, symbol }: { path: string; symbol: string | null }): string =>
  symbol === null ? path : `${path}:${symbol}`;

/** Everything about one definition; null for a file, and for a name with several definitions. */
async function symbolOf(
  target: string,
  { project, signal, limit }: { project: Project; signal: AbortSignal; limit: number },
): Promise<GraphSymbolResponse | null> {
  const found = await ask({ project, signal }, 'graph symbol', { names: [target], limit });
  return found === null || 'candidates' in found ? null : found;
}

// Ranges of the Language Server Protocol: lines from 0, columns in UTF-16 units.

const NAME = /[\p{L}\p{N}_$]+/gu;

/** Range of the first mention of a name on lines `from` to `to`, counted from 1; the beginning of `from` if there is none. */
function rangeOfName(lines: readonly string[], name: string, from: number, to = from): Range {
  for (const wanted of spellings(name)) {
    for (let line = from; line <= Math.min(to, lines.length); line++) {
      const column = columnOf(lines[line - 1], wanted, name);
      if (column >= 0) return span(line - 1, column, column + wanted.length);
    }
  }
  return span(Math.max(0, from - 1), 0, 0);
}

/** Whole lines, counted from 1. */
function rangeOfLines(lines: readonly string[], from: number, to: number): Range {
  return { start: { line: from - 1, character: 0 }, end: { line: to - 1, character: lines[to - 1]?.length ?? 0 } };
}

const span = (line: number, start: number, end: number): Range => ({
  start: { line, character: start },
  end: { line, character: end },
});

/** The last part of `Cart.total` or `this.cart.total`, then the whole name, since names in data have dots. */
function spellings(name: string): string[] {
  const last = /[^.:#]+$/.exec(name)?.[0] ?? name;
  return last === name ? [name] : [last, name];
}

/** Column of a name on a line. Of several mentions, the one after the same text as in `written`: `cart.` or nothing. */
function columnOf(line: string, name: string, written: string): number {
  const before = written.slice(0, written.length - name.length);
  const found: number[] = [];
  for (const { 0: word, index } of line.matchAll(NAME)) if (word === name) found.push(index);
  const isIntended = (at: number) =>
    before === '' ? !MEMBER.test(line.slice(0, at)) : line.slice(0, at).endsWith(before);
  if (found.length > 0) return found.find(isIntended) ?? found[0];
  return /^[\p{L}\p{N}_$]+$/u.test(name) ? -1 : line.indexOf(name);
}

const MEMBER = /(?:\.|::|->)$/;

/** https://microsoft.github.io/language-server-protocol: `SymbolKind`. */
const KINDS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ file: 1, module: 2, namespace: 3, class: 5, method: 6, property: 7, field: 8, constructor: 9, enum: 10 },
    ...{ interface: 11, trait: 11, function: 12, macro: 12, variable: 13, constant: 14, section: 15, table: 18 },
    ...{ object: 19, key: 20, selector: 20, 'enum-member': 22, struct: 23, impl: 23, type: 26 },
  }),
);
const VARIABLE = 13;

const symbolKind = (kind: string): SymbolKind => (KINDS.get(kind) ?? VARIABLE) as SymbolKind;

/** Kinds that others call or build on: a line above them says how often. */
const WITH_LENS: ReadonlySet<string> = new Set([
  ...['function', 'method', 'constructor', 'class', 'interface', 'trait', 'struct', 'enum', 'type', 'macro'],
]);
