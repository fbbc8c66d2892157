/**
 * Reads Markdown as far as mentions of code need it: headings, code spans, fenced code and links. By CommonMark 0.31, sections 4.2,
 * 4.3, 4.5 and 6.1; indented code is read as prose, since few documents have any, and lists are indented as well.
 */
import { type CodeBlock, type DocumentPart, MAX_SPAN } from '../roles/documents.js';
import { codeSpans, indentOf, isBlank, type Line, linesOf, linksIn } from './lines.js';

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s`{]*)/;
const ATX = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const UNDERLINE = /^ {0,3}(?:(=+)|(-+))[ \t]*$/;
/** Beginnings of lines that are no paragraph. */
const NO_PARAGRAPH = /^(?:\s*$|[ \t]*(?:[-*+>|<]|\d{1,9}[.)])(?:\s|$)|\s*\||\t| {4})/;
const LINKS = [
  /\]\(\s*<?([^()\s<>]{1,300})/g,
  /^ {0,3}\[[^\][]{1,300}\]:\s*<?([^\s<>]{1,300})/g,
  /<(https?:[^\s<>]{1,300})>/g,
  /\b(?:href|src)="([^"\s]{1,300})"/g,
];

export function readMarkdown(text: string): DocumentPart[] {
  const lines = linesOf(text);
  const parts: DocumentPart[] = [];
  let inComment = false;
  for (let i = afterFrontMatter(lines); i < lines.length; i++) {
    const line = lines[i];
    if (inComment || line.text.startsWith('<!--')) {
      inComment = !line.text.includes('-->');
      continue;
    }
    const fence = FENCE.exec(line.text);
    if (fence !== null) {
      const end = closingFence(lines, i + 1, fence[1]);
      parts.push(blockOf(lines.slice(i + 1, end), fence[2], line.number + 1));
      i = end;
      continue;
    }
    const heading = headingAt(lines, i);
    if (heading !== null) parts.push(heading);
    for (const { text: code } of codeSpans(line)) parts.push({ is: 'code', line: line.number, text: code });
    parts.push(...linksIn(line, LINKS));
  }
  return parts;
}

/** `---`, keys of a site's generator, `---`. */
function afterFrontMatter(lines: readonly Line[]): number {
  if (lines[0].text.trimEnd() !== '---') return 0;
  const end = lines.findIndex(({ text }, i) => i > 0 && /^(?:---|\.\.\.)\s*$/.test(text));
  return end < 0 ? 0 : end + 1;
}

/** The line that closes a fence, or the end of the text. */
function closingFence(lines: readonly Line[], from: number, fence: string): number {
  for (let i = from; i < lines.length; i++) {
    const text = lines[i].text.replace(/^[ \t>]*/, '').trimEnd();
    if (text.length >= fence.length && text[0] === fence[0] && isRun(text)) return i;
  }
  return lines.length;
}

const isRun = (text: string): boolean => /^(?:`+|~+)$/.test(text);

export function blockOf(lines: readonly Line[], language: string, line: number): CodeBlock {
  return { is: 'block', line, language: language.toLowerCase(), text: lines.map(({ text }) => text).join('\n') };
}

function headingAt(lines: readonly Line[], i: number): DocumentPart | null {
  const { text, number: line, start } = lines[i];
  const atx = ATX.exec(text);
  if (atx !== null) {
    const name = withoutMarks(atx[2].replace(/[ \t]+#+[ \t]*$/, ''));
    return { is: 'heading', line, level: atx[1].length, text: name, start, nameStart: start + text.indexOf(atx[2]) };
  }
  const under = UNDERLINE.exec(lines[i + 1]?.text ?? '');
  if (under === null || NO_PARAGRAPH.test(text) || (i > 0 && !isBlank(lines[i - 1].text))) return null;
  const level = under[1] === undefined ? 2 : 1;
  return { is: 'heading', line, level, text: withoutMarks(text), start, nameStart: start + indentOf(text) };
}

/** The text of a heading as a reader sees it: without images such as badges, unless there is nothing else. */
function withoutMarks(text: string): string {
  const whole = text.slice(0, MAX_SPAN);
  return plainText(whole.replace(IMAGE, '')) || plainText(whole.replace(IMAGE, '$1'));
}

const IMAGE = /!\[([^\][]*)\]\([^()]*\)/g;

const plainText = (text: string): string =>
  text
    .replace(/\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/\{#[^{}]*\}\s*$|<[^<>]*>/g, '')
    .replace(/[`*]/g, '')
    .trim();
