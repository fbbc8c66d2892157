/** A line above each function and type: how much calls it, and how many test files reach it. */

import type { CodeLens } from 'vscode-languageserver-types';
import { groupDigits } from '../base/digits.js';
import type { GraphSymbolResponse } from '../questions/graph/symbol/output.js';
import type { Project } from '../serve/project.js';
import { type Editor, symbolOf } from './asking.js';
import { WITH_LENS } from './kinds.js';
import { outline } from './places.js';
import { rangeOfName } from './ranges.js';
import { type Place, uriOf } from './workspace.js';

/** Command of a lens: the editor shows the references of the name there. */
export const REFERENCES_COMMAND = 'git-socraticode.references';

/** Subject of a lens, kept from the list until its title is asked for. */
export interface LensData {
  uri: string;
  target: string;
}

/** Places of lenses; the editor asks for the titles of those that it shows. */
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

export function countsText({ callers, otherUses, tests }: GraphSymbolResponse): string {
  const calls = callers.list.length + callers.leftOut;
  const used = calls === 0 && otherUses > 0 ? counted(otherUses, 'use') : counted(calls, 'caller');
  return `${used}, ${counted(tests.list.length + tests.leftOut, 'test file')}`;
}

const counted = (count: number, what: string): string => {
  if (count === 0) return `no ${what}s`;
  return `${groupDigits(count)} ${what}${count === 1 ? '' : 's'}`;
};
