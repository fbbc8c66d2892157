/** The lists of a review, which each writer takes from here: Markdown for a pull request, and the page of `web`. It loads in browsers. */
import { groupDigits } from '../../base/printable.js';
import { formatCount } from '../format.js';
import { coupledText, danglingGroups, fateText, othersText } from '../graph/changes/text.js';
import { likeliest, percent, type Some } from '../graph/graph-text.js';
import type { ReviewDocument } from './question.js';

/** A part of a line: a phrase with names in it, code as it is written, a place, or a further line. */
export type Part = string | { code: string } | Place | Line;

interface Place {
  path: string;
  line: number;
}

/** One word more than parts: `words[0] parts[0] words[1] …`. The words are ours, the parts are text of the repository. */
export interface Line {
  words: readonly string[];
  parts: readonly Part[];
}

export interface Section {
  title: string;
  lines: readonly Line[];
  leftOut: number;
  /** Text about those that are left out; default: their number. */
  rest?: string;
}

const line = (words: TemplateStringsArray, ...parts: Part[]): Line => ({ words, parts });
const code = (text: string): Part => ({ code: text });
const inside = (symbol: string | null): Part => (symbol === null ? '' : line`${code(symbol)} `);
const was = (before: string | undefined): Part => (before === undefined ? '' : line`, was ${code(before)}`);
const whole = (file: Place): Line => line`${file}`;
const NONE = { list: [], leftOut: 0 };

function section<T>(title: string, { list, leftOut }: Some<T>, lineOf: (one: T) => Line, rest?: string): Section {
  return { title, lines: list.map(lineOf), leftOut, rest };
}

/** In the order in which they are read; those without lines have nothing to say. */
export function reviewSections(document: ReviewDocument): Section[] {
  const { changes, approvals, linked, tests, mayRun = NONE, mentionedIn, notes } = document;
  const { notRead, dangling, mismatches, api, further, symbols, removed, coupled, owners } = changes;
  const unasked = (linked?.repositories ?? []).filter(({ reason }) => reason !== null);
  return [
    section(
      'Code that nobody has approved yet',
      approvals?.unseen ?? NONE,
      ({ path, line: at, symbol, what }) =>
        line`${what === 'removed' ? 'removed ' : ''}${code(symbol ?? path)} in ${at === null ? code(path) : { path, line: at }}`,
    ),
    section(
      'Not read: these could not be parsed as a whole, so changes in them may be missing',
      notRead,
      (path) => line`${code(path)}`,
    ),
    ...danglingGroups(dangling).map(({ title, ...uses }) =>
      section(
        `${title[0].toUpperCase()}${title.slice(1)}`,
        uses,
        (use) => line`${use} ${inside(use.symbol)}uses ${code(use.text)}: ${fateText(use)}`,
      ),
    ),
    section(
      'Calls that do not fit',
      mismatches,
      (call) => line`${call} ${inside(call.symbol)}calls ${code(call.text)}: ${call.detail} (${call.callee})`,
    ),
    section(
      'Exported symbols',
      api,
      (one) =>
        line`${one.change}: ${code(one.signature ?? one.symbol ?? '')} in ${{ path: one.path, line: one.startLine }}${was(one.was)}`,
    ),
    section(
      'Routes, schemas, configuration',
      further,
      (one) => line`${one.kind} ${one.change}: ${code(one.name)}${one.kind === 'route' ? line` in ${one}` : ''}`,
    ),
    section(
      'Changed symbols, largest effect first',
      symbols,
      (one) =>
        line`${one.change}: ${code(one.symbol ?? one.path)} in ${{ path: one.path, line: one.startLine }}${was(one.was)}; affects ${groupDigits(one.affected)}`,
    ),
    section('Removed symbols', removed, ({ path, symbol }) => line`${code(symbol)} of ${code(path)}`),
    section(
      'Uses in linked repositories',
      linked?.uses ?? NONE,
      (use) =>
        line`${code(use.project)} ${use} ${inside(use.symbol)}uses ${code(use.name)} (${percent(use.confidence)})`,
    ),
    section(
      'Linked repositories that could not be asked',
      { list: unasked, leftOut: 0 },
      ({ path, state, reason }) => line`${code(path)}: ${state}: ${reason ?? ''}`,
    ),
    section('Tests to run', tests, whole),
    section('Tests that may run it', likeliest(mayRun), whole),
    section(
      'Changed along with these in the past, not now',
      coupled,
      (one) => line`${code(one.path)}: ${coupledText(one)}`,
    ),
    section(
      'Owners by history',
      owners,
      ({ author, share, commits }) => line`${code(author)}: ${percent(share)}, ${formatCount(commits, 'commit')}`,
      othersText(owners),
    ),
    section('Documents that mention what changed', firstOf(mentionedIn?.first, mentionedIn?.documents), whole),
    section(
      'Doc comments that mention what changed',
      firstOf(mentionedIn?.comments?.first, mentionedIn?.comments?.files),
      whole,
    ),
    section(
      'Notes on what changed, claims of their authors',
      notes ?? NONE,
      (note) => line`${code(note.place)} by ${code(note.by)}, ${note.status}: ${code(note.text)}`,
    ),
  ];
}

const firstOf = (first: readonly Place[] = [], all = 0): Some<Place> => ({ list: first, leftOut: all - first.length });
