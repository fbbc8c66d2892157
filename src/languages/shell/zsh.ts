/** Blocks, conditions, patterns and expansions of zsh, written in the same length as the grammar of Bash reads them. */
import type { Blank } from '../roles/masks.js';

/** A bracket or a quote that is open. */
interface Open {
  is: '' | '{' | '(' | '$(' | '`' | '"' | '${' | '[[';
  /** Offset behind it. */
  from: number;
  /** The last keyword that a condition follows, until `then`, `do` or its block: `if [[ -n $x ]] {`. */
  condition: readonly [at: number, length: number] | null;
  /** Has a test of it ended, so that a `{` opens its block? A sign such as `&&` leads to the next test. */
  tested: boolean;
  /** Brackets that are open in the pattern of a condition; -1 outside of one. */
  depth: number;
  /** Ranges of `$( … )` in `${ … }`. */
  commands: [start: number, end: number][];
}

const WORD = /[^\s;&|<>(){}[\]"'`$\\#]+|[#[\]]+/y;
/** `$+commands`, `$#list` */
const MARKED_NAME = /\$[+#^=~](?=[A-Za-z_])/y;
const PLAIN_INDEX = /^[\w@*$-]*$/;
const SPACE = /[ \t\r]+/y;
const QUOTED = /'[^']*'?/y;
const ESCAPED = /\\[^\n]?/y;
const ESCAPED_QUOTED = /\$'(?:[^'\\]|\\[\s\S])*'?/y;
const HEREDOC = /<<-?[ \t]*(?:"([\w.+-]+)"|'([\w.+-]+)'|\\?([\w.+-]+))/y;
/** The head of a function up to its block, or to its other names. */
const FUNCTION =
  /function(?:[ \t]+(?:-T[ \t]+)?[^\s(){};|&]+)?((?:[ \t]+[^\s(){};|&]+)*)[ \t]*(?:\([ \t]*\))?(?=\s*\{|[ \t]*\n)/y;
const NO_NAME = /function[ \t]*(?:\([ \t]*\))?(?=\s*\{)/y;
/** `for key value in $list; do` */
const NAMES = /for[ \t]+\w+((?:[ \t]+(?:\\\n[ \t]*)?(?!in\b)\w+)+)[ \t]+(?:\\\n[ \t]*)?in\b/y;
/** `for file in $list`, then a command without `do` */
const NO_DO = /for[ \t]+\w+[ \t]+in\b(?:[^\n;\\{]|\\[\s\S]|\{[^\n{}]*\})*\n(?=[ \t]*(?!do\b|[{#\s])\S)/y;
/** `for x y ($list) {`, `repeat 3 {` */
const LOOP = /(?:for(?:each)?[ \t]+\w+(?:[ \t]+\w+)*[ \t]*\(|repeat[ \t]+)/y;
const GOES_ON = /^(?:if|then|else|elif|do|while|until|time|!|always|nocorrect|noglob|coproc)$/;
const CONDITION = /^(?:if|elif|while|until)$/;
/** A word behind a `}` that needs nothing between, or the rest of a block of zsh. */
const BEHIND_BLOCK = /[ \t]*(?:[\n;&|)<>#}]|\d?>|$|(?:fi|done|esac|then|do)\b)/y;
const REST_OF_BLOCK = /[ \t]*(else|elif|always)\b/y;
/** `<1-9>`: a number in a pattern. */
const NUMBERS = /<\d*-\d*>/y;
/** Expansions that Bash knows as well. */
const PLAIN_EXPANSION = /^(?:[#!]?[\w@*?$!-]+(?:\[[^\](){}]*\])?(?:[:#%/^,@+=?-](?![#*|^:])[^(){}~'"\\;&<>]*)?)$/;
/** `${width:-$(tput cols)}` */
const PLAIN_DEFAULT = /^\w+(?:\[[^\][(){}]*\])?:?[-+=?](?!=)/;
const TEST_OPERATOR = /(?:==?|!=|=~)[ \t]+/y;
/** Arithmetic that only zsh knows. */
const ZSH_ARITHMETIC = /\d#|\$#|\w\(|\d\.|\.\d|\$\{\w{1,80}::|\(#|\$\{[+(]|\$\+|\$\w{1,80}\[|\$\{\$|\[\(/;

/** The text, in the same length, as the grammar of Bash reads it. */
export function repairedShell(text: string): string {
  const reader = new ShellReader(text);
  reader.read();
  return reader.repaired();
}

/** Reads a text once, from its start to its end, and collects what stands in place of its parts; then `repaired` gives the text. */
class ShellReader {
  private at = 0;
  private readonly stack: Open[] = [opened('', 0)];
  private readonly blank: Blank[] = [];
  /** Ends of the texts behind `<<` on this line: they begin on the next one. */
  private readonly heredocs: string[] = [];
  /** Can a command begin here? Else a word is an argument, and a bracket a part of one. */
  private isCommand = true;
  /** Texts behind `<<` whose end was not found. */
  private unclosed = 0;
  /** Characters that may still be looked at ahead, so that the time is linear. */
  private budget: number;
  /** Brackets of a word that are open: `a{b,c}`. */
  private wordBraces = 0;

  constructor(private readonly text: string) {
    this.budget = LOOKS * text.length + MAX_LIST;
  }

  repaired(): string {
    const { text } = this;
    const characters = [...this.blank].sort((a, b) => a[0] - b[0]);
    let [result, at] = ['', 0];
    for (const [start, end, by] of characters) {
      if (end <= at) continue;
      const from = Math.max(at, start);
      result += text.slice(at, from) + filled(text.slice(from, end), start < at ? '' : by);
      at = end;
    }
    return result + text.slice(at);
  }

  read(): void {
    while (this.at < this.text.length) {
      const { is } = this.top;
      const before = this.at;
      if (is === '"' || is === '${') this.inExpansion(is);
      else if (is === '[[') this.inTest();
      else this.inCommand();
      if (this.at === before) this.at++;
    }
  }

  private get top(): Open {
    return this.stack[this.stack.length - 1];
  }

  private sticky(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  /** Quotes, expansions and escaped characters, which stand everywhere; was there one? */
  private opaque(): boolean {
    const { text, at } = this;
    const first = text[at];
    if (first === '\\') this.at += 2;
    else if (first === '"') this.open('"', 1);
    else if (first === '$' && text[at + 1] === "'") this.at += this.sticky(ESCAPED_QUOTED)?.[0].length ?? 1;
    else if (first === '$' && text.startsWith('((', at + 1)) this.arithmetic(3);
    else if (first === '$' && text[at + 1] === '(') this.open('$(', 2);
    else if (first === '$' && text[at + 1] === '{') this.open('${', 2);
    else if (first === '`') this.backtick();
    else if (first === '$' && this.sticky(MARKED_NAME) !== null) this.variable();
    else return false;
    return true;
  }

  private open(is: Open['is'], length: number): void {
    this.at += length;
    this.stack.push(opened(is, this.at));
    this.isCommand = is === '{' || is === '(' || is === '$(' || is === '`';
  }

  private backtick(): void {
    if (this.top.is !== '`') this.open('`', 1);
    else {
      this.stack.pop();
      this.at++;
      this.isCommand = false;
    }
  }

  private inExpansion(is: '"' | '${'): void {
    const { text, at, top } = this;
    if (is === '"' && text[at] === '"') this.close();
    else if (is === '${' && text[at] === '}') {
      this.expansion(top);
      this.close();
    } else if (is === '${' && text[at] === "'") this.at += this.sticky(QUOTED)?.[0].length ?? 1;
    else if (!this.opaque()) this.at++;
  }

  private close(): void {
    const { is, commands } = this.top;
    this.stack.pop();
    this.at++;
    this.isCommand = false;
    // The expansion around has the commands of an inner one, too.
    if (is === '${' && commands.length <= MAX_DEEP) this.outerExpansion()?.commands.push(...commands);
  }

  /** `${(f)"$(list)"}` becomes the command in it, and `${(%):-%N}` a name. */
  private expansion({ from, commands }: Open): void {
    const inside = this.text.slice(from, this.at);
    if (inside.length > MAX_LIST || PLAIN_EXPANSION.test(inside) || (commands.length > 0 && PLAIN_DEFAULT.test(inside)))
      return;
    if (commands.length === 0) {
      if (!inside.includes('\n') && inside !== '') this.blank.push([from, this.at, '_'.repeat(inside.length)]);
      return;
    }
    let start = from - 2;
    for (const [first, end] of commands) {
      this.blank.push([start, first, '']);
      start = end;
    }
    this.blank.push([start, this.at + 1, '']);
  }

  private arithmetic(length: number): void {
    const { text } = this;
    const from = this.at + length;
    let depth = 2;
    let at = from;
    for (; at < text.length && depth > 0 && at - from < MAX_LIST && this.budget-- > 0; at++) {
      if (text[at] === '(') depth++;
      else if (text[at] === ')') depth--;
    }
    if (depth > 0) {
      this.at += length;
      return;
    }
    const inside = text.slice(from, at - 2);
    const isLoop = /\bfor[ \t]*$/.test(text.slice(Math.max(0, from - 10), from - 2));
    if (ZSH_ARITHMETIC.test(inside) || /^\s*;|;\s*;/.test(inside))
      this.blank.push([from, at - 2, isLoop ? 'x;x;x'.slice(0, inside.length) : '1']);
    this.at = at;
    this.isCommand = false;
    this.top.tested = this.top.condition !== null;
  }

  // Conditions

  private inTest(): void {
    const { text, at, top } = this;
    const around = text.slice(at - 1, at + 2);
    if (text[at] === '(' && top.depth < 0 && /[^\s(!]/.test(text[at - 1])) top.depth = 0;
    if (top.depth >= 0) this.inPattern(top);
    else if (/^[\w}]\[/.test(around)) this.index();
    else if (/[\s)]/.test(text[at])) this.at++;
    else if (/^\s\]\]/.test(around)) {
      this.stack.pop();
      this.at += 2;
      this.isCommand = false;
      this.top.tested = this.top.condition !== null;
    } else if (this.sticky(TEST_OPERATOR) !== null) {
      this.at += this.sticky(TEST_OPERATOR)?.[0].length ?? 1;
      top.depth = 0;
    } else if (text[at] === "'") this.at += this.sticky(QUOTED)?.[0].length ?? 1;
    else if (!this.opaque()) {
      // A home directory by itself is no word for the grammar.
      if (/^\s~\s/.test(around)) this.blank.push([at, at + 1, 'x']);
      this.at++;
    }
  }

  /** `(cyg*|<5->)`: a pattern, whose brackets and numbers become parts of a word. */
  private inPattern(top: Open): void {
    const letter = this.text[this.at];
    if (letter === '\n' || (top.depth === 0 && /[\s)]/.test(letter))) {
      top.depth = -1;
      // The bracket or the end of the line is no part of it.
      if (letter !== ')') this.at++;
    } else if (letter === "'" || letter === '\\') {
      const { 0: literal } = this.sticky(letter === '\\' ? ESCAPED : QUOTED) ?? [letter];
      this.blank.push([this.at, this.at + literal.length, 'x'.repeat(literal.length)]);
      this.at += literal.length;
    } else if (!this.opaque()) {
      if (letter === '(') top.depth++;
      else if (letter === ')') top.depth--;
      if ('()[]<>|#^~& \t'.includes(letter)) this.blank.push([this.at, this.at + 1, 'x']);
      this.at++;
    }
  }

  // Commands

  private inCommand(): void {
    const { text, at } = this;
    const letter = text[at];
    if (/[\s;]/.test(letter)) this.wordBraces = 0;
    const isPart =
      (letter === '#' && at > 0 && !/[\s;&|()]/.test(text[at - 1])) ||
      (letter === '[' && !/[\w}]/.test(text[at - 1] ?? '')) ||
      (letter === '$' && /['({]/.test(text[at + 1] ?? ''));
    const read = isPart ? undefined : this.letters.get(letter);
    if (read !== undefined) read();
    else if (this.opaque()) {
      if (this.at <= text.length && /^(?:\\[^\n]|\$')/.test(text.slice(at, at + 2))) this.isCommand = false;
    } else this.plainWord();
  }

  /** Letters that begin something of their own in a command. */
  private readonly letters: ReadonlyMap<string, () => void> = new Map([
    ...[' ', '\t', '\r'].map((space) => [space, () => this.space()] as const),
    ['\n', () => this.line()],
    ['#', () => this.comment()],
    ["'", () => this.word(this.sticky(QUOTED)?.[0].length ?? 1)],
    ['{', () => this.brace()],
    ['}', () => this.closingBrace()],
    ['(', () => this.bracket()],
    [')', () => this.closingBracket()],
    ...[';', '&', '|'].map((sign) => [sign, () => this.separator()] as const),
    ...['<', '>'].map((sign) => [sign, () => this.redirection()] as const),
    ['[', () => this.index()],
    ['$', () => this.variable()],
  ]);

  private variable(): void {
    if (this.sticky(MARKED_NAME) !== null) this.blank.push([this.at + 1, this.at + 2, '_']);
    this.word(2);
  }

  /** `cache[$dir/$name]`, `$list[(I)x*]`: what is between the brackets becomes one word. */
  private index(): void {
    const { text, at } = this;
    let depth = 0;
    let end = at;
    do {
      if (text[end] === '[') depth++;
      else if (text[end] === ']') depth--;
      end++;
    } while (depth > 0 && end < text.length && text[end] !== '\n' && end - at < MAX_LIST && this.budget-- > 0);
    const inside = text.slice(at + 1, end - 1);
    if (depth > 0) end = at + 1;
    else if (!PLAIN_INDEX.test(inside)) this.blank.push([at + 1, end - 1, 'x'.repeat(inside.length)]);
    this.word(end - at);
  }

  private space(): void {
    this.at += this.sticky(SPACE)?.[0].length ?? 1;
  }

  private comment(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end === -1 ? this.text.length : end;
  }

  private word(length: number): void {
    this.at += length;
    this.isCommand = false;
  }

  private line(): void {
    this.at++;
    this.isCommand = true;
    for (const name of this.heredocs.splice(0)) {
      if (this.unclosed > MAX_UNCLOSED) return;
      const pattern = new RegExp(`^[ \\t]*${name.replace(/[.+]/g, '\\$&')}[ \\t]*\\r?$`, 'gm');
      pattern.lastIndex = this.at;
      const end = pattern.exec(this.text);
      if (end === null) this.unclosed++;
      else this.at = end.index + end[0].length;
    }
  }

  private plainWord(): void {
    const { text, at, isCommand } = this;
    const match = this.sticky(WORD)?.[0] ?? text[at];
    if (!isCommand) {
      this.at += match.length;
      return;
    }
    if (match === '[[') {
      this.open('[[', 2);
      return;
    }
    if (match === 'function' && this.head()) return;
    if ((match === 'for' || match === 'foreach' || match === 'repeat') && this.loop()) return;
    if (CONDITION.test(match)) Object.assign(this.top, { condition: [at, match.length], tested: false });
    else if (match === 'then' || match === 'do') this.top.condition = null;
    this.at += match.length;
    this.isCommand = GOES_ON.test(match);
  }

  /** `function a b {`: one name is left; `function {`: none. */
  private head(): boolean {
    const nameless = this.sticky(NO_NAME);
    if (nameless !== null) this.blank.push([this.at, this.at + nameless[0].length, '']);
    const head = nameless ?? this.sticky(FUNCTION);
    if (head === null) return false;
    if (head[1]) {
      const start = this.at + head[0].indexOf(head[1], 'function x'.length);
      this.blank.push([start, start + head[1].length, '']);
    }
    this.at += head[0].length;
    this.isCommand = true;
    return true;
  }

  /**
   * `for` and `repeat`: names but the first, and a head without `do`, are left out. A head such as `for x (…)` or `repeat 3` is left out,
   * too, or becomes `while :` in front of a `do`; true if it was one, which has been passed then.
   */
  private loop(): boolean {
    const names = this.sticky(NAMES);
    if (names !== null) {
      const start = this.at + names[0].lastIndexOf(names[1]);
      this.blank.push([start, start + names[1].length, '']);
    }
    const none = this.sticky(NO_DO);
    if (none !== null) this.blank.push([this.at, this.at + none[0].length, '']);
    const head = this.sticky(LOOP);
    if (head === null) return false;
    const start = this.at;
    let end = start + head[0].length;
    if (head[0].endsWith('(')) end = this.behindBracket(end - 1);
    else if (/[$(]/.test(this.text[end])) end = this.behindBracket(end + Number(this.text[end] === '$'));
    else while (end < this.text.length && !/[\s;]/.test(this.text[end])) end++;
    const done = /^(\s*;?)\s*do\b/.exec(this.text.slice(end, end + 80));
    this.blank.push([start, end, done === null ? '' : 'while :']);
    if (done !== null && this.text.slice(start, end).includes('\n')) this.blank.push([end, end + done[1].length, '']);
    this.at = end;
    this.isCommand = true;
    return true;
  }

  /** Offset behind the bracket that closes the one at `open`, on the lines that follow. */
  private behindBracket(open: number): number {
    const { text } = this;
    let depth = 0;
    for (let at = open; at < text.length && at - open < MAX_LIST && this.budget-- > 0; at++) {
      if (text[at] === '(') depth++;
      else if (text[at] === ')' && --depth === 0) return at + 1;
    }
    return open + 1;
  }

  private brace(): void {
    const { text, at, top } = this;
    if (!this.isCommand && !top.tested) {
      // `a{b,c}`, `name@{$branch}`
      this.wordBraces++;
      this.word(1);
      return;
    }
    if (!this.isCommand && top.condition !== null) {
      const [start, length] = top.condition;
      this.blank.push([start, start + length, '']);
      if (/\s/.test(text[at - 1])) this.blank.push([at - 1, at, ';']);
      Object.assign(top, { condition: null, tested: false });
    }
    this.open('{', 1);
  }

  /** A block that has no room for the spaces and the semicolon of Bash becomes a list in round brackets. */
  private closingBrace(): void {
    const { text, at, top } = this;
    if (top.is !== '{' || this.wordBraces > 0) {
      this.wordBraces = Math.max(0, this.wordBraces - 1);
      this.word(1);
      return;
    }
    const { from } = top;
    const inside = text.slice(from, at);
    if (inside.trim() === '') this.empty(from, at);
    else if (!inside.includes('\n') && (/^\S/.test(inside) || (!this.isCommand && !/\s/.test(text[at - 1]))))
      this.blank.push([from - 1, from, '('], [at, at + 1, ')']);
    else if (!this.isCommand || /\}[ \t]$/.test(text.slice(Math.max(from, at - 2), at))) {
      if (/[ \t]/.test(text[at - 1])) this.blank.push([at - 1, at, ';']);
    } else if (/^[ \t]+;[ \t]*$/.test(inside)) this.blank.push([from, at, ' :;'.slice(0, inside.length)]);
    this.stack.pop();
    this.at++;
    this.behindBlock();
  }

  /** `f() {}`: a list of commands in round brackets has room for one. */
  private empty(from: number, at: number): void {
    const { text } = this;
    if (at - from >= 3) this.blank.push([from, at, ' :;']);
    else if (/[ \t]/.test(text[from - 2] ?? '')) this.blank.push([from - 2, at + 1, '(:)']);
    else if (at > from) this.blank.push([from - 1, at + 1, '(:)']);
  }

  /** `else`, `elif` and `always` behind a block become the end of a statement; other words get one before them. */
  private behindBlock(): void {
    const rest = this.sticky(REST_OF_BLOCK);
    this.isCommand = true;
    if (rest !== null) {
      const end = this.at + rest[0].length;
      const [start, word] = [end - rest[1].length, rest[1]];
      this.blank.push([start, end, '']);
      if (start > this.at) this.blank.push([this.at, this.at + 1, ';']);
      else this.blank.push([start, end, ';']);
      if (word === 'elif') Object.assign(this.top, { condition: [start, word.length], tested: false });
      this.at = end;
    } else if (this.sticky(BEHIND_BLOCK) === null && /[ \t]/.test(this.text[this.at] ?? ''))
      this.blank.push([this.at, this.at + 1, ';']);
  }

  private bracket(): void {
    const { text, at } = this;
    const before = text[at - 1] ?? '\n';
    const empty = /\([ \t]*\)/y;
    empty.lastIndex = at;
    const none = empty.exec(text);
    if (none !== null) {
      // `() { … }` has no name.
      if (this.isCommand) this.blank.push([at, at + none[0].length, '']);
      this.at += none[0].length;
      this.isCommand = true;
    } else if (this.isCommand && text[at + 1] === '(') this.arithmetic(2);
    else if (this.isCommand && /[*<:\w.+-]/.test(text[this.behindBracket(at)] ?? '')) this.qualifiers();
    else if (this.isCommand || /[=<>]/.test(before)) {
      const isList = before === '=';
      this.open('(', 1);
      if (isList) this.isCommand = false;
    } else this.qualifiers();
  }

  /** `*.zsh(N)`, `(a|b)*`: brackets of patterns. */
  private qualifiers(): void {
    const end = this.behindBracket(this.at);
    const inside = this.text.slice(this.at, end);
    if (/[\n"'`$;]/.test(inside)) {
      this.open('(', 1);
      this.isCommand = false;
      return;
    }
    this.blank.push([this.at, end, 'x'.repeat(inside.length)]);
    this.at = end;
  }

  private closingBracket(): void {
    const { is, from } = this.top;
    this.at++;
    if (is === '(' || is === '$(') {
      this.stack.pop();
      this.isCommand = false;
      if (is === '$(') this.command(from - 2);
    } else this.isCommand = true;
  }

  /** The nearest `${ … }` around. */
  private outerExpansion(): Open | undefined {
    const last = this.stack.length - 1;
    for (let i = last; i > Math.max(0, last - MAX_DEEP); i--) if (this.stack[i].is === '${') return this.stack[i];
    return undefined;
  }

  /** Notes a `$( … )` that ends here in the `${ … }` around it, in place of those within it. */
  private command(start: number): void {
    const outer = this.outerExpansion();
    if (outer === undefined) return;
    while ((outer.commands.at(-1)?.[0] ?? -1) > start) outer.commands.pop();
    outer.commands.push([start, this.at]);
  }

  private separator(): void {
    const { text, at } = this;
    const two = text.slice(at, at + 2);
    if (two === '&|' || two === '&!') {
      const isEnded = /^\s*;(?!;)/.test(text.slice(at + 2, at + 80));
      this.blank.push([isEnded ? at : at + 1, at + 2, '']);
    } else if (two === ';|') this.blank.push([at + 1, at + 2, ';']);
    this.at += /^(?:&[|!&]|;[;&|]|\|[|&])$/.test(two) ? 2 : 1;
    this.isCommand = true;
    this.top.tested = false;
  }

  private redirection(): void {
    const { text, at } = this;
    const numbers = this.sticky(NUMBERS)?.[0];
    if (numbers !== undefined) {
      this.blank.push([at, at + numbers.length, 'x'.repeat(numbers.length)]);
      this.word(numbers.length);
      return;
    }
    const heredoc = text.startsWith('<<', at) && text[at + 2] !== '<' ? this.sticky(HEREDOC) : null;
    if (heredoc !== null) {
      this.heredocs.push(heredoc[1] ?? heredoc[2] ?? heredoc[3]);
      this.at += heredoc[0].length;
    } else if (text.startsWith('<<<', at)) this.at += 3;
    else if (text[at + 1] === '(') {
      this.at++;
      this.open('(', 1);
    } else if (/^[<>]&[!|]/.test(text.slice(at, at + 3))) {
      this.blank.push([at + 2, at + 3, '']);
      this.at += 3;
    } else if (/^>>?[!|]/.test(text.slice(at, at + 3))) {
      const end = at + (text[at + 1] === '>' ? 3 : 2);
      this.blank.push([end - 1, end, '']);
      this.at = end;
    } else if (text.startsWith('<>', at)) {
      this.blank.push([at + 1, at + 2, '']);
      this.at += 2;
    } else this.at += text[at + 1] === '&' ? 2 : 1;
  }
}

/** Longest list, pattern or expansion that is looked at. UTF-16 units. */
const MAX_LIST = 2_000;
/** How often each character may be looked at ahead. */
const LOOKS = 10;
/** Brackets around a command that are looked at, and commands of an expansion. */
const MAX_DEEP = 50;
/** Texts behind `<<` without an end that are looked for in a file. */
const MAX_UNCLOSED = 20;

function opened(is: Open['is'], from: number): Open {
  return { is, from, condition: null, tested: false, depth: -1, commands: [] };
}

function filled(text: string, by: string): string {
  // Ends of lines stay, also in what stands for several lines.
  return text.replace(/[^\n\r]/g, (_, at: number) => by[at] ?? ' ');
}
