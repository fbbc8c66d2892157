/** Text of `why`: the place, then each commit with its message and what it names. */
import { visibleLine } from '../../base/hygiene.js';
import { more } from '../graph/text-parts.js';
import { dateText, formatCount, quoted } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { WhyDocument } from './output.js';
import type { WhyValues } from './question.js';

type Reason = WhyDocument['commits']['list'][number];

const SHORT_OID = 9;

export function whyText(document: WhyDocument, { pen, values }: { pen: Pen; values: WhyValues }): string {
  const { path, startLine, endLine, symbol, uncommitted, basis, commits } = document;
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const name = symbol === null ? '' : `  ${pen.symbol(visibleLine(symbol))}`;
  const all = endLine - startLine + 1;
  const lines = [`${pen.path(visibleLine(path))}:${pen.line(range)}${name}`];
  if (uncommitted > 0) lines.push(`${uncommitted} of ${formatCount(all, 'line')} not committed yet`);
  for (const one of commits.list) lines.push(...reasonLines(one, { all, pen, isFull: values.full === true }));
  if (commits.list.length === 0) lines.push('no commit is known');
  lines.push(...more(commits.leftOut, pen));
  if (basis === 'file') {
    const why = 'this clone lacks old versions of the file, so these commits changed the file, not always these lines';
    lines.push(pen.dim(why));
  }
  return `${lines.join('\n')}\n`;
}

function reasonLines(one: Reason, { all, pen, isFull }: { all: number; pen: Pen; isFull: boolean }): string[] {
  const { commit, date, author, subject, body, lines, from, merge, mentions } = one;
  const share = lines === 0 ? '' : ` ${pen.dim(`wrote ${lines} of ${formatCount(all, 'line')}`)}`;
  const head = `${pen.line(commit.slice(0, SHORT_OID))} ${dateText(date)} ${visibleLine(subject)}`;
  const text = [`${head} ${pen.dim(`(${visibleLine(author)})`)}${share}`];
  if (body !== '') text.push(...bodyLines(body, isFull).map((each) => `   ${quoted(each)}`));
  if (from !== undefined) text.push(`  the lines were in ${pen.path(visibleLine(from))}`);
  if (mentions.length > 0) text.push(`  names ${mentions.map(mentionText).join(', ')}`);
  if (merge !== undefined)
    text.push(pen.dim(`  merged by ${merge.commit.slice(0, SHORT_OID)} ${visibleLine(merge.subject)}`));
  return text;
}

/** Lines of a message that are shown unless it is asked for whole. */
const SHOWN_LINES = 4;

function bodyLines(body: string, isFull: boolean): string[] {
  const lines = body.split(/\r?\n/).filter((line) => isFull || line.trim() !== '');
  return isFull || lines.length <= SHOWN_LINES ? lines : [...lines.slice(0, SHOWN_LINES), '…'];
}

const KINDS = { pull: 'pull request ', issue: 'issue ', unknown: '' } as const;
const mentionText = ({ kind, text }: Reason['mentions'][number]): string => `${KINDS[kind]}${visibleLine(text)}`;
