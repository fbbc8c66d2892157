/**
 * Trees of languages without a grammar: statements, words, strings, comments and brackets, as far as the form of a language tells them
 * (`TokenForm`). The tree has the columns of any other, so that the same queries find definitions in it; its kinds are:
 *
 * - `file`: the statements and comments of the text; `statement`: tokens up to its end, and comments between them
 * - `word`, `string`, `comment`
 * - `block` `{…}`, `list` `(…)`, `array` `[…]`: statements where the form has some in such brackets, else tokens
 * - `body`: the statements between a statement that opens a block by its words and the one that closes it
 * - any other character is a token without a name: `"="`
 *
 * It takes time in proportion to the text, whatever that is: no text is an error, and a bracket that nothing closes ends with the text.
 */
import type { TokenForm } from '../languages/roles/definitions.js';
import { SyntaxTree } from './syntax-tree.js';

const NAMED = ['file', 'statement', 'word', 'string', 'comment', 'block', 'list', 'array', 'body'] as const;
type Named = (typeof NAMED)[number];
const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'];
/** Any character that is no mark of ASCII. */
const OTHER = NAMED.length + MARKS.length;
const KINDS = [...NAMED, ...MARKS, 'other'];
const NUMBER = new Map<string, number>(KINDS.map((kind, number) => [kind, number]));

const NAMES = {
  kinds: KINDS,
  named: Uint8Array.from(KINDS, (_, number) => Number(number < NAMED.length)),
  numbers: new Map<string, number[]>(NAMED.map((kind, number) => [kind, [number]])),
  fields: new Map<string, number>(),
};

const BRACKETS: Readonly<Record<string, { kind: Named; close: string }>> = {
  '{': { kind: 'block', close: '}' },
  '(': { kind: 'list', close: ')' },
  '[': { kind: 'array', close: ']' },
};
const CLOSED_BY: Readonly<Record<string, string>> = { block: '}', list: ')', array: ']' };
const CLOSING: ReadonlySet<string> = new Set(['}', ')', ']']);
/** Beginning of a statement that shows whether it opens or closes a block. */
const MAX_HEAD_LENGTH = 200;

export function parseTokens(text: string, form: TokenForm): SyntaxTree {
  return new TokenReader(text, form).read();
}

class TokenReader {
  private readonly start: number[] = [];
  private readonly end: number[] = [];
  private readonly next: number[] = [];
  private readonly parent: number[] = [];
  private readonly kind: number[] = [];
  /** Nodes that are not closed, the innermost last. */
  private readonly open: number[] = [];
  private at = 0;
  /** Brackets that are open, by the one that closes them: looking for one that nothing opened would take long. */
  private readonly openings = new Map<string, number>();
  /** Offset up to which a string with that opening is known not to close. */
  private readonly unclosed = new Map<string, number>();

  constructor(
    private readonly text: string,
    private readonly form: TokenForm,
  ) {}

  read(): SyntaxTree {
    const { text } = this;
    this.begin('file', 0);
    while (this.at < text.length) this.token();
    while (this.open.length > 0) this.finish(text.length);
    this.end[0] = text.length;
    return this.tree();
  }

  private tree(): SyntaxTree {
    const count = this.start.length;
    const columns = new ArrayBuffer(20 * count);
    for (const [i, column] of [this.start, this.end, this.next, this.parent].entries())
      new Uint32Array(columns, 4 * i * count, count).set(column);
    new Uint16Array(columns, 16 * count, count).set(this.kind);
    return new SyntaxTree(NAMES, this.text, count, columns);
  }

  private token(): void {
    const { text, at, form } = this;
    const character = text[at];
    if (this.space(character)) return;
    if (form.top !== undefined && text[at - 1] === '\n' && matchLength(form.top, text, at) > 0) this.endAll(at);
    const skipped = form.ignored === undefined ? 0 : matchLength(form.ignored, text, at);
    if (skipped > 0) {
      this.at += skipped;
      return;
    }
    if (this.comment() || this.string()) return;
    const word = matchLength(form.word, text, at);
    if (word > 0) {
      const isAlone = this.inStatements() === 'between' && form.alone?.test(text.slice(at, at + word));
      this.add('word', at + word);
      if (isAlone) this.endStatement(at + word);
    } else if (Object.hasOwn(BRACKETS, character)) this.bracket(character);
    else if (CLOSING.has(character)) this.close(character);
    else this.mark(character);
  }

  private space(character: string): boolean {
    const { at, form } = this;
    if (!/^[ \t\r\n]$/.test(character)) return false;
    this.at++;
    if (character === '\n' && form.lines && this.inStatements() === 'statement') this.endStatement(at);
    return true;
  }

  private comment(): boolean {
    const { text, at, form } = this;
    for (const [from, to] of form.comments) {
      if (!text.startsWith(from, at)) continue;
      const found = text.indexOf(to, at + from.length);
      // The end of a line belongs to the statement, of which it may be the end.
      const end = found === -1 ? text.length : to === '\n' ? found : found + to.length;
      this.leaf('comment', at, end);
      this.at = end;
      return true;
    }
    return false;
  }

  private string(): boolean {
    const { text, at, form } = this;
    for (const { open, close, isLong, escape: skip } of form.strings) {
      if (!text.startsWith(open, at) || at < (this.unclosed.get(open) ?? 0)) continue;
      let end = at + open.length;
      while (
        end < text.length &&
        !text.startsWith(close, end) &&
        (isLong || text[end] !== '\n' || text[end - 1] === form.continued)
      )
        end += text[end] === skip ? 2 : 1;
      if (text.startsWith(close, end)) {
        this.add('string', end + close.length);
        return true;
      }
      this.unclosed.set(open, end);
    }
    return false;
  }

  private mark(character: string): void {
    const { at, form, text } = this;
    if (form.lines && character === form.continued && /^[ \t\r]*\n/.test(text.slice(at + 1, at + 3))) {
      this.at = text.indexOf('\n', at) + 1;
      return;
    }
    this.add(character, at + 1);
    const ends = form.ends.includes(character) && (!form.endsBeforeSpace || !/\S/.test(text[at + 1] ?? ''));
    if (ends && this.inStatements() === 'statement') this.endStatement(at + 1);
  }

  private bracket(character: string): void {
    const { at } = this;
    const { kind, close } = BRACKETS[character];
    this.startStatement(at);
    this.begin(kind, at);
    this.openings.set(close, (this.openings.get(close) ?? 0) + 1);
    this.at++;
  }

  private close(character: string): void {
    const { at, form, open, kind } = this;
    if ((this.openings.get(character) ?? 0) === 0) {
      this.add(character, at + 1);
      return;
    }
    while (CLOSED_BY[KINDS[kind[open[open.length - 1]]]] !== character) this.finish(at);
    const closed = KINDS[kind[open[open.length - 1]]];
    this.finish(at + 1);
    this.at++;
    if (form.endsAfter === closed && this.inStatements() === 'statement') this.endStatement(at + 1);
  }

  /** `statement` in one, `between` where one can begin, `tokens` in brackets that have none. */
  private inStatements(): 'statement' | 'between' | 'tokens' {
    const kind = KINDS[this.kind[this.open[this.open.length - 1]]];
    if (kind === 'statement') return 'statement';
    return kind === 'file' || kind === 'body' || this.form.statementsIn.includes(kind) ? 'between' : 'tokens';
  }

  private startStatement(at: number): void {
    if (this.inStatements() !== 'between') return;
    const { blocks } = this.form;
    const inBody = KINDS[this.kind[this.open[this.open.length - 1]]] === 'body';
    if (inBody && blocks?.areFlat && blocks.open.test(this.text.slice(at, at + MAX_HEAD_LENGTH))) {
      this.finish(at);
      this.finish(at);
    }
    this.begin('statement', at);
  }

  private add(kind: string, end: number): void {
    this.startStatement(this.at);
    this.leaf(kind, this.at, end);
    this.at = end;
  }

  /** Ends the statement, or leaves it open for the statements that follow, or ends the one that it closes, too. */
  private endStatement(at: number): void {
    const { open, form, text } = this;
    const statement = open[open.length - 1];
    const from = this.start[statement];
    const head = form.blocks === undefined ? '' : text.slice(from, Math.min(at, from + MAX_HEAD_LENGTH));
    if (form.blocks?.close?.test(head)) {
      this.finish(at);
      if (KINDS[this.kind[open[open.length - 1]]] !== 'body') return;
      this.finish(at);
      this.finish(at);
    } else if (form.blocks?.open.test(head)) this.begin('body', at);
    else this.finish(at);
  }

  /** Ends everything that is open, but for a block of the file's own statements: a word stands at the top for certain. */
  private endAll(at: number): void {
    const { open, kind, form } = this;
    const isInBlock = form.blocks?.areFlat === true && open.length > 2 && KINDS[kind[open[2]]] === 'body';
    while (open.length > (isInBlock ? 3 : 1)) this.finish(at);
  }

  private begin(kind: Named, start: number): void {
    this.open.push(this.node(kind, start));
  }

  /** A node that ends before white space in front of an offset, and not before its last child. */
  private finish(at: number): void {
    const node = this.open.pop() as number;
    const closing = CLOSED_BY[KINDS[this.kind[node]]];
    if (closing !== undefined) this.openings.set(closing, (this.openings.get(closing) ?? 0) - 1);
    let end = at;
    while (end > this.start[node] && /\s/.test(this.text[end - 1])) end--;
    this.end[node] = end;
    this.next[node] = this.start.length;
  }

  private leaf(kind: string, start: number, end: number): void {
    const node = this.node(kind, start);
    this.end[node] = Math.min(end, this.text.length);
    this.next[node] = node + 1;
  }

  private node(kind: string, start: number): number {
    const node = this.start.length;
    this.start.push(start);
    this.end.push(start);
    this.next.push(0);
    this.parent.push(this.open[this.open.length - 1] ?? 0);
    this.kind.push(NUMBER.get(kind) ?? OTHER);
    return node;
  }
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0].length ?? 0;
}
