/** Our marked section in a file of others: adds, replaces and removes it, and leaves every other byte as it was. */
import { endingOf, refusal } from '../../mcp/install/files/format.js';

const BEGIN = '<!-- git-socraticode: begin (git socraticode agents uninstall removes this section) -->';
const END = '<!-- git-socraticode: end -->';

/** The text with the section. Throws BAD_CONFIG where the marks were edited. */
export function withSection(text: string | null, body: string): string {
  if (text === null) return `${block(body, '\n')}\n`;
  const eol = endingOf(text);
  const range = locate(text);
  if (range !== null) return text.slice(0, range.start) + block(body, eol) + text.slice(range.end);
  // The section ends in a line break if the file did, so that removing it tells how the file ended.
  const isEnded = text === '' || text.endsWith('\n');
  return isEnded ? `${text}${eol}${block(body, eol)}${eol}` : `${text}${eol}${eol}${block(body, eol)}`;
}

/** The text as it was before `withSection`; null if that made the file. Throws BAD_CONFIG where the marks were edited. */
export function withoutSection(text: string): string | null {
  const range = locate(text);
  if (range === null) return text;
  const { start, end } = range;
  if (start === 0 && /^\r?\n?$/.test(text.slice(end))) return null;
  const before = text.slice(0, start);
  const rest = text.slice(end);
  // Without a line break behind it, the file had none at its end.
  const added = rest === '' ? /(?:\r?\n){0,2}$/ : /(?:\r?\n)?$/;
  return before.replace(added, '') + rest.replace(/^\r?\n/, '');
}

export const hasSection = (text: string): boolean => locate(text) !== null;

const block = (body: string, eol: string): string => [BEGIN, '', body, '', END].join('\n').replaceAll('\n', eol);

function locate(text: string): { start: number; end: number } | null {
  const [start, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (start < 0 && end < 0) return null;
  const isWhole = start >= 0 && end > start && text.lastIndexOf(BEGIN) === start && text.lastIndexOf(END) === end;
  if (!isWhole) throw refusal('its git-socraticode marks were edited: remove them by hand');
  return { start, end: end + END.length };
}
