/** Answers of places: definitions, references, and symbols of a file or of everything. */

import type { DocumentSymbol, Location, SymbolInformation } from 'vscode-languageserver-types';
import { visibleLine } from '../base/hygiene.js';
import type { OutlineSymbol } from '../questions/graph/outline/output.js';
import type { Project } from '../serve/project.js';
import { ask, definitionsAt, type Editor, type Position, targetOf } from './asking.js';
import { symbolKind } from './kinds.js';
import { rangeOfLines, rangeOfName } from './ranges.js';
import { type Place, uriOf } from './workspace.js';

const MAX_USES = 10_000;
const MAX_SYMBOLS = 5_000;
/** Editors ask again with each letter. */
const MAX_FOUND = 200;

/** A name that stands somewhere on lines of a file. */
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
  const found = await definitionsAt(position, editor);
  const names = found.map(({ path, symbol, startLine, endLine }) => ({
    ...{ path, name: symbol, from: startLine, to: endLine },
  }));
  return locations(position.project, names, editor);
}

/** `withDefinition`: the definitions belong to the answer. */
export async function references(position: Position, withDefinition: boolean, editor: Editor): Promise<Location[]> {
  const { project } = position;
  const [meant] = await definitionsAt(position, editor);
  if (meant === undefined) return [];
  const values = { name: targetOf(meant), limit: MAX_USES };
  const found = await ask({ project, signal: editor.signal }, 'graph references', values);
  if (found === null || 'candidates' in found) return [];
  const uses = found.uses.list.map(({ path, line, endLine, text }) => ({ path, name: text, from: line, to: endLine }));
  const own = found.definitions.map(({ path, symbol, startLine, endLine }) => ({
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
