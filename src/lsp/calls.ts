/** Callers and callees of a function: the protocol's call hierarchy. */
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
} from 'vscode-languageserver-types';
import { visibleLine } from '../base/hygiene.js';
import type { Place as NodePlace } from '../questions/graph/output-parts.js';
import type { Project } from '../serve/project.js';
import { definitionsAt, type Editor, type Position, symbolOf, targetOf } from './asking.js';
import { symbolKind } from './kinds.js';
import { rangeOfLines, rangeOfName } from './ranges.js';
import { uriOf } from './workspace.js';

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
  const found = await definitionsAt(position, editor);
  return found.filter(({ symbol }) => symbol !== null).map((place) => itemOf(position.project, place, editor));
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
      // Answers tell the line of a call, not where its function begins.
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
