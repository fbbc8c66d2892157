/**
 * Definitions of SQL: what statements create, in the dialects of PostgreSQL, MySQL, SQL Server, Oracle and SQLite. The grammar knows
 * none of them whole and loses what stands behind a form that it cannot read, so it is given a text of the same length: each statement
 * is a short one that it reads, from its first to its last character, and comments stand where they are.
 */
import type { DefinitionRules } from '../roles/definitions.js';

const PART = '(?:"[^"\\n]{1,200}"|`[^`\\n]{1,200}`|\\[[^\\]\\n]{1,200}\\]|[\\p{L}\\p{N}_$#@]+)';
const NAME = `(${PART}(?:\\s{0,20}\\.\\s{0,20}${PART}){0,3})`;
/** Words and settings between `create` and what is created. */
const BETWEEN =
  '(?:(?:or\\s+(?:replace|alter)|global|local|temp|temporary|unlogged|external|foreign|virtual|materialized|recursive|unique|clustered|nonclustered|columnstore|bitmap|fulltext|spatial|editionable|noneditionable|force|no\\s+force|constraint|private|public|secure|transient|definer\\s*=\\s*[^\\s]+|algorithm\\s*=\\s*\\w+|sql\\s+security\\s+\\w+)\\s+){0,6}';
const WHAT =
  'table|view|function|proc(?:edure)?|trigger|event|type(?:\\s+body)?|domain|package(?:\\s+body)?|schema|database|(?:hash\\s+)?index|sequence|synonym|aggregate|macro';
/** `create or replace function shop.total`: group 1 is what is created, group 2 its name. */
const CREATED = new RegExp(
  `(?:create|alter)\\s+${BETWEEN}(${WHAT})\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?${NAME}`,
  'iuy',
);
/** A member of a package. */
const MEMBER = new RegExp(`(procedure|function|type|subtype)\\s+${NAME}`, 'iuy');
const NAMED = new RegExp(
  `(?:(?:create|alter)\\s+${BETWEEN}(?:${WHAT})\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?|(?:procedure|function|type|subtype)\\s+)${NAME}`,
  'iuy',
);

export const sql: DefinitionRules = {
  parsed: statementsAlone,
  definitions: [
    {
      node: 'create_schema',
      kind: 'table',
      nameText: NAMED,
      // `create index on cart (id)` has no name, and a temporary table none outside of its routine.
      named: /^(?!on$|scoped$|[["`]?#)/i,
      head: [
        [/\b(?:function|proc|procedure|trigger|event|aggregate)\s+[^;]*$/i, 'function'],
        [/\b(?:type|type\s+body|subtype|domain)\s+[^;]*$/i, 'type'],
        [/\b(?:package|package\s+body)\s+[^;]*$/i, 'module'],
        [/\b(?:schema|database)\s+[^;]*$/i, 'namespace'],
        [/\bindex\s+[^;]*$/i, 'key'],
        [/\bsequence\s+[^;]*$/i, 'variable'],
        [/\bmacro\s+[^;]*$/i, 'macro'],
      ],
    },
  ],
  wrappers: { statement: {} },
  comments: ['comment', 'marginalia'],
  docs: { line: /^--/, block: ['/*', '*/'] },
  exported: {},
};

// Statements

/** Comments, literals, quoted names, words that open and close blocks, and ends of statements. */
const tokens = (text: RegExp): RegExp =>
  new RegExp(
    [
      /(?<comment>--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)|^#[^\n]*)/u,
      /(?<line>^(?:(?:go(?:[ \t]+\d+)?|\/)[ \t]*;?[ \t]*\r?$|\\[^\n]*))/u,
      /(?<copy>^copy\b[^;\n]{0,2000}\bfrom[ \t]+stdin\b[^;\n]{0,200};)/u,
      /^delimiter[ \t]+(?<delimiter>\S+)[^\n]*/u,
      /(?<dollar>\$(?:[a-z_]\w*)?\$(?!plsql_))/u,
      // A text of Oracle's, with its own brackets.
      /(?<oracle>(?<![\w$])q'[[{(<!~|])/u,
      /(?<![\w$])e'(?:[^'\\]|''|\\[\s\S])*'?/u,
      text,
      /"[^"]*"?|`[^`]*`?|\[[\p{L}_][^\]\n]{0,200}\]/u,
      /(?<word>[\p{L}_$#@][\p{L}\p{N}_$#@]*)/u,
      /(?<sign>\S)/u,
    ]
      .map(({ source }) => source)
      .join('|'),
    'gimu',
  );
const TOKEN = tokens(/'(?:[^']|'')*'?/u);
/** MySQL's backslash hides a quote; of other dialects it is an ordinary character, which can be the last before the quote. */
const TOKEN_OF_MYSQL = tokens(/'(?:[^'\\]|''|\\(?!')|\\'(?![ \t]*(?:[,;)]|\r?\n)))*'?/u);

/** Texts of a token by the names of its groups. */
type Token = Readonly<Record<string, string | undefined>>;

interface Statement {
  start: number;
  /** Behind the last character, without what ends the statement. */
  end: number;
  isDefinition: boolean;
}

/** Things with a body that has statements of its own. */
const ROUTINE = /^(?:function|proc|procedure|trigger|event|type\s+body|package|package\s+body|aggregate)$/i;

/** Behind `as`: a body without declarations before it. */
const WHOLE =
  /^(?:begin|null|not|select|with|return|language|external|table|set|insert|update|delete|merge|if|while|exec|execute|declare|print|truncate|raiserror|throw|try)$/i;

const CLOSING_OF: Readonly<Record<string, string>> = { '[': ']', '{': '}', '(': ')', '<': '>' };
const VIEW_BODY = /^\s*(?:\([^)]*\)\s*)?(?:with\s+\w+\s+)?as\b/i;

class StatementReader {
  readonly statements: Statement[] = [];
  readonly comments: [start: number, end: number][] = [];
  private start = -1;
  private end = -1;
  private isDefinition = false;
  private isRoutine = false;
  private inPackage = false;
  private isTrigger = false;
  /** Blocks that are open, and brackets. */
  private blocks = 0;
  private brackets = 0;
  /** Is a block still to come, since declarations stand before it? */
  private awaitsBlock = false;
  /** Routines that are open among the declarations of another, and whether the head of one is read. */
  private nested = 0;
  private isNesting = false;
  private delimiter = ';';
  private before = '';
  /** Do lines of their own (`go`) end the routines of this text? */
  private readonly byLines: boolean;
  private readonly tokens: RegExp;
  /** Texts that occur nowhere further on. */
  private readonly missing = new Set<string>();

  constructor(private readonly text: string) {
    this.byLines = /^go[ \t]*;?[ \t]*\r?$/im.test(text);
    this.tokens = text.includes('`') ? TOKEN_OF_MYSQL : TOKEN;
    this.tokens.lastIndex = 0;
    for (let match = this.tokens.exec(text); match !== null; match = this.tokens.exec(text)) this.token(match);
    this.finish();
  }

  private token({ index, groups = {} }: RegExpExecArray): void {
    const { comment, line, copy, delimiter, dollar, oracle, word, sign }: Token = groups;
    if (comment !== undefined) {
      this.comments.push([index, index + comment.length]);
      return;
    }
    if ((line ?? copy ?? delimiter) !== undefined) {
      this.between(groups);
      return;
    }
    if (this.delimiter !== ';' && this.text.startsWith(this.delimiter, index)) {
      this.finish();
      this.tokens.lastIndex = index + this.delimiter.length;
      return;
    }
    if (dollar !== undefined) this.skipTo(dollar);
    if (oracle !== undefined) this.skipTo(`${CLOSING_OF[oracle[2]] ?? oracle[2]}'`);
    if (sign === ';') {
      this.semicolon();
      return;
    }
    if (word !== undefined) {
      this.word(word.toLowerCase(), index);
      // The word ended the head of a package.
      if (this.start === -1) return;
    }
    this.brackets = Math.max(0, this.brackets + Number(sign === '(') - Number(sign === ')'));
    if (this.start === -1) this.start = index;
    this.end = this.tokens.lastIndex;
  }

  /** Lines of their own that end a statement and begin none. */
  private between({ line, copy, delimiter }: Token): void {
    this.finish();
    if (line !== undefined) this.inPackage = false;
    if (delimiter !== undefined) this.delimiter = delimiter;
    // Rows of a table that stand in the text, as dumps of PostgreSQL have them, are no statements.
    if (copy !== undefined) this.skipTo('\n\\.');
  }

  /** Goes on behind the next such text, if there is one. */
  private skipTo(close: string): void {
    if (this.missing.has(close)) return;
    const end = this.text.indexOf(close, this.tokens.lastIndex);
    if (end === -1) this.missing.add(close);
    else this.tokens.lastIndex = end + close.length;
  }

  private semicolon(): void {
    this.isNesting = false;
    if (this.delimiter === ';' && !(this.isRoutine && this.isOpen())) this.finish();
  }

  /** Does a routine go on behind a semicolon? */
  private isOpen(): boolean {
    return (this.byLines && !this.inPackage) || this.blocks > 0 || this.awaitsBlock;
  }

  private word(word: string, at: number): void {
    const isFirst = this.start === -1 || this.isNext(word, at);
    if (isFirst) this.begin(word, at);
    else if (this.isRoutine) this.inRoutine(word, at);
    this.before = word;
  }

  /** Does `create` begin a statement although nothing ended the one before? */
  private isNext(word: string, at: number): boolean {
    if (word !== 'create') return false;
    let before = at - 1;
    while (this.text[before] === ' ' || this.text[before] === '\t') before--;
    if (before >= 0 && this.text[before] !== '\n') return false;
    if (this.isRoutine && (before < at - 1 || this.blocks > 0 || this.byLines)) return false;
    CREATED.lastIndex = at;
    return this.brackets === 0 && CREATED.test(this.text);
  }

  private begin(word: string, at: number): void {
    this.finish();
    this.start = at;
    this.end = at + word.length;
    if (this.inPackage && /^(?:procedure|function|type|subtype)$/.test(word)) {
      MEMBER.lastIndex = at;
      this.isDefinition = MEMBER.test(this.text);
      this.isRoutine = this.isDefinition && !word.endsWith('type');
      return;
    }
    if (this.inPackage && word === 'end') this.inPackage = false;
    if (word !== 'create' && word !== 'alter') return;
    CREATED.lastIndex = at;
    const match = CREATED.exec(this.text);
    if (match === null) return;
    this.inPackage = false;
    this.isRoutine = ROUTINE.test(match[1]);
    this.isTrigger = /^trigger$/i.test(match[1]);
    // `alter` defines what it gives a new body; other statements change what is defined.
    const behind = this.text.slice(CREATED.lastIndex, CREATED.lastIndex + 500);
    this.isDefinition = word === 'create' || (/^view$/i.test(match[1]) && VIEW_BODY.test(behind));
    if (this.isRoutine && /^package/i.test(match[1])) this.inPackage = true;
  }

  private inRoutine(word: string, at: number): void {
    switch (word) {
      case 'begin':
        if (/^\s*(?:tran|transaction|work)\b/i.test(this.text.slice(at + 5, at + 30))) return;
        this.blocks++;
        this.awaitsBlock = false;
        return;
      case 'case':
        if (this.before !== 'end') this.blocks++;
        return;
      case 'end':
        if (/^\s*(?:if|loop|while|repeat|for)\b/i.test(this.text.slice(at + 3, at + 30))) return;
        this.blocks = Math.max(0, this.blocks - 1);
        if (this.blocks > 0 || this.nested === 0) return;
        this.nested--;
        this.awaitsBlock = true;
        return;
      case 'procedure':
      case 'function':
        this.isNesting = this.awaitsBlock && this.blocks === 0;
        return;
      case 'as':
      case 'is':
        this.opened(at);
        return;
      case 'declare':
        if (this.blocks === 0 && !/^\s*@/.test(this.text.slice(at + 7, at + 50))) this.awaitsBlock = true;
    }
  }

  /** Behind `as` or `is` declarations can come, which end before a block does; a package's are statements of their own. */
  private opened(at: number): void {
    if (this.brackets > 0 || this.blocks > 0) return;
    if (this.isNesting) this.nested++;
    this.isNesting = false;
    this.isDefinition = true;
    if (this.inPackage && this.isPackageHead()) {
      this.end = at + 2;
      this.finish();
      return;
    }
    const next = /^\s*(\w+)/.exec(this.text.slice(at + 2, at + 200))?.[1] ?? '';
    if (!this.isTrigger) this.awaitsBlock = /^[a-z_]/i.test(next) && !WHOLE.test(next);
  }

  private isPackageHead(): boolean {
    return /^create/i.test(this.text.slice(this.start, this.start + 6));
  }

  private finish(): void {
    if (this.start !== -1) this.statements.push({ start: this.start, end: this.end, isDefinition: this.isDefinition });
    this.start = -1;
    this.isDefinition = false;
    this.isRoutine = false;
    this.awaitsBlock = false;
    this.nested = 0;
    this.isNesting = false;
    this.blocks = 0;
    this.brackets = 0;
    this.before = '';
  }
}

/** Fewer characters than `create schema x` has are no definition. */
const SHORTEST = 15;
const X = 'x'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const SEMICOLON = ';'.charCodeAt(0);

/** Marks ends of lines and comments, which stay. */
function fixedPlaces(text: string, comments: readonly (readonly [start: number, end: number])[]): Uint8Array {
  const isFixed = new Uint8Array(text.length);
  for (const { index } of text.matchAll(/[\n\r]/g)) isFixed[index] = 1;
  for (const [start, end] of comments) isFixed.fill(1, start, end);
  return isFixed;
}

/** The text with each statement as `create schema … x` if it defines something, else as `select … x`. */
function statementsAlone(text: string): string {
  const { statements, comments } = new StatementReader(text);
  const isFixed = fixedPlaces(text, comments);
  const written = new Uint16Array(text.length).map((_, i) => (isFixed[i] === 1 ? text.charCodeAt(i) : SPACE));
  const write = (word: string, from: number, limit: number): number => {
    for (let at = from; at + word.length <= limit; at++) {
      if (isFixed.subarray(at, at + word.length).includes(1)) continue;
      for (let i = 0; i < word.length; i++) written[at + i] = word.charCodeAt(i);
      return at + word.length;
    }
    return limit;
  };
  for (const [i, { start, end, isDefinition }] of statements.entries()) {
    if (end - start < SHORTEST) continue;
    const until = statements[i + 1]?.start ?? text.length;
    let stop = end;
    while (stop < until && isFixed[stop] === 1) stop++;
    // Nothing but the end of a line is between two statements: the first gives its last character.
    const last = stop < until || until === text.length ? end - 1 : end - 2;
    if (stop < until) written[stop] = SEMICOLON;
    else if (last === end - 2) written[end - 1] = SEMICOLON;
    const first = write(isDefinition ? 'create' : 'select', start, last);
    const second = isDefinition ? write('schema', first + 1, last - 1) : first;
    if (second < last && isFixed[last] === 0) written[last] = X;
  }
  return Buffer.from(written.buffer).toString('utf16le');
}
