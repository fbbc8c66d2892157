/**
 * A review as Markdown, for a pull request. Text of the repository stands in code spans, or is escaped in phrases of ours: it can
 * neither format, nor link, nor mention anybody.
 */
import { groupDigits } from '../../base/digits.js';
import { codeSpan as code, visibleLine } from '../../base/hygiene.js';
import { coupledText, fateText, othersText } from '../graph/impact/sides/text.js';
import { filesText } from '../graph/impact/text.js';
import { percent, type Some, total } from '../graph/text-parts.js';
import { formatCount } from '../writing/format.js';
import type { ReviewDocument } from './output.js';

type Changes = ReviewDocument['changes'];

export function reviewMarkdown(document: ReviewDocument): string {
  const { changes, risk, tests, affected, notes, mentionedIn, linked } = document;
  const { notRead, dangling, mismatches, api, symbols, removed, users, coupled, owners } = changes;
  const counted = `${filesText(changes)}, ${formatCount(total(symbols), 'symbol')} changed, ${groupDigits(total(removed))} removed`;
  const blocks = [
    `## Review of ${sides(changes)}`,
    `**Risk: ${risk.level}** (${risk.reasons.map(plain).join('; ')})`,
    `${counted}. ${formatCount(users.before, 'user')} before, ${groupDigits(affected)} now.`,
    ...list(
      'Not read: these could not be parsed as a whole, so changes in them may be missing',
      notRead.list,
      code,
      notRead.leftOut,
    ),
    ...DANGLING.flatMap(([certainty, title]) =>
      list(
        title,
        dangling.list.filter((use) => use.certainty === certainty),
        (use) => `${place(use.path, use.line)} ${inside(use.symbol)}uses ${code(use.text)}: ${plain(fateText(use))}`,
        certainty === 'certain' ? dangling.leftOut : 0,
      ),
    ),
    ...list(
      'Calls that do not fit',
      mismatches.list,
      ({ path, line, symbol, text, detail, callee }) =>
        `${place(path, line)} ${inside(symbol)}calls ${code(text)}: ${plain(detail)} (${place(callee.path, callee.line)})`,
      mismatches.leftOut,
    ),
    ...list(
      'Exported symbols',
      api.list,
      ({ change, path, startLine, symbol, signature, was }) =>
        `${change}: ${code(signature ?? symbol ?? '')} in ${place(path, startLine)}${was === undefined ? '' : `, was ${code(was)}`}`,
      api.leftOut,
    ),
    ...list(
      'Changed symbols, largest effect first',
      symbols.list,
      ({ change, path, startLine, symbol, affected: reached, was }) =>
        `${change}: ${code(symbol ?? path)} in ${place(path, startLine)}${was === undefined ? '' : `, was ${code(was)}`}; affects ${groupDigits(reached)}`,
      symbols.leftOut,
    ),
    ...list('Removed symbols', removed.list, ({ path, symbol }) => `${code(symbol)} of ${code(path)}`, removed.leftOut),
    ...list(
      'Uses in linked repositories',
      linked?.uses.list ?? [],
      (use) =>
        `${code(use.project)} ${place(use.path, use.line)} ${inside(use.symbol)}uses ${code(use.name)} (${percent(use.confidence)})`,
      linked?.uses.leftOut ?? 0,
    ),
    ...list(
      'Linked repositories that could not be asked',
      (linked?.repositories ?? []).filter(({ reason }) => reason !== null),
      ({ path, state, reason }) => `${code(path)}: ${plain(state)}: ${plain(reason ?? '')}`,
      0,
    ),
    ...list('Tests to run', tests.list, ({ path, line }) => place(path, line), tests.leftOut),
    ...list(
      'Usually change together with these, and did not',
      coupled.list,
      (one) => `${code(one.path)}: ${plain(coupledText(one))}`,
      coupled.leftOut,
    ),
    ...list(
      'Owners by history',
      owners.list,
      ({ author, share, commits }) => `${code(author)}: ${percent(share)}, ${formatCount(commits, 'commit')}`,
      owners.leftOut,
      othersText(owners),
    ),
    ...list(
      'Documents that mention what changed',
      mentionedIn?.first ?? [],
      ({ path, line }) => place(path, line),
      mentionedIn === undefined ? 0 : mentionedIn.documents - mentionedIn.first.length,
    ),
    ...list(
      'Doc comments that mention what changed',
      mentionedIn?.comments?.first ?? [],
      ({ path, line }) => place(path, line),
      mentionedIn?.comments === undefined ? 0 : mentionedIn.comments.files - mentionedIn.comments.first.length,
    ),
    ...list(
      'Notes on what changed, claims of their authors',
      notes?.list ?? [],
      (note) => `${code(note.place)} by ${code(note.by)}, ${plain(note.status)}: ${code(note.text)}`,
      notes?.leftOut ?? 0,
    ),
  ];
  return `${blocks.join('\n\n')}\n`;
}

const DANGLING = [
  ['certain', 'Dangling: these lead nowhere now'],
  ['likely', 'Probably dangling'],
  ['possible', 'May have meant what is gone'],
] as const;

/** Lists longer than this are folded: a pull request is read on a page. */
const FOLDED = 12;

function list<T>(
  title: string,
  all: Some<T>['list'],
  lineOf: (one: T) => string,
  leftOut: number,
  rest = `${groupDigits(leftOut)} more`,
): string[] {
  if (all.length === 0) return [];
  const lines = all.map((one) => `- ${lineOf(one)}`);
  if (leftOut > 0) lines.push(`- … ${rest}`);
  if (lines.length <= FOLDED) return [`### ${title}`, lines.join('\n')];
  const shown =
    leftOut > 0
      ? `${groupDigits(all.length + leftOut)}, the first ${groupDigits(all.length)} of them`
      : groupDigits(all.length);
  return [`### ${title}`, `<details><summary>${shown}</summary>`, lines.join('\n'), '</details>'];
}

function sides({ from, to }: Changes): string {
  const name = ({ ref }: Changes['from']) => code(ref);
  return `${name(from)} to ${to === null ? 'the work tree' : name(to)}`;
}

const place = (path: string, line: number): string => code(`${path}:${line}`);
const inside = (symbol: string | null): string => (symbol === null ? '' : `${code(symbol)} `);

/** Character without width. GitHub looks for names, numbers and addresses in the text that escapes have become. */
const JOINT = '&#8203;';

/** A phrase of ours with names in it. */
function plain(text: string): string {
  return visibleLine(text)
    .replace(/[\\`*_[\]<>&|!~]/g, '\\$&')
    .replace(/[@#]|:(?=\/\/)|\b(?:www(?=\.)|GH(?=-\d))/gi, `$&${JOINT}`);
}
