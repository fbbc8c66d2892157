/** C#: `#if` around parts of a declaration, which the grammar does not know. */

const DIRECTIVE = /^[ \t]*#[ \t]*(if|elif|else|endif)\b.*$/gm;
/** A branch that is whole by itself: its text ends with a statement, a declaration or an attribute. */
const WHOLE_END = /[;}\]]\s*$/;
/** Directives looked at in one file. */
const MAX_DIRECTIVES = 2_000;

interface Branch {
  word: string;
  /** The directive's line, and where the text behind it begins. */
  start: number;
  end: number;
}

/**
 * The text with directives blanked out, of the same length. Of `#if` and `#else` both remain where each holds whole
 * declarations or statements; else the first one.
 */
export function withoutDirectives(text: string): string {
  if (!/^[ \t]*#[ \t]*if\b/m.test(text)) return text;
  const found: Branch[] = [];
  for (const match of text.matchAll(DIRECTIVE)) {
    if (found.length >= MAX_DIRECTIVES) return text;
    found.push({ word: match[1], start: match.index, end: match.index + match[0].length });
  }
  const blank: [start: number, end: number][] = [];
  const open: { first: boolean }[] = [];
  found.forEach(({ word, start, end }, i) => {
    blank.push([start, end]);
    if (word === 'if') open.push({ first: true });
    const group = open[open.length - 1];
    if (group === undefined) return;
    const next = found[i + 1];
    const branch = next === undefined ? '' : text.slice(end, next.start);
    if (word === 'if') group.first = isWhole(branch);
    else if (word === 'endif') open.pop();
    else if (next !== undefined && !(group.first && isWhole(branch))) blank.push([end, next.start]);
  });
  return blanked(text, blank);
}

function isWhole(branch: string): boolean {
  let depth = 0;
  for (const char of branch) {
    if (char === '{' || char === '(') depth++;
    else if (char === '}' || char === ')') depth--;
    if (depth < 0) return false;
  }
  return depth === 0 && (branch.trim() === '' || WHOLE_END.test(branch));
}

function blanked(text: string, ranges: readonly [start: number, end: number][]): string {
  const parts: string[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    parts.push(text.slice(at, start), text.slice(start, end).replace(/[^\n\r]/g, ' '));
    at = end;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
