/** Licences at the heads of files: every file of a project has the same one, and it says nothing of any task. */

/** Lines at the head of a file that are looked at: the longest common licence that is quoted in full has fewer. */
const MAX_LINES = 60;
const LICENCE = /copyright|\(c\) \d{4}|spdx-|licen[cs]ed? |all rights reserved/i;
const LINE_COMMENT = /^\s*(?:\/\/|#|--|;|%)/;
/** Beginnings of block comments, and how they end. */
const BLOCKS: readonly (readonly [begin: RegExp, end: string])[] = [
  [/^\s*\/\*/, '*/'],
  [/^\s*<!--/, '-->'],
  [/^\s*\(\*/, '*)'],
];

/** Number of lines at the head of a file that are comments about its licence, with blank lines after them; 0 where there are none. */
export function licenceLines(lines: readonly string[]): number {
  let end = 0;
  for (let at = 0; at < Math.min(lines.length, MAX_LINES); ) {
    if (lines[at].trim() === '' || lines[at].startsWith('#!')) {
      at++;
      continue;
    }
    const after = afterComment(lines, at);
    if (after === at || !LICENCE.test(lines.slice(at, after).join('\n'))) break;
    at = after;
    end = after;
  }
  while (end > 0 && end < lines.length && lines[end].trim() === '') end++;
  return end;
}

/** The line after the comment that begins here; the same one where none begins. */
function afterComment(lines: readonly string[], from: number): number {
  const block = BLOCKS.find(([begin]) => begin.test(lines[from]));
  let at = from;
  if (block !== undefined) {
    while (at < lines.length && !lines[at].includes(block[1])) at++;
    return Math.min(lines.length, at + 1);
  }
  while (at < lines.length && LINE_COMMENT.test(lines[at])) at++;
  return at;
}
