/**
 * Reads reStructuredText as docutils and Sphinx write it: headings by their underlines, literals, roles that refer to code, directives
 * that document or show code, and links. See the docutils specification, "Sections", "Inline markup" and "Literal blocks".
 */
import { type DocumentPart, MAX_SPAN } from '../roles/documents.js';
import { indentOf, isBlank, type Line, linesOf, linksIn } from './lines.js';
import { blockOf } from './markdown.js';

const RULE = /^([!-/:-@[-`{-~])\1+\s*$/;
const DIRECTIVE = /^\s*\.\. ([\w:+-]{1,40})::\s*(.*)$/;
const CODE_DIRECTIVE = /^(?:code|code-block|sourcecode|testcode|doctest|parsed-literal)$/;
/** Directives that describe a definition, which they name: `autoclass`, `py:method`. */
const DEFINING =
  /^(?:py:|js:|c:|cpp:|rb:)?(?:auto)?(?:class|function|method|attribute|exception|data|module|property|decorator|classmethod|staticmethod)$/;
const MODULE = /^(?:py:)?(?:current)?module$/;
/** Roles that refer to code, and those that set words as code. */
const REFERRING =
  /^(?:[a-z]+:)?(?:class|func|meth|attr|exc|mod|obj|data|const|decorator|function|method|property|struct|type|enum|member|macro)$/;
const LITERAL = /^(?:code|file|source|literal)$/;
const INLINE = /(?::([\w:+-]{1,40}):)?(`{1,2})(?!`)([^`\n]{1,300}?)\2(?!`)(_{0,2})/g;
const LINKS = [/<(https?:[^\s<>]{1,300})>/g, /^\s*\.\. _[^:\n]{1,200}: (\S{1,300})/g];

interface State {
  parts: DocumentPart[];
  /** Kinds of underlines in the order of their levels. */
  rules: string[];
  /** Module that names of directives and roles are in. */
  module: string;
  /** Class whose members nested directives describe, with the indent of its directive. */
  owner: { name: string; indent: number } | null;
  /** Language of literal blocks that name none: Python, as Sphinx has it, until a document says otherwise. */
  language: string;
}

export function readRst(text: string): DocumentPart[] {
  const lines = linesOf(text);
  const state: State = { parts: [], rules: [], module: '', owner: null, language: 'python' };
  for (let i = 0; i < lines.length; i++) {
    const skipped = directiveAt(lines, i, state);
    if (skipped !== null) {
      i = skipped;
      continue;
    }
    readHeading(lines, i, state);
    readInline(lines[i], state);
    if (/::\s*$/.test(lines[i].text)) i = literalBlock(lines, i, { language: state.language, state });
  }
  return state.parts;
}

/** Number of the last line that was read; null where no directive that matters begins. */
function directiveAt(lines: readonly Line[], i: number, state: State): number | null {
  const match = DIRECTIVE.exec(lines[i].text.slice(0, MAX_SPAN));
  if (match === null) return null;
  const [, name, given] = match;
  const line = lines[i].number;
  if (state.owner !== null && indentOf(lines[i].text) <= state.owner.indent) state.owner = null;
  if (CODE_DIRECTIVE.test(name)) return literalBlock(lines, i, { language: given.trim(), state });
  if (name === 'highlight') state.language = given.trim();
  if (MODULE.test(name)) state.module = given.trim();
  if (name === 'literalinclude' || name === 'include') state.parts.push({ is: 'link', line, target: given.trim() });
  if (DEFINING.test(name)) {
    const defined = given.replace(/\(.*$/, '').trim();
    const owner = state.owner === null || defined.includes('.') ? [] : [state.owner.name];
    const scope = defined.startsWith(`${state.module}.`) || state.module === '' ? [] : [state.module];
    const named = [...scope, ...owner, defined].join('.');
    const isDescribed = !name.includes('auto');
    if (!MODULE.test(name) && defined !== '')
      state.parts.push({ is: 'code', line, text: named, isReference: true, ...(isDescribed && { isDescribed }) });
    if (/class|exception/.test(name)) state.owner = { name: defined, indent: indentOf(lines[i].text) };
  }
  return i;
}

/** Reads the indented lines below, and gives the number of the last one. */
function literalBlock(
  lines: readonly Line[],
  i: number,
  { language, state }: { language: string; state: State },
): number {
  const base = indentOf(lines[i].text);
  let end = i + 1;
  for (let at = i + 1; at < lines.length && (isBlank(lines[at].text) || indentOf(lines[at].text) > base); at++)
    if (!isBlank(lines[at].text)) end = at + 1;
  const body = lines.slice(i + 1, end);
  // Options of the directive come first, up to a blank line.
  let first = 0;
  while (first < body.length && (isBlank(body[first].text) || /^\s*:[\w-]+:/.test(body[first].text))) first++;
  if (first < body.length) state.parts.push(blockOf(body.slice(first), language, body[first].number));
  return end - 1;
}

/** A title has a rule below, as long as it is, and may have the same above. */
function readHeading(lines: readonly Line[], i: number, { parts, rules }: State): void {
  const { text, number: line, start } = lines[i];
  const below = RULE.exec(lines[i + 1]?.text ?? '');
  if (below === null || isBlank(text) || RULE.test(text) || lines[i + 1].text.trim().length < text.trim().length)
    return;
  const above = RULE.exec(lines[i - 1]?.text ?? '');
  const hasAbove = above?.[1] === below[1];
  if (!hasAbove && (indentOf(text) > 0 || (i > 0 && !isBlank(lines[i - 1].text)))) return;
  const rule = `${hasAbove ? 'over' : ''}${below[1]}`;
  if (!rules.includes(rule)) rules.push(rule);
  const name = text.slice(0, MAX_SPAN).replace(INLINE, '$3').trim();
  const nameStart = start + indentOf(text);
  const first = hasAbove ? lines[i - 1].start : start;
  parts.push({ is: 'heading', line, level: rules.indexOf(rule) + 1, text: name, start: first, nameStart });
}

function readInline(line: Line, { parts, module }: State): void {
  for (const [, role = '', ticks, text, link] of line.text.slice(0, MAX_LINE).matchAll(INLINE)) {
    if (role === 'doc' || link !== '') continue;
    if (REFERRING.test(role)) {
      const name = targetOf(text);
      const scope = name.includes('.') || module === '' ? [] : [module];
      parts.push({ is: 'code', line: line.number, text: [...scope, name].join('.'), isReference: true });
    } else if ((role === '' && ticks.length === 2) || LITERAL.test(role))
      parts.push({ is: 'code', line: line.number, text: targetOf(text) });
  }
  parts.push(...linksIn(line, LINKS));
}

const MAX_LINE = 5_000;

/** `~flask.Flask.route`, `the route <flask.Flask.route>`, `!name`. */
function targetOf(text: string): string {
  const shown = /<([^<>]{1,200})>$/.exec(text)?.[1] ?? text;
  return shown.replace(/^[~!.]+/, '').trim();
}
