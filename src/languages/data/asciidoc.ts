/** Reads AsciiDoc as far as mentions of code need it: headings, monospaced words, listings and links. By its language documentation. */
import { type DocumentPart, MAX_SPAN } from '../roles/documents.js';
import { codeSpans, isBlank, type Line, linesOf, linksIn } from './lines.js';
import { blockOf } from './markdown.js';

const HEADING = /^(={1,6}|#{1,6})[ \t]+(\S.*)$/;
const SOURCE = /^\[(?:source|,)\s*,?\s*([\w+#-]*)/;
/** Lines that open a listing, a literal or a comment, which the same line closes; ``` takes a language. */
const DELIMITER = /^(-{4,}|\.{4,}|\/{4,}|\+{4,}|`{3,})([\w+#-]*)\s*$/;
/** An indented line that begins no item of a list: with a blank line above it, the paragraph is shown as it is. */
const LITERAL = /^[ \t]+(?!(?:[*.-]+|\d+\.)\s|[^`\n]{1,300}?:{2,4}(?:\s|$)|$)/;
const LINKS = [/\b(?:link|xref|include):{1,2}([^\s[\]]{1,300})\[/g, /\b(https?:[^\s[\]<>]{1,300})\[/g];

export function readAsciidoc(text: string): DocumentPart[] {
  const lines = linesOf(text);
  const parts: DocumentPart[] = [];
  let language = '';
  let isLiteral = false;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const delimiter = DELIMITER.exec(line.text);
    if (delimiter !== null) {
      const end = closing(lines, i + 1, delimiter[1]);
      const told = delimiter[2] === '' ? language : delimiter[2];
      if (line.text[0] !== '/') parts.push(blockOf(lines.slice(i + 1, end), told, line.number + 1));
      i = end;
      language = '';
      continue;
    }
    const source = SOURCE.exec(line.text);
    if (source !== null) language = source[1];
    else if (line.text.trim() === '' || !line.text.startsWith('.')) language = '';
    const heading = HEADING.exec(line.text);
    if (heading !== null) parts.push(headingOf(line, heading));
    if (line.text.startsWith('//')) continue;
    isLiteral = !isBlank(line.text) && (isLiteral || (LITERAL.test(line.text) && isBlank(lines[i - 1]?.text ?? '')));
    if (isLiteral) continue;
    for (const { text: code } of codeSpans(line))
      parts.push({ is: 'code', line: line.number, text: code.replace(/^\+(.*)\+$/, '$1') });
    parts.push(...linksIn(line, LINKS));
  }
  return parts;
}

function closing(lines: readonly Line[], from: number, delimiter: string): number {
  for (let i = from; i < lines.length; i++) if (lines[i].text.trimEnd() === delimiter) return i;
  return lines.length;
}

function headingOf({ number: line, start, text }: Line, [, marks, name]: RegExpExecArray): DocumentPart {
  const shown = name.slice(0, MAX_SPAN).replace(/[`*]/g, '').trim();
  return { is: 'heading', line, level: marks.length, text: shown, start, nameStart: start + text.indexOf(name) };
}
