/** Parts of a text that a grammar could not read, and whether they may hold definitions that were not found. */
import type { DefinitionRules } from '../languages/roles/definitions.js';
import type { LexicalConventions } from '../languages/roles/relations.js';
import { skipOpaque } from '../languages/roles/scan.js';
import type { SourceText } from './content.js';
import { type Draft, TYPE_KINDS } from './draft.js';
import type { ParseError, SymbolKind } from './facts.js';
import type { SyntaxTree } from './syntax-tree.js';

/** Most regions of a record; the last one reaches to the last error. */
const MAX_PARSE_ERRORS = 100;
/** Characters of a part that are looked at. */
const MAX_PART_LENGTH = 2_000;
/**
 * A keyword that begins a declaration, and the name right behind it, if there is one. Two uses of such keywords are left out: a type of C
 * (`struct cart *`), and a re-export (`export type *`).
 */
const DECLARES =
  /(?<![\p{L}\w$.])(?:(?:struct|union|enum)(?=[ \t]+[\p{L}_$][\p{L}\w$]*\s*(?:[{:<(]|$))|class|interface|trait|protocol|extension|impl|object|mixin|record|module|namespace|package|type(?![ \t]*\*)|typealias|typedef|func|fun|fn|function|def|defp|sub|procedure|macro|FUNCTION|PROCEDURE|TRIGGER|TABLE|VIEW|TYPE|PACKAGE)(?![\p{L}\w$])(?:[ \t]+([\p{L}_$][\p{L}\w$]*))?/gu;
/** A type and a name. */
const TYPED = /(?<![\p{L}\w$])[\p{L}_$][\p{L}\w$]*[\s*&>\]?]+[\p{L}_$]/u;
const VALUE = /(?<![\p{L}\w$.])(?:val|var|let|const)[ \t]+[\p{L}_$]/u;
/** Text between the start of a line and the keyword of a declaration. */
const MODIFIERS = /^[\p{L}\w@ \t]*$/u;
const MAX_MODIFIERS = 200;
const WORD = /[\p{L}_$]/u;
/** Characters that end a piece: text that holds one declaration at most, as far as an error leaves it whole. */
const SEPARATORS = ';{}\n';
/** Characters before and behind a part that are read to find the ends of its piece. */
const MAX_AROUND = 200;
/** Comments, and a line that is but an annotation. */
const ASIDE = /\/\/.*|\/\*.*?\*\/|^\s*[#*].*|\s#.*|^\s*@[\w.]+\s*(?:\([^()]*\)\s*)?$/g;
/** Statements that declare nothing, whatever stands in them. */
const STATEMENT =
  /^\s*(?:\.|[\p{L}\w$]+\.[\p{L}\w$.]+\s*[(=]|(?:import|using|package|library|part|include|require|use|return|await|if|else|for|while|do|switch|break|continue|try|catch|throw|goto|end)(?![\p{L}\w]))/u;
/** A definition of such a name is a keyword that was taken for one: `class class Cart`. */
const KEYWORD_AS_NAME =
  /^(?:class|interface|trait|struct|enum|union|impl|namespace|func|fun|fn|function|def|typedef|typealias|extension|protocol|record|object|mixin)$/;
/** A value that begins a line: `cart = …`. */
const ASSIGNED = /^[\p{L}_$][\p{L}\w$]*\s*=(?!=)/u;
/** A macro in the body of a type, with its arguments or the first of their lines. */
const MACRO = /^\s*[A-Z][A-Z\d_]{2,}\s*(?:\([^{}]*)?$/;
/** A line for the preprocessor. */
const DIRECTIVE = /^#.*/gm;
/** Definitions in whose bodies others of the file are declared. */
const HOLDERS: ReadonlySet<SymbolKind> = new Set([...TYPE_KINDS, 'module', 'namespace', 'type']);

export interface UnreadPart {
  start: number;
  end: number;
  /** May it hold definitions that were not found? */
  lost: boolean;
}

/** `drafts` are in document order. Only code declares: an error in a page or a table hides nothing. */
export function unreadParts(
  tree: SyntaxTree,
  drafts: readonly Draft[],
  rules: DefinitionRules,
  isCode: boolean,
): UnreadPart[] {
  const parts = tree.unread(rules.comments);
  if (parts.length === 0 || !isCode) return parts.map((part) => ({ ...part, lost: false }));
  const named = drafts.filter(({ name }) => !KEYWORD_AS_NAME.test(name));
  const names = new Set(named.map(({ nameStart }) => nameStart));
  const isFound = (at: number) => names.has(at);
  const holderAt = enclosingOf(named);
  const judged = parts.flatMap(({ start, end, repaired }) => {
    const text = tree.text.slice(start, Math.min(end, start + MAX_PART_LENGTH));
    const surroundings = { inside: holderAt(start), rules, isFound };
    const lost =
      (!repaired && mayDeclare(text, start, surroundings)) ||
      isNameless(tree.text, start, start + text.length, surroundings);
    // A repair that lost nothing leaves nothing unread.
    return repaired && !lost ? [] : [{ start, end, lost }];
  });
  const begun = tree.errors().flatMap((error) => begunIn(tree.text.slice(error.start, error.end), error.start));
  // Another one: the offsets begin anew.
  const holderOfBegun = enclosingOf(named);
  for (const { start, end, nameStart } of begun)
    if (!isFound(nameStart) && isHolder(holderOfBegun(start))) judged.push({ start, end, lost: true });
  return judged.sort((a, b) => a.start - b.start);
}

/** Returns the innermost draft around offsets, which are asked for in ascending order. */
function enclosingOf(drafts: readonly Draft[]): (at: number) => Draft | undefined {
  const open: Draft[] = [];
  let next = 0;
  return (at) => {
    for (; next < drafts.length && drafts[next].start <= at; next++) open.push(drafts[next]);
    while (open.length > 0 && (open.at(-1) as Draft).end <= at) open.pop();
    return open.at(-1);
  };
}

/** Can definitions of the file be declared in this draft? Undefined is the top level, where they can. */
const isHolder = (draft: Draft | undefined): boolean => draft === undefined || HOLDERS.has(draft.kind);

/** May tokens that were not read, and begin at `start`, declare something? */
function mayDeclare(text: string, start: number, { inside, rules, isFound }: Surroundings): boolean {
  const isOpen = isHolder(inside);
  // In languages whose declarations begin with a type, a keyword in a function is part of one: `struct cart *`.
  if (!isOpen && rules.typed) return false;
  const declared = [...text.matchAll(DECLARES)];
  const isLost = ({ index, 0: whole, 1: name }: RegExpExecArray) =>
    name === undefined ? isOpen : !isFound(start + index + whole.length - name.length);
  if (declared.some(isLost)) return true;
  if (!isOpen) return false;
  // Words in the head of a definition that was found are no type and name.
  const isTyped = declared.length === 0 && (inside === undefined ? rules.typed === true : start >= inside.signatureEnd);
  if (isTyped && TYPED.test(text.replace(DIRECTIVE, ''))) return true;
  return VALUE.test(text) || (inside?.kind === 'enum' && WORD.test(text));
}

interface Surroundings {
  /** The innermost draft around the part; undefined at top level. */
  inside: Draft | undefined;
  rules: DefinitionRules;
  /** Does the name of a definition that was found begin at the offset? */
  isFound: (at: number) => boolean;
}

/** Does a piece of text that the part touches declare something, while no name of a definition that was found stands in it? */
function isNameless(text: string, start: number, end: number, { inside, rules, isFound }: Surroundings): boolean {
  if (!isHolder(inside) || (inside !== undefined && start < inside.signatureEnd)) return false;
  const separators = inside?.kind === 'enum' ? `${SEPARATORS},` : SEPARATORS;
  let from = start;
  while (from > Math.max(0, start - MAX_AROUND) && !separators.includes(text[from - 1])) from--;
  let isNamed = false;
  for (let at = from; at < text.length; at++) {
    isNamed ||= isFound(at);
    const isOver = at >= end + MAX_AROUND;
    if (!isOver && at + 1 < text.length && !separators.includes(text[at])) continue;
    const piece = text.slice(from, at + 1);
    if (!isNamed && declaresIn(piece, inside, rules)) return true;
    if (at >= end) return false;
    from = at + 1;
    isNamed = false;
  }
  return false;
}

function declaresIn(piece: string, inside: Draft | undefined, rules: DefinitionRules): boolean {
  const code = piece.replace(ASIDE, '');
  if (!WORD.test(code) || STATEMENT.test(code)) return false;
  if (rules.macros && inside?.kind !== 'enum' && isMacro(code, inside)) return false;
  if (inside !== undefined || rules.typed === true) return true;
  // Elsewhere statements stand beside declarations, and those in a block belong to it.
  if (/^\s/.test(code)) return false;
  return ASSIGNED.test(code) || VALUE.test(code) || code.search(DECLARES) >= 0;
}

/** Is it a macro's call? At top level a declaration has a type before its name, and `G_DEFINE_TYPE (Cart, shop_cart, OBJECT)` has none. */
const isMacro = (code: string, inside: Draft | undefined): boolean =>
  inside === undefined ? !TYPED.test(code) : MACRO.test(code);

/** Declarations that begin a line of an error at `start`: their keyword may have been read as a name. `nameStart`: where theirs stands. */
function begunIn(text: string, start: number): { start: number; end: number; nameStart: number }[] {
  return [...text.matchAll(DECLARES)].flatMap(({ index, 0: whole, 1: name }) => {
    const before = text.slice(Math.max(0, index - MAX_MODIFIERS), index);
    const isFirst = name !== undefined && MODIFIERS.test(before.slice(before.lastIndexOf('\n') + 1));
    const end = index + whole.length;
    return isFirst ? [{ start: start + index, end: start + end, nameStart: start + end - name.length }] : [];
  });
}

/** Neighbouring parts become one region. */
export function toParseErrors(parts: readonly UnreadPart[], { toByte, lineOf }: SourceText): ParseError[] {
  const errors: ParseError[] = [];
  for (const { start, end, lost } of parts) {
    const startLine = lineOf(toByte(start));
    const endLine = lineOf(Math.max(toByte(start), toByte(end) - 1));
    const last = errors.at(-1);
    const isNear = last !== undefined && (startLine <= last.endLine + 1 || errors.length === MAX_PARSE_ERRORS);
    if (last === undefined || !isNear) errors.push({ startLine, endLine, lost });
    else Object.assign(last, { endLine: Math.max(last.endLine, endLine), lost: last.lost || lost });
  }
  return errors;
}

/** UTF-16 units of a text of which samples are looked at first, and of a sample. */
const MIN_SAMPLED = 128_000;
const SAMPLE = 8_000;

/**
 * Is every third line of a large text wrong, at its beginning and further on, whatever is repaired? A grammar takes ten times as long for it
 * as for code.
 */
export function isHopeless(
  text: string,
  lexical: LexicalConventions | undefined,
  read: (sample: string) => SyntaxTree | undefined,
): boolean {
  if (text.length < MIN_SAMPLED) return false;
  // Only the beginning is known to be code: another place may be within a comment or a string.
  const end = codeEnd(text, lexical);
  // A long comment or string is no reason to parse most of a text twice.
  if (end >= MIN_SAMPLED || read(text.slice(0, end))?.isHopeless() !== true) return false;
  const [first] = text.split('\n', 1);
  return [text.length >> 1, text.length - SAMPLE].some((place) => {
    const at = text.indexOf('\n', place) + 1;
    // The first line may say how the others are to be read.
    return read(`${first}\n${text.slice(at, at + SAMPLE)}`)?.isHopeless() === true;
  });
}

/** End of the first sample, outside of comments and strings. */
function codeEnd(text: string, lexical: LexicalConventions | undefined): number {
  let at = 0;
  while (at < SAMPLE) {
    const quotes = text.slice(at, at + 3);
    const close = quotes === '"""' || quotes === "'''" ? text.indexOf(quotes, at + 3) : -1;
    if (close >= 0) at = close + 3;
    else at = lexical === undefined ? at + 1 : Math.max(at + 1, skipOpaque(text, at, text.length, lexical));
  }
  return at;
}
