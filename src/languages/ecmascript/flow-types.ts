/** Flow's types: reads them token by token, and notes how TypeScript writes them in the same length. */
import { wordSet } from '../language.js';
import type { Blank } from '../roles/masks.js';

// Tokens

export const NAME = 1;
/** Strings, numbers, regular expressions, templates: what they hold has no types. */
export const LITERAL = 2;
export const SIGN = 3;

/** Behind these words an expression begins, so a bracket is none of a call, and a slash begins a regular expression. */
export const OPERATORS = wordSet(
  'return await typeof case yield in of delete void throw new instanceof else default do extends async as export',
);
const TOKEN = /[\p{L}\p{N}_$]+|=>|\{\||\|\}|\.\.\.|\?\.(?!\d)|\?\?|&&|\|\||=+|[^\s]/uy;
const REGEX = /\/(?![*/])(?:[^\\/\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+\/[a-z]*/y;
/** The part of a template up to the next expression or its end. */
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;

interface Tokens {
  kind: number[];
  start: number[];
  end: number[];
}

/** Tokens of a script, with none for white space and comments. An expression in a template stands between `${` and `}`. */
function tokensOf(text: string): Tokens {
  const tokens: Tokens = { kind: [], start: [], end: [] };
  const { kind, start, end } = tokens;
  const add = (what: number, from: number, to: number): number => {
    kind.push(what);
    start.push(from);
    end.push(to);
    return to;
  };
  /** Depth of braces in each open template. */
  const templates: number[] = [];
  const template = (from: number): number => {
    TEMPLATE.lastIndex = from;
    const match = TEMPLATE.exec(text);
    if (match === null) return text.length;
    const to = from + match[0].length;
    if (text[to - 1] === '`') return to;
    templates.push(0);
    add(SIGN, to - 2, to);
    return to;
  };
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (/\s/.test(char)) at++;
    else if (isComment(text, at)) at = commentEnd(text, at);
    else if (`"'`.includes(char)) at = add(LITERAL, at, stringEnd(text, at));
    else if (char === '`') {
      const from = at;
      at = template(at + 1);
      if (text[at - 1] === '`') add(LITERAL, from, at);
    } else if (char === '}' && templates.at(-1) === 0) {
      templates.pop();
      add(SIGN, at, at + 1);
      at = template(at + 1);
    } else if (char === '/' && text[at + 1] !== '>' && startsExpression(text, tokens)) {
      const length = regexLength(text, at);
      at = add(length === 0 ? SIGN : LITERAL, at, at + Math.max(1, length));
    } else {
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(text)?.[0] ?? char;
      if (templates.length > 0)
        templates[templates.length - 1] += Number(found[0] === '{') - Number(found.endsWith('}'));
      at = add(kindOfToken(found), at, at + found.length);
    }
  }
  return tokens;
}

function regexLength(text: string, at: number): number {
  REGEX.lastIndex = at;
  return REGEX.exec(text)?.[0].length ?? 0;
}

function isComment(text: string, at: number): boolean {
  return /^\/[/*]/.test(text.slice(at, at + 2)) && text[at - 1] !== ':';
}

function kindOfToken(token: string): number {
  if (!/[\p{L}\p{N}_$]/u.test(token)) return SIGN;
  return /^\d/.test(token) ? LITERAL : NAME;
}

function commentEnd(text: string, from: number): number {
  const close = text[from + 1] === '*' ? text.indexOf('*/', from + 2) + 1 : text.indexOf('\n', from);
  return close <= 0 ? text.length : close + 1;
}

/** The end of a string on its line; behind its quote if nothing closes it: the text of an element has such quotes. */
function stringEnd(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[from]) return at + 1;
    else if (text[at] === '\n') break;
  }
  return from + 1;
}

function startsExpression(text: string, { kind, start, end }: Tokens): boolean {
  const last = kind.length - 1;
  if (last < 0) return true;
  const word = text.slice(start[last], end[last]);
  if (kind[last] === SIGN) return !/^[)\]}<]$/.test(word);
  return kind[last] === NAME && OPERATORS.has(word);
}

/** By the index of an opening bracket the index of the one that closes it, 0 for none. */
function closersOf(text: string, { kind, start, end }: Tokens): Int32Array {
  const closers = new Int32Array(kind.length);
  const open: number[] = [];
  for (let i = 0; i < kind.length; i++) {
    if (kind[i] !== SIGN) continue;
    const word = text.slice(start[i], end[i]);
    if (/^\$?[([{]/.test(word)) open.push(i);
    else if (/[)\]}]$/.test(word)) closers[open.pop() ?? i] = i;
  }
  return closers;
}

// Types

const TYPE_WORDS = wordSet(
  'any number boolean string symbol unknown never object void null undefined bigint this true false',
);
/** Most tokens that are read to find out whether `<` begins a list of types, and deepest type. */
export const MAX_TRIED = 400;
const MAX_DEPTH = 60;
/** Signs of variance. */
const SIGNED = /^[+-]$/;

/** Reads types from any token on. Each function reads from `i` and returns the index behind what it has read. */
export class TypeReader {
  readonly blank: Blank[] = [];
  protected readonly tokens: Tokens;
  protected readonly count: number;
  private readonly closers: Int32Array;
  private depth = 0;
  /** No token from here on belongs to a type that is only tried. */
  private limit: number;

  constructor(protected readonly text: string) {
    this.tokens = tokensOf(text);
    this.count = this.tokens.kind.length;
    this.closers = closersOf(text, this.tokens);
    this.limit = this.count;
  }

  protected word(i: number): string {
    return i >= 0 && i < this.limit ? this.text.slice(this.tokens.start[i], this.tokens.end[i]) : '';
  }

  protected isName(i: number): boolean {
    return i >= 0 && i < this.limit && this.tokens.kind[i] === NAME;
  }

  /** Are two tokens on one line? */
  protected joined(i: number, j: number): boolean {
    return j < this.count && !this.text.slice(this.tokens.end[i], this.tokens.start[j]).includes('\n');
  }

  protected put(i: number, by = '', last = i): number {
    if (i < this.count && last >= i)
      this.blank.push([this.tokens.start[i], this.tokens.end[Math.min(last, this.count - 1)], by]);
    return last + 1;
  }

  /** Behind a token of that form, which is left out; else `i`. `beforeName`: it counts in front of a name alone. */
  private spared(i: number, form: RegExp, beforeName = false): number {
    return form.test(this.word(i)) && (!beforeName || this.isName(i + 1)) ? this.put(i) : i;
  }

  /** Behind the type that follows such a sign, else `i`. */
  private typeBehind(i: number, sign: string): number {
    return this.word(i) === sign ? this.type(i + 1, true) : i;
  }

  /** Behind the parameters and the result, or the type, of a member whose name has been read. */
  private signatureOrType(i: number): number {
    return /^[(<]$/.test(this.word(i)) ? this.signature(i) : this.typeBehind(i, ':');
  }

  /** Reads a type without writing, in few tokens. */
  protected tried(from: number, read: () => boolean): boolean {
    const { length } = this.blank;
    const before = this.limit;
    this.limit = Math.min(before, from + MAX_TRIED);
    const result = read();
    this.limit = before;
    this.blank.length = length;
    return result;
  }

  /** `%checks`, with what it checks in a declaration. */
  protected checks(i: number): number {
    if (this.word(i + 1) !== 'checks') return i + 1;
    const end = this.word(i + 2) === '(' ? this.closing(i + 2) : i + 1;
    return this.put(i, '', end);
  }

  /** Index of the bracket that closes the one at `i`, or of the last token. */
  protected closing(i: number): number {
    return this.closers[i] || this.count - 1;
  }

  protected renders(i: number): number {
    if (this.word(i) !== 'renders') return i;
    const end = this.type(i + (/^[?*]$/.test(this.word(i + 1)) ? 2 : 1), false);
    return this.put(i, '', Math.max(i, end - 1));
  }

  protected list(i: number): number {
    let at = this.type(i, true);
    while (this.word(at) === ',') at = this.type(at + 1, true);
    return at;
  }

  /** `hasArrows`: an arrow behind the type is part of it. */
  protected type(i: number, hasArrows: boolean): number {
    if (this.depth > MAX_DEPTH) return i;
    this.depth++;
    let at = /^[|&]$/.test(this.word(i)) ? i + 1 : i;
    const start = at;
    at = this.prefix(at, hasArrows);
    while (at > start && /^[|&]$/.test(this.word(at))) at = this.prefix(at + 1, hasArrows);
    if (at > start && this.word(at) === 'extends' && this.joined(at - 1, at)) at = this.conditional(at, hasArrows);
    if (at > start && hasArrows && this.word(at) === '=>') {
      this.put(at, ' |');
      at = this.type(at + 1, hasArrows);
    }
    this.depth--;
    return at;
  }

  /** `extends Cart ? A : B` */
  private conditional(i: number, hasArrows: boolean): number {
    const then = this.type(i + 1, false);
    if (this.word(then) !== '?') return i;
    const other = this.type(then + 1, true);
    return this.word(other) === ':' ? this.type(other + 1, hasArrows) : other;
  }

  private prefix(i: number, hasArrows: boolean): number {
    let at = i;
    while (/^\?\??$/.test(this.word(at)) || this.word(at) === 'renders' || this.word(at) === 'implies') {
      this.put(at);
      at++;
      if (this.word(at - 1) === 'renders' && /^[?*]$/.test(this.word(at))) at = this.put(at);
    }
    if (/^(?:keyof|readonly|infer)$/.test(this.word(at)) && this.isName(at + 1)) at++;
    const end = this.primary(at, hasArrows);
    return end === at ? i : this.indexed(end);
  }

  /** `[]`, `['key']`, `?.['key']` */
  private indexed(i: number): number {
    let at = i;
    for (;;) {
      if (this.word(at) === '?.' && this.word(at + 1) === '[') at = this.put(at);
      if (this.word(at) !== '[' || !this.joined(at - 1, at)) return at;
      const end = this.word(at + 1) === ']' ? at + 1 : this.type(at + 1, true);
      if (this.word(end) !== ']') return at;
      at = end + 1;
    }
  }

  private primary(i: number, hasArrows: boolean): number {
    const word = this.word(i);
    if (this.tokens.kind[i] === LITERAL) return i + 1;
    if (this.isName(i)) return this.path(i, word, hasArrows);
    switch (word) {
      case '*':
        return this.put(i, '_');
      case '-':
        return this.tokens.kind[i + 1] === LITERAL ? i + 2 : i;
      case '{':
      case '{|':
        return this.object(i, false);
      case '[':
        return this.tuple(i);
      case '<':
        return this.functionType(i);
      case '(':
        return this.group(i, hasArrows);
      default:
        return i;
    }
  }

  /** Types that begin with a word, by what stands behind it. */
  private readonly byWord = new Map<string, readonly [behind: RegExp, read: (i: number, hasArrows: boolean) => number]>(
    [
      ['interface', [/^\{/, (i) => this.object(this.put(i), false)]],
      ['component', [/^[(<]$/, (i) => this.componentType(i)]],
      ['hook', [/^[(<]$/, (i, hasArrows) => this.group(this.put(i), hasArrows)]],
      ['typeof', [/^\($|^(?!\d)[\p{L}\p{N}_$]/u, (i) => this.primary(i + 1, false)]],
      ['asserts', [/^(?!\d)[\p{L}\p{N}_$]/u, (i, hasArrows) => this.path(i + 1, this.word(i + 1), hasArrows)]],
    ],
  );

  private path(i: number, word: string, hasArrows: boolean): number {
    const next = this.word(i + 1);
    const [behind, read] = this.byWord.get(word) ?? [];
    if (read !== undefined && behind?.test(next)) return read(i, hasArrows);
    let at = i + 1;
    while (this.word(at) === '.' && this.isName(at + 1)) at += 2;
    if (this.word(at) === '<') at = this.parameters(at);
    // `value is Cart`
    if (at === i + 1 && next === 'is' && this.joined(i, i + 1)) return this.type(i + 2, hasArrows);
    return at;
  }

  private componentType(i: number): number {
    const open = this.word(i + 1) === '<' ? this.parameters(i + 1) : i + 1;
    let end = this.closing(open) + 1;
    if (this.word(end) === 'renders') end = this.type(end, false);
    return this.put(i, 'any', end - 1);
  }

  private tuple(i: number): number {
    let at = i + 1;
    while (at < this.limit && this.word(at) !== ']') {
      const start = at;
      if (this.word(at) === '...') at = this.word(at + 1) === ']' ? this.put(at) : at + 1;
      at = this.type(this.label(this.spared(at, SIGNED, true)), true);
      if (this.word(at) === ',') at++;
      else if (at === start) return at;
    }
    return Math.min(at + 1, this.limit);
  }

  /** Behind `name:` or `name?:`, else `i`. */
  private label(i: number): number {
    if (!this.isName(i)) return i;
    const colon = this.word(i + 1) === '?' ? i + 2 : i + 1;
    return this.word(colon) === ':' ? colon + 1 : i;
  }

  /** A type in brackets, or a function. */
  private group(i: number, hasArrows: boolean): number {
    const end = this.closing(i);
    if (hasArrows && this.word(end + 1) === '=>') return this.functionType(i);
    if (this.word(i + 1) === ')') return i;
    const inner = this.type(i + 1, true);
    return this.word(inner) === ')' ? inner + 1 : i;
  }

  /**
   * A function, from its type parameters or its brackets on. TypeScript's parameters need names: a function without them becomes a tuple
   * of its parameters, or its result, so that their types stay types.
   */
  private functionType(i: number): number {
    const open = this.word(i) === '<' ? this.parameters(i) : i;
    if (this.word(open) !== '(') return i;
    const { end, isNamed } = this.functionParameters(open, false);
    if (this.word(end) !== '=>') return end;
    if (!isNamed) {
      this.put(i, '', open - 1);
      this.put(open, '[');
      this.put(end - 1, ']');
      this.put(end, ' |');
    }
    return this.predicate(end + 1, isNamed);
  }

  /** A result; as part of a union it cannot say what a parameter is. */
  private predicate(i: number, isNamed: boolean): number {
    const at = this.word(i) === 'implies' ? this.put(i) : i;
    if (this.isName(at) && this.word(at + 1) === 'is' && !isNamed) return this.type(this.put(at, '', at + 1), true);
    return this.type(at, true);
  }

  /** `isSignature`: a parameter without a name becomes a name, instead of all being reported as unnamed. */
  private functionParameters(i: number, isSignature: boolean): { end: number; isNamed: boolean } {
    let at = i + 1;
    let isNamed = true;
    /** Names that a tuple cannot have: those of the rest and of `this`. */
    const names: [number, number][] = [];
    while (at < this.limit && this.word(at) !== ')') {
      const start = at;
      const isRest = this.word(at) === '...';
      const from = isRest ? at + 1 : at;
      const behind = this.label(from);
      at = this.type(behind, true);
      if (behind > from) {
        if (isRest || this.word(from) === 'this') names.push([from, behind - 1]);
      } else if (at !== from + 1 || !this.canBeParameter(from)) {
        isNamed = false;
        if (isSignature && at > from) this.put(from, '_', at - 1);
      }
      if (this.word(at) === ',') at++;
      else if (at === start || this.word(at) !== ')') break;
    }
    if (!isNamed && !isSignature) for (const [from, to] of names) this.put(from, '', to);
    const end = this.word(at) === ')' ? at + 1 : this.closing(i) + 1;
    return { end, isNamed };
  }

  /** Is a token a name that is no word for a type in TypeScript? */
  private canBeParameter(i: number): boolean {
    return this.isName(i) && !TYPE_WORDS.has(this.word(i));
  }

  /** Type parameters, parameters and result of a method or a declared function. */
  protected signature(i: number): number {
    const open = this.word(i) === '<' ? this.parameters(i) : i;
    if (this.word(open) !== '(') return open;
    return this.typeBehind(this.functionParameters(open, true).end, ':');
  }

  /** Type parameters or arguments, from `<` on. */
  protected parameters(i: number): number {
    if (this.depth > MAX_DEPTH) return i + 1;
    this.depth++;
    let at = i + 1;
    if (this.word(at) === '>') this.put(i, '', at);
    while (at < this.limit && this.word(at) !== '>') {
      const start = at;
      at = this.spared(at, SIGNED, true);
      while (/^(?:const|in|out)$/.test(this.word(at)) && this.isName(at + 1)) at = this.put(at);
      at = this.type(at, true);
      const isBound = this.word(at) === ':';
      at = this.typeBehind(at, 'extends');
      // A bound becomes the default, which has the same names.
      if (isBound) {
        this.put(at, '=');
        at = this.type(at + 1, true);
      }
      if (this.word(at) === '=') {
        const end = this.type(at + 1, true);
        if (isBound) this.put(at, '', end - 1);
        at = end;
      }
      if (this.word(at) === ',') at++;
      else if (at === start || this.word(at) !== '>') break;
    }
    this.depth--;
    return this.word(at) === '>' ? at + 1 : at;
  }

  /** An object, from its brace on. */
  protected object(i: number, isClass: boolean): number {
    if (this.depth > MAX_DEPTH) return i;
    this.depth++;
    if (this.word(i) === '{|') this.put(i, '{ ');
    let at = i + 1;
    while (at < this.limit && !/^\|?\}$/.test(this.word(at))) {
      if (/^[)\]]$/.test(this.word(at))) break;
      const end = this.member(at);
      // A class has no signatures without a name.
      if (isClass && /^[(<]$/.test(this.word(at)) && end > at) this.put(at, '', end - 1);
      at = Math.max(end, at + 1);
      if (isClass && this.word(at) === ',') this.put(at, ';');
    }
    if (this.word(at) === '|}') this.put(at, ' }');
    this.depth--;
    return Math.min(at + 1, this.limit);
  }

  private member(i: number): number {
    let at = i;
    if (this.word(at) === '...') return this.spread(at);
    while (/^(?:static|proto|declare)$/.test(this.word(at)) && !/^[:(?<,]$/.test(this.word(at + 1)))
      at = this.word(at) === 'static' ? at + 1 : this.put(at);
    at = this.spared(at, SIGNED);
    if (this.word(at) === '[') return this.indexer(at);
    if (/^[(<]$/.test(this.word(at))) return this.signature(at);
    if (this.word(at) === '@' && this.word(at + 1) === '@') {
      this.blank.push([this.tokens.start[at], this.tokens.end[at + 1], '__']);
      at += 2;
    }
    if (/^(?:get|set)$/.test(this.word(at)) && this.isName(at + 1)) at++;
    if (!this.isName(at) && this.tokens.kind[at] !== LITERAL) return at;
    at++;
    return this.signatureOrType(this.word(at) === '?' ? at + 1 : at);
  }

  /** `...Cart` becomes what can be called with that result, which has no name. */
  private spread(i: number): number {
    if (/^(?:,|;|\|?\})$/.test(this.word(i + 1))) return this.put(i, '', /^[,;]$/.test(this.word(i + 1)) ? i + 1 : i);
    this.put(i, '():');
    return this.type(i + 1, true);
  }

  /** `[key: Id]: Cart`, `[Id]: Cart`, `[Key in Keys]: Cart`; without a name a parameter of what can be called. */
  private indexer(i: number): number {
    const named = this.label(i + 1);
    const isMapped = this.isName(i + 1) && this.word(i + 2) === 'in';
    let at = this.type(isMapped ? i + 3 : named, true);
    if (this.word(at) !== ']') return at;
    const isPlain = at === i + 2 && this.canBeParameter(i + 1);
    if (!isMapped && named === i + 1 && /^\??:?$/.test(this.word(at + 1)) && this.tokens.kind[i + 1] !== LITERAL) {
      this.put(i, '(');
      this.put(at, ')');
      if (!isPlain) this.put(i + 1, '_', at - 1);
    }
    at++;
    if (/^[+-]$/.test(this.word(at)) && this.word(at + 1) === '?') at++;
    if (this.word(at) === '?') at = isMapped ? at + 1 : this.put(at);
    return this.signatureOrType(at);
  }
}
