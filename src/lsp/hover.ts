/** The box that an editor shows beside a name: its declaration, callers, tests that reach it, last change. */

import type { Hover } from 'vscode-languageserver-types';
import { TIMED_OUT, waitFor } from '../base/abortable.js';
import { groupDigits } from '../base/digits.js';
import { codeSpan as code, longestFence, visibleLine } from '../base/hygiene.js';
import type { GraphSymbolResponse } from '../questions/graph/symbol/output.js';
import type { Project } from '../serve/project.js';
import { ask, definitionsAt, type Editor, type Position, symbolOf, targetOf } from './asking.js';
import { countsText } from './lens.js';

/** Callers and tests that are named. */
const NAMED = 3;
/** Longest wait for history: a later hover shows it. */
const HISTORY_MS = 300;
/** Commits walked for the last change: years of most repositories, seconds of large ones. */
const HISTORY_COMMITS = 2_000;
const CHANGES_KEPT = 200;

/** Last changes by commit and name; one walk at a time. */
export class LastChanges {
  private readonly known = new Map<string, Promise<string>>();
  private isWalking = false;

  /** One line, '' where it is not known, or not yet. */
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
      if (this.known.size > CHANGES_KEPT) this.known.delete(oldest);
    }
    const line = await waitFor(this.known.get(key) ?? Promise.resolve(''), { ms: HISTORY_MS }).catch(() => '');
    return line === TIMED_OUT ? '' : line;
  }
}

async function walkFor(project: Project, path: string, symbol: string): Promise<string> {
  // The walk goes on when the editor has moved on: its result is kept.
  const signal = new AbortController().signal;
  const values = { query: symbol, limit: 10, lines: 1, noContent: true, maxCommits: HISTORY_COMMITS };
  const found = await ask({ project, signal }, 'history', values);
  const last = found?.results.find((result) => result.path === path && result.symbol === symbol)?.lastChanged;
  if (!last) return '';
  const day = last.date?.slice(0, 10) ?? '';
  return `Last changed ${day} by ${plain(last.author)}: ${plain(last.subject)} (${last.commit.slice(0, 8)})`;
}

export async function hover(position: Position, changes: LastChanges, editor: Editor): Promise<Hover | null> {
  const [meant] = (await definitionsAt(position, editor)).filter(({ symbol }) => symbol !== null);
  if (meant === undefined) return null;
  const { project } = position;
  const found = await symbolOf(targetOf(meant), { project, signal: editor.signal, limit: NAMED });
  if (found === null) return null;
  const last = await changes.of(project, found);
  const { definitions, doc, callers, tests } = found;
  const signature = definitions.find((each) => each.signature !== '')?.signature ?? meant.symbol ?? '';
  const parts = [
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
 * Text of the repository as Markdown that shows it and does nothing: no link, no image, no HTML. Editors make links of bare addresses,
 * too: of `http://…`, `www.…` and `name@host`.
 */
const plain = (text: string): string =>
  visibleLine(text).replace(/[\\`*_{}[\]()#+!|<>~&@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');

function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestFence(text) + 1));
  return `${fence}\n${text.split('\n').map(visibleLine).join('\n')}\n${fence}`;
}
