/** Reads the text of a type from its start to its end. */
import { type TypeExpression, UNKNOWN_EXPRESSION } from '../roles/type-expressions.js';

/** Types in types: hostile input nests them without limit. */
const MAX_DEPTH = 24;
const OPENING = '([{<';
const CLOSING = ')]}>';
const SPACE = /(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*)*/y;
const WORD = /[\w$]/;
/** `name?: ` of a parameter, or of an item of a tuple. */
const LABEL = /(?:\.{3})?\s*[\p{L}_$][\p{L}\p{N}_$]*\s*\??\s*:(?!:)/uy;
const REST = /\.{3}/y;
const NUMBER: TypeExpression = { is: 'named', head: 'number', args: [] };
/** An item without a type. */
const UNTYPED = /\s*(?=[,)])/y;

export class TypeReader {
  at = 0;
  /** Did the last list have items of another type? */
  hasRest = false;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly readType: (reader: TypeReader) => TypeExpression,
  ) {}

  /** Reads the type that starts here. */
  type(): TypeExpression {
    if (this.depth >= MAX_DEPTH) {
      this.fail();
      return UNKNOWN_EXPRESSION;
    }
    this.depth++;
    const found = this.readType(this);
    this.depth--;
    return found;
  }

  /** Types of parameters, of items of a tuple and of arguments, up to the closing bracket. */
  list(close: string, isTuple = false): TypeExpression[] {
    const found: TypeExpression[] = [];
    let hasRest = false;
    while (!this.isAtEnd && !this.take(close)) {
      const isRest = this.follows('...');
      if (this.follows('{') || this.follows('[')) this.skipPattern();
      else if (this.match(LABEL) === null) this.match(REST);
      const type = this.match(UNTYPED) === null ? this.type() : UNKNOWN_EXPRESSION;
      hasRest ||= isRest && isTuple;
      // `...Items` stands for the items of that type.
      found.push(isRest && isTuple ? { is: 'member', of: type, index: NUMBER } : type);
      this.take('?');
      if (!this.take(',') && !this.follows(close)) this.skipTo(',', close);
    }
    this.hasRest = hasRest;
    return found;
  }

  get isAtEnd(): boolean {
    this.skipSpace();
    return this.at >= this.text.length;
  }

  /** Gives up: what follows is no type. */
  fail(): void {
    this.at = this.text.length;
  }

  since(from: number): string {
    return this.text.slice(from, this.at);
  }

  follows(sign: string): boolean {
    this.skipSpace();
    return this.text.startsWith(sign, this.at);
  }

  /** As `follows`, on the same line: a bracket on the next one begins something else. */
  followsOnLine(sign: string): boolean {
    while (this.text[this.at] === ' ') this.at++;
    return this.text.startsWith(sign, this.at);
  }

  take(sign: string): boolean {
    if (!this.follows(sign)) return false;
    this.at += sign.length;
    return true;
  }

  takeOnLine(sign: string): boolean {
    if (!this.followsOnLine(sign)) return false;
    this.at += sign.length;
    return true;
  }

  word(word: string): boolean {
    if (!this.follows(word) || WORD.test(this.text[this.at + word.length] ?? '')) return false;
    this.at += word.length;
    return true;
  }

  /** Takes what a sticky expression matches here; null if nothing. */
  match(pattern: RegExp): string | null {
    this.skipSpace();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  /** Is the bracket here followed by an arrow? */
  isFunctionType(): boolean {
    const from = this.at;
    this.skipBrackets();
    const is = this.follows('=>');
    this.at = from;
    return is;
  }

  /** Jumps behind the bracket that closes the one here. */
  skipBrackets(): void {
    let depth = 0;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at];
      if (OPENING.includes(char)) depth++;
      else if (CLOSING.includes(char) && this.text[this.at - 1] !== '=' && --depth === 0) {
        this.at++;
        return;
      }
    }
  }

  /** Jumps over `{ id }:`, where a parameter is taken apart; a type in such brackets stays. */
  skipPattern(): void {
    const from = this.at;
    this.skipBrackets();
    this.take('?');
    if (!this.take(':')) this.at = from;
  }

  /** Jumps to one of the signs outside of brackets. */
  skipTo(...signs: readonly string[]): void {
    for (; this.at < this.text.length; this.at++) {
      if (signs.includes(this.text[this.at])) return;
      if (OPENING.includes(this.text[this.at])) {
        this.skipBrackets();
        this.at--;
      }
    }
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = Math.max(this.at, SPACE.lastIndex);
  }
}
