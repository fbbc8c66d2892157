/** Rewrites matches of structural search by a template, as `ast-grep run --rewrite` does. */
import { SocraticodeError } from '../../base/errors.js';
import type { TreeMatch, TreeSpan } from '../../extract/structural.js';
import { VARIABLE, variablesOf } from '../../extract/variables.js';
import { endOfLine, startOfLine } from './hits.js';

/** Another text for a part of a file, in UTF-16 units. */
export interface Edit extends TreeSpan {
  text: string;
}

/** Throws BAD_ARGUMENT for a variable that the pattern does not capture. */
export function checkTemplate(template: string, pattern: string): void {
  const captured = new Set(variablesOf(pattern).map(({ name }) => name));
  const unknown = [...template.matchAll(VARIABLE)].find(([, list, one]) => !captured.has(list ?? one));
  if (unknown === undefined) return;
  const names = [...captured].map((name) => `$${name}`).join(', ');
  throw new SocraticodeError('BAD_ARGUMENT', `the pattern captures no ${unknown[0]}`, {
    hint: `It captures ${names === '' ? 'nothing' : names}; a variable whose name begins with "_" is not captured.`,
  });
}

/**
 * Edits in order, none over another: of matches that lie in each other the outermost is rewritten, and `inner` counts the others,
 * which the new text still holds. Matches that are as the template wants them give no edit.
 */
export function rewrite(
  text: string,
  matches: readonly TreeMatch[],
  template: string,
): { edits: Edit[]; inner: number } {
  const edits: Edit[] = [];
  let [inner, end] = [0, -1];
  for (const match of matches) {
    if (match.start < end) {
      inner++;
      continue;
    }
    end = match.end;
    const fresh = fill(text, match, template);
    if (fresh !== text.slice(match.start, match.end)) edits.push({ start: match.start, end: match.end, text: fresh });
  }
  return { edits, inner };
}

/** The template with its variables replaced, under the indentation and with the line ends of the match. */
function fill(text: string, match: TreeMatch, template: string): string {
  const indent = indentAt(text, match.start);
  const lines = template.split(/\r?\n/).map((line, i) => {
    const inner = i === 0 ? indent : indent + (/^[ \t]*/.exec(line)?.[0] ?? '');
    const filled = line.replace(VARIABLE, (_, list?: string, one?: string) => {
      const capture = match.captures.find(({ name }) => name === (list ?? one));
      return capture === undefined ? '' : moved(text, capture, inner);
    });
    return i > 0 && line !== '' ? indent + filled : filled;
  });
  const isCrlf = text[endOfLine(text, match.start) - 1] === '\r';
  return lines.join(isCrlf ? '\r\n' : '\n');
}

/** A captured text of several lines, with the indentation of its place exchanged for `indent`. */
function moved(text: string, { start, end }: TreeSpan, indent: string): string {
  const captured = text.slice(start, end);
  const own = indentAt(text, start);
  if (own === indent || !captured.includes('\n')) return captured;
  const [first, ...rest] = captured.split('\n');
  return [first, ...rest.map((line) => (line.startsWith(own) ? indent + line.slice(own.length) : line))].join('\n');
}

/** White space at the beginning of a line. */
function indentAt(text: string, at: number): string {
  const start = startOfLine(text, at);
  let end = start;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return text.slice(start, end);
}
