/** Text of `tags` and `tag`: a tag or a place a line, with who or what gave it. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { more } from '../graph/text-parts.js';
import { authorText } from '../note/text.js';
import { dateText, formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type {
  TagChangeDocument,
  TagListDocument,
  TagPlaceItem,
  TagReason,
  TagsDocument,
  TagWhyDocument,
} from './output.js';

interface Writing {
  pen: Pen;
}

export function tagsText({ tags, ...told }: TagsDocument, { pen }: Writing): string {
  const width = Math.max(0, ...tags.map(({ tag }) => tag.length));
  const lines = tags.map(({ tag, files, symbols, byHand }) => {
    const hand = byHand > 0 ? `, ${groupDigits(byHand)} by hand` : '';
    return `${pen.match(visibleLine(tag).padEnd(width))}  ${countText({ files, symbols })}${hand}`;
  });
  if (lines.length === 0) lines.push(pen.dim('no tags: all rules are turned off'));
  return `${[...lines, ...toldLines(told, pen)].join('\n')}\n`;
}

const countText = ({ files, symbols }: { files: number; symbols: number }): string =>
  files + symbols === 0 ? 'nothing' : `${formatCount(files, 'file')}, ${formatCount(symbols, 'symbol')} in others`;

export function tagListText(document: TagListDocument, { pen }: Writing): string {
  const { tag, places } = document;
  const lines: string[] = [];
  let path = '';
  for (const place of places.list) {
    if (place.path !== path || place.startLine === null) {
      const whole = place.startLine === null ? `${pen.dim('  whole file')}${givenText(place.given, pen)}` : '';
      lines.push(`${pen.path(visibleLine(place.path))}${whole}`);
    }
    path = place.path;
    if (place.startLine !== null) lines.push(`  ${placeText(place, pen)}${givenText(place.given, pen)}`);
  }
  const head = `${pen.match(visibleLine(tag))}: ${countText(document)}`;
  return `${[head, ...lines, ...more(places.leftOut, pen), ...toldLines(document, pen)].join('\n')}\n`;
}

/** `10-24 Cart.total`; of lines only their numbers. */
function placeText({ symbol, startLine, endLine }: Omit<TagPlaceItem, 'given'>, pen: Pen): string {
  if (startLine === null) return 'whole file';
  const range = endLine !== null && endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
  return symbol === null ? pen.line(range) : `${pen.line(range)} ${pen.symbol(visibleLine(symbol))}`;
}

function givenText(given: TagPlaceItem['given'], pen: Pen): string {
  if (given === undefined) return '';
  const { author, date, shared, status } = given;
  const stale = status === 'current' ? '' : status === 'moved' ? ', moved' : ', its code changed since';
  return pen.dim(`  by ${authorText(author)}, ${dateText(date)}, ${shared ? 'shared' : 'only in this clone'}${stale}`);
}

export function tagWhyText({ place, tags, ...told }: TagWhyDocument, { pen }: Writing): string {
  const lines = [`${pen.path(visibleLine(place.path))}  ${placeText(place, pen)}`];
  if (tags.length === 0) lines.push(pen.dim('no tags'));
  for (const { tag, reasons, given } of tags) {
    lines.push(pen.match(visibleLine(tag)));
    lines.push(...reasons.map((reason) => `  ${reasonText(reason, place, pen)}`));
    for (const { of, ...claim } of given) lines.push(` ${aboutText(of, place, pen)}${givenText(claim, pen)}`);
  }
  return `${[...lines, ...toldLines(told, pen)].join('\n')}\n`;
}

/** `its file: imports jose (line 3)  built-in rule 2`. */
function reasonText({ rule, of, found }: TagReason, place: TagWhyDocument['place'], pen: Pen): string {
  const source = `${rule.source === 'built-in' ? 'built-in rule' : 'rule of .socraticode.json,'} ${rule.number}`;
  const why = rule.why === undefined ? '' : `: ${visibleLine(rule.why)}`;
  return `${aboutText(of, place, pen)}${found.map(visibleLine).join('; ')}  ${pen.dim(`${source}${why}`)}`;
}

function aboutText(of: TagReason['of'], place: TagWhyDocument['place'], pen: Pen): string {
  if (of.symbol === place.symbol && of.startLine === place.startLine) return '';
  return of.startLine === null ? 'its file: ' : `${pen.symbol(visibleLine(of.symbol ?? ''))}: `;
}

export function tagChangeText({ tag, place, has, isNew, shared }: TagChangeDocument, { pen }: Writing): string {
  const where = `${pen.path(visibleLine(place.path))}  ${placeText(place, pen)}`;
  const now = has ? 'has the tag' : 'does not have the tag';
  const kept = `${isNew ? '' : 'as before, '}${shared ? 'shared with the next push' : 'only in this clone'}`;
  return `${where}  ${now} ${pen.match(visibleLine(tag))}${pen.dim(`  ${kept}`)}\n`;
}

function toldLines(
  { unread = 0, gone = 0, unreadable = 0 }: Partial<Record<'unread' | 'gone' | 'unreadable', number>>,
  pen: Pen,
): string[] {
  const told = [
    ...(unread > 0 ? [`${formatCount(unread, 'file')} left out: an expression takes too long there`] : []),
    ...(gone > 0 ? [`${formatCount(gone, 'tag')} given by hand to code that is gone`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable, 'entry', 'entries')} cannot be read by this version`] : []),
  ];
  return told.map((line) => pen.dim(line));
}
