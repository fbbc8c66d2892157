/** Makes pairs from comments inside bodies, and the statements that they introduce. */
import { isStatement, plainText, prose, wordsOf } from './clean.js';
import { type Line, linesOf } from './source.js';
import { COMMENT_SYNTAX, type CommentSyntax, SCRIPTS } from './syntax.js';
import { cutCode, type Draft, type Source } from './types.js';

const MAX_LINES = 15;
const MIN_CODE = 40;
const MAX_QUERY_LENGTH = 400;
const MAX_COMMENT_LINES = 12;

export function inlinePairs(source: Source): Draft[] {
  const syntax = COMMENT_SYNTAX[source.language];
  if (syntax === undefined) return [];
  const lines = linesOf(source.text);
  const inside = insideBodies(source);
  const drafts: Draft[] = [];
  for (let i = 0; i < lines.length; i++) {
    const end = commentEnd(lines, i, syntax);
    if (end === i) continue;
    if (inside(lines[i].start + lines[i].text.search(/\S/)) && end - i <= MAX_COMMENT_LINES) {
      const draft = pairAt(lines, i, end, syntax);
      if (draft !== null) drafts.push(draft);
    }
    i = end - 1;
  }
  return drafts;
}

/** Is an offset in a function's body (or a script), and not in documentation? */
function insideBodies({ definitions, language }: Source): (at: number) => boolean {
  const bodies = definitions.filter(({ kind }) => /^(?:function|method|constructor|macro|property)$/.test(kind));
  const docs = definitions.flatMap(({ doc }) => (doc === null ? [] : [doc]));
  return (at) => {
    if (docs.some(({ start, end }) => at >= start && at <= end)) return false;
    return SCRIPTS.has(language) || bodies.some(({ start, end }) => at > start && at < end);
  };
}

/** Index after the comment that starts on line `at`; `at` itself if there is none. */
function commentEnd(lines: readonly Line[], at: number, { line, block }: CommentSyntax): number {
  const first = lines[at].text.trim();
  if (line?.test(first)) {
    let end = at + 1;
    while (end < lines.length && lines[end].indent === lines[at].indent && line.test(lines[end].text.trim())) end++;
    return end;
  }
  if (block === undefined || !first.startsWith(block[0])) return at;
  for (let i = at; i < lines.length && i < at + 40; i++) {
    const close = lines[i].text.indexOf(block[1], i === at ? lines[i].text.indexOf(block[0]) + 2 : 0);
    // A comment after code on its line describes that line, not the following ones.
    if (close !== -1) return lines[i].text.slice(close + block[1].length).trim() === '' ? i + 1 : at;
  }
  return at;
}

function pairAt(lines: readonly Line[], from: number, end: number, syntax: CommentSyntax): Draft | null {
  const code = following(lines, end, lines[from].indent, syntax);
  if (code.length < MIN_CODE) return null;
  const query = commentText(lines.slice(from, end), syntax);
  return query === null || query.length > MAX_QUERY_LENGTH ? null : { kind: 'inline', query, code };
}

/** Lines up to the next blank line, comment or dedent: 2 to 15 of them, or a single one that is long enough. */
function following(lines: readonly Line[], from: number, indent: number, syntax: CommentSyntax): string {
  let end = from;
  while (end < lines.length && end - from < MAX_LINES) {
    const line = lines[end];
    if (line.indent === -1 || line.indent < indent || commentEnd(lines, end, syntax) > end) break;
    // A closing line ends the statements of the comment.
    if (line.indent === indent && end > from && /^\s*(?:\}|end\b|fi\b|done\b|else\b|\} else)/.test(line.text)) {
      if (/^\s*(?:\}[;,)]*|end|fi|done)\s*$/.test(line.text)) end++;
      break;
    }
    end++;
  }
  if (end - from < 2) return '';
  return cutCode(
    lines
      .slice(from, end)
      .map(({ text }) => text)
      .join('\n'),
  );
}

function commentText(lines: readonly Line[], { line, block }: CommentSyntax): string | null {
  const parts = lines.map(({ text }) => {
    let part = text.trim();
    if (line?.test(part)) part = part.replace(line, '');
    else if (block !== undefined)
      part = part
        .replace(block[0], '')
        .replace(block[1], '')
        .replace(/^\*+(?!\w)/, '');
    return part.trim();
  });
  if (parts.some((part) => /^\s*(?:[@\\](?:param|return|throws|type)|>>>|\|)/.test(part))) return null;
  if (parts.some((part) => wordsOf(part).length > 0 && isStatement(part))) return null;
  return prose(plainText(parts.filter((part) => !/^[-=*#~_/+]{3,}$/.test(part)).join(' ')));
}
