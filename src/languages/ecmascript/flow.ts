/**
 * JavaScript with Flow's types, written as TypeScript writes them: a text of the same length, in which every token but Flow's own stands
 * where it stood. The tree of that text has the definitions, and the types that both languages share as uses.
 */
import { wordSet } from '../language.js';
import { blanked } from '../roles/masks.js';
import { LITERAL, MAX_TRIED, NAME, OPERATORS, TypeReader } from './flow-types.js';

/** `@flow` in a comment at the beginning of a file. */
export const FLOW_PRAGMA = /^[\s\S]{0,2000}?@flow\b/;

/** The text of a file with Flow types as TypeScript, of the same length. Linear in the text. */
export function flowAsTypescript(text: string): string {
  const { blank } = new ScriptReader(text);
  // Of two ranges that begin together the longer one counts.
  blank.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  return blank.length === 0 ? text : blanked(text, blank);
}

// Scopes of a script: where a colon comes before a type

interface Scope {
  open: string;
  /** Conditional expressions and cases whose colon is still to come. */
  pending: number;
  /** Behind `const`, before `=`: a colon comes before a type. */
  declares: boolean;
  isDeclaration: boolean;
  /** Behind `class`, before its body. */
  isHead: boolean;
  isClass: boolean;
  /** Brackets behind a name: parameters or arguments. */
  isNamed: boolean;
  isComponent: boolean;
  /** The type behind the first colon in brackets. */
  typeFrom: number;
  typeTo: number;
}

const STATEMENTS = wordSet('const let var function return if for while export import throw switch try class');
const DECLARED = wordSet('var let const function class module export type opaque interface enum component hook async');

class ScriptReader extends TypeReader {
  private readonly scopes: Scope[] = [];
  /** The bracket behind type parameters of a function without a name. */
  private parametersAt = -1;

  constructor(text: string) {
    super(text);
    this.open('', false);
    for (let i = 0; i < this.count; ) i = Math.max(i + 1, this.statement(i));
  }

  private get scope(): Scope {
    return this.scopes[this.scopes.length - 1];
  }

  private open(open: string, isNamed: boolean): void {
    const isClass = open === '{' && this.scope.isHead;
    if (isClass) this.scope.isHead = false;
    this.scopes.push({
      ...{ open, pending: 0, declares: false, isDeclaration: false, isHead: false, isClass, isNamed },
      ...{ isComponent: false, typeFrom: -1, typeTo: -1 },
    });
  }

  /** Reads one token of a script, or all of a type or a declaration; returns the index behind it. */
  private statement(i: number): number {
    const word = this.word(i);
    if (this.tokens.kind[i] === LITERAL) return i + 1;
    if (this.tokens.kind[i] === NAME) return this.named(i, word);
    return this.signs.get(word)?.(i, word) ?? i + 1;
  }

  /** Readers of signs, by the sign. Each returns the index behind what it reads, or nothing for one token. */
  private readonly signs = new Map<string, (i: number, word: string) => number | undefined>([
    ...['(', '[', '{', '{|', '${'].map((open) => [open, this.opening.bind(this)] as const),
    ...[')', ']', '}'].map((close) => [close, this.close.bind(this)] as const),
    [';', () => void Object.assign(this.scope, { pending: 0, declares: false, isDeclaration: false })],
    [',', () => void Object.assign(this.scope, { declares: this.scope.isDeclaration })],
    ['=', () => void Object.assign(this.scope, { declares: false })],
    ['?', (i) => this.awaitColon(!/^[:,)=]$/.test(this.word(i + 1)))],
    [':', this.colon.bind(this)],
    ['<', this.angle.bind(this)],
    ['+', this.variance.bind(this)],
    ['-', this.variance.bind(this)],
    ['%', (i) => (this.isChecks(i) ? this.checks(i) : undefined)],
  ]);

  private awaitColon(awaits: boolean): undefined {
    if (awaits) this.scope.pending++;
  }

  private opening(i: number, word: string): undefined {
    this.open(word[0], word === '(' && i !== this.parametersAt && this.isCalled(i - 1));
  }

  /** `+total: number` of a class, which others may only read. */
  private variance(i: number): undefined {
    const name = this.word(i + 1) === '#' ? i + 2 : i + 1;
    if (this.scope.isClass && this.isName(name) && /^[:?]$/.test(this.word(name + 1))) this.put(i);
  }

  private isChecks(i: number): boolean {
    return this.word(i + 1) === 'checks' && /^[;{(]$|^=>$|^$/.test(this.word(i + 2));
  }

  /** Does the token before a bracket name what is called or declared? */
  private isCalled(i: number): boolean {
    const word = this.word(i);
    return this.isName(i) ? !OPERATORS.has(word) || this.word(i - 1) === '.' : /^[\])>]$/.test(word);
  }

  /** Place of the scope that a bracket ends, 0 if there is none: a brace ends all in it, another bracket nothing beyond a brace. */
  private ended(word: string): number {
    const opening = word === ')' ? '(' : '[';
    let depth = this.scopes.length - 1;
    const isBrace = (): boolean => /[{$]/.test(this.scopes[depth].open);
    while (depth > 0 && !isBrace() && (word === '}' || this.scopes[depth].open !== opening)) depth--;
    return isBrace() === (word === '}') ? depth : 0;
  }

  private close(i: number, word: string): number {
    const depth = this.ended(word);
    if (depth === 0) return i + 1;
    const closed = this.scopes[depth];
    this.scopes.length = depth;
    if (word !== ')') return i + 1;
    if (closed.isComponent) return this.renders(i + 1);
    const isArrow = !closed.isNamed && this.isArrow(i);
    if (closed.typeFrom !== -1 && closed.typeTo === i && !closed.isNamed && !isArrow)
      this.put(closed.typeFrom, '', i - 1);
    if (this.word(i + 1) !== ':' || this.scope.pending > 0) return i + 1;
    // `((cart: any): Cart)`: the type belongs to the brackets around.
    return this.scope.open === '(' && !isArrow ? i + 1 : this.result(i + 1, closed.isNamed);
  }

  /** Does an arrow follow the brackets that close at `i`, perhaps behind a type? */
  private isArrow(i: number): boolean {
    if (this.word(i + 1) === '=>') return true;
    if (this.word(i + 1) !== ':') return false;
    return this.tried(i, () => {
      const end = this.type(i + 2, false);
      return end > i + 2 && (this.word(end) === '=>' || this.word(end) === '%');
    });
  }

  private result(colon: number, isNamed: boolean): number {
    const end = this.type(colon + 1, isNamed);
    return this.word(end) === '%' ? this.checks(end) : Math.max(end, colon + 1);
  }

  private colon(i: number): number {
    const { scope } = this;
    if (scope.pending > 0) {
      scope.pending--;
      return i + 1;
    }
    const isType = scope.open === '(' || scope.isClass || scope.declares;
    if (!isType) return i + 1;
    const end = this.type(i + 1, true);
    // `for (const cart: Cart of carts)`
    if (scope.open === '(' && scope.declares) this.put(i, '', end - 1);
    if (scope.open === '(' && scope.typeFrom === -1) Object.assign(scope, { typeFrom: i, typeTo: end });
    return this.word(end) === '%' ? this.checks(end) : end;
  }

  /** `<`: types of a class or a function, or of what is called. */
  private angle(i: number): number {
    if (this.scope.isHead || this.word(i - 1) === 'function' || this.word(i - 2) === 'function')
      return this.parameters(i);
    const isValue = this.isCalled(i - 1);
    if (isValue && !this.isName(i - 1)) return i + 1;
    let end = i;
    const fits = this.tried(i, () => {
      end = this.parameters(i);
      return end > i + 1 && this.word(end - 1) === '>' && this.word(end) === '(';
    });
    if (!fits) return i + 1;
    if (isValue) return this.parameters(i);
    // `<T>(cart: T) => …`, which is an element to the grammar.
    const close = this.closing(end);
    if (!/^(?:=>|:)$/.test(this.word(close + 1))) return i + 1;
    this.parametersAt = end;
    return this.put(i, '', end - 1);
  }

  private named(i: number, word: string): number {
    const before = this.word(i - 1);
    if (before === '.' || before === '?.') return i + 1;
    const next = this.word(i + 1);
    // A statement at the start of a line ends what seems to be open before it.
    if (STATEMENTS.has(word) && /^\n?$/.test(this.text[this.tokens.start[i] - 1] ?? '')) this.scopes.length = 1;
    const { scope } = this;
    if (STATEMENTS.has(word) && scope.open !== '(' && !/^[:(,]$/.test(next)) scope.pending = 0;
    return this.words.get(word)?.(i, next) ?? i + 1;
  }

  /** Readers of words that begin something. Each returns the index behind what it reads, or nothing for one token. */
  private readonly words = new Map<string, (i: number, next: string) => number | undefined>([
    ['import', this.imported.bind(this)],
    ...['const', 'let', 'var'].map((word) => [word, this.variable.bind(this)] as const),
    ['case', (_, next) => this.awaitColon(!/^[:,=]$/.test(next) && !this.scope.isClass)],
    ['default', (_, next) => this.awaitColon(next === ':' && !this.scope.isClass)],
    ['class', this.head.bind(this)],
    ['declare', (i, next) => (this.isDeclared(i, next) ? this.declared(i) : undefined)],
    ['opaque', this.opaque.bind(this)],
    ['type', this.aliased.bind(this)],
    ['interface', (i) => (this.isNamed(i, /^(?:[<{]|extends)$/) ? this.shape(i + 1, false) : undefined)],
    ['implements', (i) => (this.scope.isHead ? this.list(i + 1) : undefined)],
    ['enum', (i) => (this.isNamed(i, /^(?:\{|of)$/) ? this.enumeration(i) : undefined)],
    ...['component', 'hook'].map(
      (word) => [word, (i: number) => (this.isNamed(i, /^[(<]$/) ? this.component(i, word) : undefined)] as const,
    ),
    ['as', this.cast.bind(this)],
  ]);

  /** Do a name and then a token of a form follow? */
  private isNamed(i: number, behind: RegExp): boolean {
    return this.isName(i + 1) && behind.test(this.word(i + 2));
  }

  private head(i: number, next: string): undefined {
    if (this.isName(i + 1) || next === '{' || next === '<') this.scope.isHead = true;
  }

  private isDeclared(i: number, next: string): boolean {
    return this.isName(i + 1) && this.joined(i, i + 1) && DECLARED.has(next);
  }

  private variable(_: number, next: string): undefined {
    if (!/^[:=(,]$/.test(next)) Object.assign(this.scope, { declares: true, isDeclaration: true });
  }

  private opaque(i: number, next: string): number | undefined {
    if (next !== 'type' || !this.isName(i + 2)) return undefined;
    this.put(i);
    return this.alias(i + 1);
  }

  private aliased(i: number, next: string): number | undefined {
    // `export type * from …`
    if (this.word(i - 1) === 'export' && next === '*') this.put(i);
    return this.isNamed(i, /^[=<]$/) ? this.alias(i) : undefined;
  }

  private cast(i: number, next: string): number | undefined {
    if (this.scope.isComponent) return this.put(i - 1, '', i);
    const isCast = this.joined(i - 1, i) && next !== 'const' && !/^[=,;)]$/.test(next);
    return isCast ? Math.max(i + 1, this.type(i + 1, true)) : undefined;
  }

  /** `import typeof Cart from …`, `import {typeof Cart} from …` */
  private imported(i: number): number {
    let at = i + 1;
    for (; at < this.count && at < i + MAX_TRIED; at++) {
      const word = this.word(at);
      if (word === 'typeof' && this.isName(at)) this.put(at, 'type');
      if (word === 'from' || word === ';' || word === '(' || this.tokens.kind[at] === LITERAL) break;
    }
    return i + 1;
  }

  /** `declare export …`, `declare export default Cart` */
  private declaredExport(i: number): number {
    this.put(i);
    const last = this.word(i + 2) === 'default' ? i + 2 : i + 1;
    const next = this.word(last + 1);
    if (last === i + 2 && !/^(?:class|function|component|hook)$/.test(next)) return this.type(last + 1, true);
    return /^(?:class|function|opaque)$/.test(next) ? this.declared(last) : last + 1;
  }

  /** `declare …` */
  private declared(i: number): number {
    const word = this.word(i + 1);
    if (word === 'export') return this.declaredExport(i);
    if (word === 'module' && this.word(i + 2) === '.') {
      this.put(i, 'type');
      this.put(i + 2, '_');
      if (this.word(i + 4) === ':') this.put(i + 4, '=');
      return this.type(i + 5, true);
    }
    if (word === 'class' && this.isName(i + 2)) return this.shape(i + 2, true);
    if (word === 'function' && this.isName(i + 2)) {
      const end = this.signature(i + 3);
      return this.word(end) === '%' ? this.checks(end) : end;
    }
    if (word === 'opaque') {
      const end = this.alias(i + 2);
      // An alias needs a type: without one it becomes a variable.
      this.put(i + 1, this.word(end) === ';' && end === i + 4 ? 'var' : '');
      if (end === i + 4) this.put(i + 2);
      return end;
    }
    return i + 1;
  }

  /** `type Name<T>: Bound = …`, with `i` at `type`. */
  private alias(i: number): number {
    let at = this.word(i + 2) === '<' ? this.parameters(i + 2) : i + 2;
    if (this.word(at) === ':') {
      const end = this.type(at + 1, true);
      if (this.word(end) !== '=') {
        this.put(at, '=');
        return end;
      }
      this.put(at, '', end - 1);
      at = end;
    }
    return this.word(at) === '=' ? this.type(at + 1, true) : at;
  }

  /** An interface or a declared class, with `i` at its name. */
  private shape(i: number, isClass: boolean): number {
    let at = this.word(i + 1) === '<' ? this.parameters(i + 1) : i + 1;
    while (/^(?:extends|implements|mixins)$/.test(this.word(at))) {
      if (this.word(at) === 'mixins') {
        const end = this.list(at + 1);
        this.put(at, '', end - 1);
        at = end;
      } else at = this.list(at + 1);
    }
    return /^\{/.test(this.word(at)) ? this.object(at, isClass) : at;
  }

  /** `enum State of string {On, Off, ...}` */
  private enumeration(i: number): number {
    let at = i + 2;
    if (this.word(at) === 'of') at = this.put(at, '', at + 1);
    if (this.word(at) !== '{') return at;
    const close = this.closing(at);
    if (this.word(close - 1) === '...') this.put(close - 1);
    return close + 1;
  }

  /** `component Cart(total: number) renders Row {…}`, `hook useCart() {…}`. */
  private component(i: number, word: string): number {
    const open = this.word(i + 2) === '<' ? this.parameters(i + 2) : i + 2;
    if (this.word(open) !== '(') return open;
    if (word === 'hook') return this.hook(i, open);
    this.put(i, 'function');
    this.open('(', true);
    this.scope.isComponent = true;
    return open + 1;
  }

  /** A hook's word is too short for `function`: it becomes a variable with a function, whose parameters have no names. */
  private hook(i: number, open: number): number {
    let at = this.closing(open) + 1;
    if (this.word(at) === ':') at = this.type(at + 1, true);
    if (this.word(at) !== '{') return open;
    const { start } = this.tokens;
    this.put(i, 'let');
    this.blank.push([start[i + 2], start[at], start[at] - start[i + 2] < 4 ? '=' : '=_=>']);
    return at;
  }
}
