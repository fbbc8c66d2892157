/**
 * Documents of an editor, questions about them, and positions in the protocol's terms. The text of an unsaved document stands
 * in for its file.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Range, SymbolKind } from 'vscode-languageserver-types';
import { isSocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { ignoreRule } from '../git/worktrees.js';
import { readIn, UnsavedTexts } from '../overlay/overlay.js';
import { pathOf, readWorkFile } from '../overlay/worktree-file.js';
import { askerOf, questionNamed } from '../questions/asker.js';
import type { GraphDefinitionResponse } from '../questions/graph/definition/question.js';
import type { GraphOutlineResponse } from '../questions/graph/outline/question.js';
import type { GraphCandidates, Place as NodePlace } from '../questions/graph/output.js';
import type { GraphReferencesResponse } from '../questions/graph/references/question.js';
import type { GraphSymbolResponse } from '../questions/graph/symbol/question.js';
import type { GraphSymbolsResponse } from '../questions/graph/symbols/question.js';
import type { HistoryResponse } from '../questions/history/question.js';
import type { SearchResponse } from '../questions/search/question.js';
import type { Project } from '../serve/project.js';
import type { Lease, Projects } from '../serve/projects.js';

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

export function uriOf({ project, path }: Place): string {
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
export async function definitionsAt(position: Position, { signal }: Editor): Promise<NodePlace[]> {
  const { project, path, line, character } = position;
  const place = `:/${path}:${line + 1}:${character + 1}`;
  const found = await ask({ project, signal }, 'graph definition', { place });
  if (found === null) return [];
  return found.definitions.length > 0 ? found.definitions : found.possible;
}

/** Name of a definition or a file, as questions take it. */
export const targetOf = ({ path, symbol }: { path: string; symbol: string | null }): string =>
  symbol === null ? path : `${path}:${symbol}`;

/** Everything about one definition; null for a file, and for a name with several definitions. */
export async function symbolOf(
  target: string,
  { project, signal, limit }: { project: Project; signal: AbortSignal; limit: number },
): Promise<GraphSymbolResponse | null> {
  const found = await ask({ project, signal }, 'graph symbol', { names: [target], limit });
  return found === null || 'candidates' in found ? null : found;
}

// Ranges of the Language Server Protocol: lines from 0, columns in UTF-16 units.

const NAME = /[\p{L}\p{N}_$]+/gu;

/** Range of the first mention of a name on lines `from` to `to`, counted from 1; the beginning of `from` if there is none. */
export function rangeOfName(lines: readonly string[], name: string, from: number, to = from): Range {
  for (const wanted of spellings(name)) {
    for (let line = from; line <= Math.min(to, lines.length); line++) {
      const column = columnOf(lines[line - 1], wanted, name);
      if (column >= 0) return span(line - 1, column, column + wanted.length);
    }
  }
  return span(Math.max(0, from - 1), 0, 0);
}

/** Whole lines, counted from 1. */
export function rangeOfLines(lines: readonly string[], from: number, to: number): Range {
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

export const symbolKind = (kind: string): SymbolKind => (KINDS.get(kind) ?? VARIABLE) as SymbolKind;

/** Kinds that others call or build on: a line above them says how often. */
export const WITH_LENS: ReadonlySet<string> = new Set([
  ...['function', 'method', 'constructor', 'class', 'interface', 'trait', 'struct', 'enum', 'type', 'macro'],
]);
