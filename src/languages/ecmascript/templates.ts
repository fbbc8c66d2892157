/**
 * Code in markup: expressions of templates (Vue, Svelte, Angular, handlers of HTML), and the templates of Angular's components, in files of
 * their own or in strings. A member of a component is used as `new <>().total` in its file, and as `this.total` in a string of its class.
 */
import { wordSet } from '../language.js';
import type { StatedName } from '../roles/definitions.js';
import { elementOf, type FactSink, type MarkupUse } from '../roles/relations.js';

/** Longest expression that is read, in UTF-16 units. */
const MAX_EXPRESSION = 4_000;
const TOKEN =
  /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|([A-Za-z_$][\w$]*)|\d[\w.]*|\?\.(?!\d)|=>|[=!]==?|[<>]=|\|\||&&|\?\?=?|\.\.\.|[^\s]/g;
const WORDS = wordSet('true false null undefined typeof void in instanceof new let if else $event $any');
/** Words and marks in front of a bracket that goes on with their value. */
const ENDS_VALUE = /^(?:[\w$)\]'"`]|\?\.$|\.$|!$)/;

/**
 * Uses in the expression `code`, which stands at `from`. `rootOf` gives the access path of a first name: '' if its value is unknown, null
 * if the name is none of ours. `pipe` is told the names behind `|`.
 */
export function usesOf(
  code: string,
  from: number,
  rootOf: (name: string) => string | null,
  pipe?: (name: string, at: number) => void,
): MarkupUse[] {
  return new ExpressionReader(code, from, rootOf, pipe).uses;
}

const BRACE = '{';
const PAIRS: Readonly<Record<string, string>> = { ')': '()', ']': '[]' };

class ExpressionReader {
  readonly uses: MarkupUse[] = [];
  private readonly own: ReadonlySet<string>;
  /** Access paths in front of open brackets, null where none is, `BRACE` for a brace; and how many operators were read before. */
  private readonly open: { path: string | null; operators: number }[] = [];
  /** Access path of the value that was read last: '' if it is unknown, null if there is none. */
  private path: string | null = null;
  /** Number of operators read so far: brackets with none inside have the value of their content. */
  private operators = 0;

  constructor(
    code: string,
    private readonly from: number,
    private readonly rootOf: (name: string) => string | null,
    private readonly pipe?: (name: string, at: number) => void,
  ) {
    const tokens = [...code.slice(0, MAX_EXPRESSION).matchAll(TOKEN)];
    this.own = parametersIn(tokens);
    for (const [i, { 0: text, 1: name, index }] of tokens.entries()) {
      const before = tokens[i - 1]?.[0] ?? '';
      if (name !== undefined) this.name(name, index, before, tokens[i + 1]?.[0] ?? '');
      else if (text === '(' || text === '[' || text === '{') this.opening(text, before);
      else if (text === ')' || text === ']' || text === '}') this.closing(text);
      else if (!/^\??\.$|^!$/.test(text) && !(text === '|' && pipe !== undefined)) {
        this.path = null;
        this.operators++;
      }
    }
  }

  private name(name: string, index: number, before: string, next: string): void {
    const at = this.from + index;
    if (before === '|' && this.pipe !== undefined) {
      this.pipe(name, at);
      if (name !== 'async') this.path = null;
      return;
    }
    const isMember = before === '.' || before === '?.';
    if (isMember) this.path &&= `${this.path}.${name}`;
    else this.path = this.isPlain(name, before, next) ? null : this.rootOf(name);
    const { path } = this;
    if (path === null || (!isMember && /^$|[)\]]$/.test(path))) return;
    const kind = next === '(' ? 'call' : next === '=' ? 'write' : 'read';
    this.uses.push({ at, end: at + name.length, kind, path: path === '' ? `?.${name}` : path });
  }

  /** Is a first name a key, a parameter, or a word of the language? */
  private isPlain(name: string, before: string, next: string): boolean {
    const isKey = next === ':' && (before === '{' || (before === ',' && this.open.at(-1)?.path === BRACE));
    return isKey || this.own.has(name) || WORDS.has(name);
  }

  private opening(text: string, before: string): void {
    const goesOn = text !== '{' && ENDS_VALUE.test(before) && !WORDS.has(before);
    this.open.push({ path: text === '{' ? BRACE : goesOn ? this.path : null, operators: this.operators });
    this.path = null;
  }

  private closing(text: string): void {
    const group = this.open.pop();
    const value = group?.path ?? null;
    if (text === '}' || value === BRACE) this.path = null;
    else if (value !== null) this.path = value && `${value}${PAIRS[text]}`;
    else if (text === ']' || this.path === null || group?.operators !== this.operators) this.path = '';
  }
}

/** Names that arrow functions of an expression bind. */
function parametersIn(tokens: readonly RegExpMatchArray[]): ReadonlySet<string> {
  const names = new Set<string>();
  tokens.forEach(({ 0: text }, i) => {
    if (text !== '=>') return;
    if (tokens[i - 1]?.[1] !== undefined) names.add(tokens[i - 1][1]);
    if (tokens[i - 1]?.[0] !== ')') return;
    for (let at = i - 2; at >= 0 && i - at < MAX_PARAMETERS && tokens[at][0] !== '('; at--)
      if (tokens[at][1] !== undefined) names.add(tokens[at][1]);
  });
  return names;
}

const MAX_PARAMETERS = 40;

/** Parts of a text that an expression with flag `g` captures: the first group that takes part. */
export function* partsOf(markup: string, pattern: RegExp): Generator<readonly [start: number, end: number]> {
  for (const match of markup.matchAll(pattern)) {
    const code = match.find((group, i) => i > 0 && group !== undefined) ?? '';
    const start = match.index + match[0].lastIndexOf(code);
    yield [start, start + code.length];
  }
}

/** Parts of a text between braces and the ones that close them, which hold expressions of Svelte and Astro. */
export function* bracesIn(markup: string): Generator<readonly [start: number, end: number]> {
  for (let at = markup.indexOf('{'); at !== -1; ) {
    const end = closingBrace(markup, at);
    if (end > at + 1) yield [at + 1, end];
    at = markup.indexOf('{', Math.max(end, at) + 1);
  }
}

/** Offset of the brace that closes the one at `open`; `open` if none does within an expression's length. */
function closingBrace(text: string, open: number): number {
  let depth = 0;
  const last = Math.min(text.length, open + MAX_EXPRESSION);
  for (let at = open; at < last; at++) {
    const char = text[at];
    if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return at;
  }
  return open;
}

// Angular

/** Name by which the file of a template means the component that it belongs to. */
export const OWN_TEMPLATE = '<>';
const DECORATED = /@(Component|Directive|Pipe)\s*\(\s*\{/g;
const NAMED = /\b(selector|name|templateUrl)\s*:\s*(?:'([^'\n]{1,300})'|"([^"\n]{1,300})"|`([^`]{1,300})`)/g;
/** Longest decorator in which names are looked for, and how far where its end is not found. */
const MAX_HEAD = 20_000;
const MAX_NEAR = 800;

/** Names that decorators of Angular give to classes: selectors (`<app-cart>`), pipes (`|money`), and files of templates (`<cart.html>`). */
export function decoratedNames(text: string): StatedName[] {
  if (!text.includes('@angular/')) return [];
  const found: StatedName[] = [];
  for (const match of text.matchAll(DECORATED)) {
    const start = match.index + match[0].length;
    const head = withoutTemplate(text.slice(start, start + MAX_HEAD));
    const close = head.search(/\}\s*\)\s*(?:@|export\b|abstract\b|class\b)/);
    const end = close === -1 ? MAX_NEAR : close;
    for (const { 1: key, 2: single, 3: double, 4: back, index } of head.slice(0, end).matchAll(NAMED)) {
      const at = start + index;
      for (const name of new Set(namesGiven(match[1], key, single ?? double ?? back))) found.push({ name, at });
    }
  }
  return found;
}

function namesGiven(decorator: string, key: string, value: string): string[] {
  if (key === 'templateUrl') return decorator === 'Component' ? [`<${value.slice(value.lastIndexOf('/') + 1)}>`] : [];
  if (key === 'name') return decorator === 'Pipe' ? [`|${value}`] : [];
  return decorator === 'Pipe' ? [] : value.split(',').flatMap(selected);
}

/** `<app-cart>` of `app-cart`, `<appOpen>` of `button[appOpen]`. */
function selected(selector: string): string[] {
  const plain = selector.replace(/:not\([^()]*\)/g, '');
  const attributes = [...plain.matchAll(/\[\s*([\w-]+)[^\]]*\]/g)].map((match) => match[1]);
  const own = attributes.find((name) => /[A-Z-]/.test(name)) ?? attributes[0];
  const tag = /^\s*([a-zA-Z][\w-]*)/.exec(plain)?.[1];
  const name = own ?? tag;
  return name === undefined ? [] : [`<${name}>`];
}

/** The text of a decorator with spaces in place of a template. */
function withoutTemplate(text: string): string {
  const range = templateIn(text);
  return range === null ? text : text.slice(0, range[0]) + ' '.repeat(range[1] - range[0]) + text.slice(range[1]);
}

/** Start and end of the template that a decorator holds, in its quotes; null for none. */
function templateIn(text: string): readonly [number, number] | null {
  const inline = TEMPLATE.exec(text);
  if (inline === null) return null;
  const open = inline.index + inline[0].length;
  let close = open + 1;
  while (close < text.length && text[close] !== text[open]) close += text[close] === '\\' ? 2 : 1;
  return [open + 1, Math.min(close, text.length)];
}

const TEMPLATE_URL = /\btemplateUrl\s*:\s*(['"`])([^'"`\n$]{1,300})\1/;
const STYLE_URLS = /\bstyleUrls?\s*:\s*(\[[^\][]{0,2000}\]|'[^'\n]{1,300}'|"[^"\n]{1,300}")/;
const TEMPLATE = /\btemplate\s*:\s*(?=[`'"])/;

const HOST = /\bhost\s*:\s*\{/;
const BOUND = /(['"])[([][^'"\n]{1,100}[)\]]\1\s*:\s*(?:'([^'\n]{1,500})'|"([^"\n]{1,500})")/g;
/** Longest list of bindings of a host. */
const MAX_HOST = 4_000;

/** States what the decorator of a component or directive, whose arguments stand between the offsets, loads and uses. */
export function componentOf(start: number, end: number, sink: FactSink): void {
  const written = sink.source.slice(start, end);
  const range = templateIn(written);
  const head = range === null ? written : withoutTemplate(written);
  const url = TEMPLATE_URL.exec(head)?.[2];
  if (url !== undefined) sink.import(start, end, 'import', relative(url));
  for (const [, path] of (STYLE_URLS.exec(head)?.[1] ?? '').matchAll(/['"]([^'"\n]+)['"]/g))
    sink.import(start, end, 'import', relative(path));
  const reader = new TemplateReader(sink, 'this');
  const host = HOST.exec(head);
  const bound = host === null ? '' : head.slice(host.index, host.index + MAX_HOST);
  for (const { 0: whole, 2: single, 3: double, index } of bound.matchAll(BOUND)) {
    const code = single ?? double;
    reader.expression(code, start + (host?.index ?? 0) + index + whole.length - 1 - code.length);
  }
  if (range !== null) reader.read(start + range[0], start + range[1]);
}

const relative = (path: string): string => (/^[./]/.test(path) ? path : `./${path}`);

/** Marks that only templates of Angular have. */
const OWN_MARKS =
  /[\s"'](?:\*[a-z][\w]*|\([\w.$-]+\)|\[\(?[\w.$@-]+\)?\])(?:\s*=|[\s>])|^[ \t]*@(?:if|for|switch|defer|let)\b[^\n]*[{;]/m;
/** Marks of other engines, and whole pages. */
const OTHER_MARKS =
  /\{%|<%|\{\{(?:\s*[#/>^&.]|!--|[{-])|<!doctype\b|<html\b|<\?php|\b(?:ng-[a-z]+|v-(?:if|for|model|bind|on)|th:[a-z]+)\s*=/i;
const PLAIN_MARKS = /\{\{|<[a-z]+-/;
const ELEMENT = /<([a-z][a-z\d]*-[\w-]*)(?=[\s/>])/g;

/** States what a file of HTML uses if it is a template of Angular. Of whole pages only elements count: `<app-root>`. */
export function templateFile(sink: FactSink): void {
  const { source } = sink;
  const isOther = OTHER_MARKS.test(source);
  if (!isOther && (PLAIN_MARKS.test(source) || OWN_MARKS.test(source)))
    new TemplateReader(sink, `new ${OWN_TEMPLATE}()`).read(0, source.length);
  else
    for (const { 1: tag, index } of source.matchAll(ELEMENT))
      sink.reference(index + 1, index + 1 + tag.length, 'new', `<${tag}>`);
}

const PART = /<!--|<\/?[A-Za-z][\w:.-]*|\{\{|@(?:if|else if|for|switch|case|let)\b|[{}]/g;
const ATTRIBUTE =
  /\s*(\[[^\s"'<>=]{1,200}\](?=[\s=>/])|[^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=]+)))?/y;
const VOID = wordSet('area base br col embed hr img input link meta param source track wbr');
/** Elements of pages without a dash, as far as templates have them; others can be components. */
const PLAIN = wordSet(
  `a abbr address article aside audio b blockquote body button canvas caption cite code col colgroup data datalist dd del details dfn dialog
   div dl dt em fieldset figcaption figure footer form g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend
   li line link main map mark math menu meta meter nav noscript object ol optgroup option output p param path picture polygon polyline pre
   progress q rect rp rt ruby s samp script section select slot small source span strong style sub summary sup svg table tbody td template
   text textarea tfoot th thead time title tr track u ul use var video wbr circle ellipse defs br area base embed b`,
);
/** Elements and attributes of Angular's own packages, and attributes of pages with dashes. */
const LIBRARY =
  /^(?:ng-(?:template|container|content)$|router-outlet$|mat-|cdk-|mat[A-Z]|cdk[A-Z]|routerLink|form(?:Control|Group|Array)|ng(?:If|For|Class|Style|Model|Switch|Submit|TemplateOutlet|ComponentOutlet)|i18n|aria-|data-|accept-|http-|stroke-|fill-|font-|text-|clip-|stop-|color-|marker-|xlink)/;
const MAX_DEPTH = 200;

interface Attribute {
  name: string;
  at: number;
  value: string;
  valueAt: number;
}

/** Reads a template: a stack of elements and blocks, and the names that these bind. */
class TemplateReader {
  /** Names bound so far, with the access paths of their values; '' for an unknown one. */
  private readonly locals: { name: string; path: string }[] = [];
  private readonly open: { tag: string; locals: number }[] = [];
  private readonly known = new Map<string, string>();

  constructor(
    private readonly sink: FactSink,
    private readonly self: string,
  ) {}

  read(start: number, end: number): void {
    const { source } = this.sink;
    PART.lastIndex = start;
    for (let match = PART.exec(source); match !== null && match.index < end; match = PART.exec(source)) {
      const [mark] = match;
      const next = this.part(mark, match.index, end);
      PART.lastIndex = Math.max(next, match.index + mark.length);
    }
  }

  /** Reads what begins with a mark, and gives the offset behind it. */
  private part(mark: string, at: number, end: number): number {
    const { source } = this.sink;
    const after = at + mark.length;
    if (mark === '<!--') return behind(source, '-->', after, end);
    if (mark === '{{') {
      const close = source.indexOf('}}', after);
      if (close === -1 || close > end || close - after > MAX_EXPRESSION) return after;
      this.expression(source.slice(after, close), after);
      return close + 2;
    }
    if (mark === '{') this.push('{');
    else if (mark === '}') this.close('{');
    else if (mark.startsWith('</')) this.close(mark.slice(2));
    else if (mark[0] === '<') return this.element(mark.slice(1), at + 1, end);
    else return this.block(mark.slice(1), after, end);
    return after;
  }

  private push(tag: string): void {
    if (this.open.length < MAX_DEPTH) this.open.push({ tag, locals: this.locals.length });
  }

  private close(tag: string): void {
    for (let i = this.open.length - 1; i >= 0; i--) {
      if (this.open[i].tag !== tag) continue;
      this.locals.length = this.open[i].locals;
      this.open.length = i;
      return;
    }
  }

  private bind(name: string, path: string): void {
    this.locals.push({ name, path });
  }

  private readonly rootOf = (name: string): string | null => {
    if (name === 'this') return this.self;
    for (let i = this.locals.length - 1; i >= 0 && i > this.locals.length - MAX_DEPTH; i--)
      if (this.locals[i].name === name) return this.locals[i].path;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    return /^\$(?:index|first|last|even|odd|count)$/.test(name) ? null : `${this.self}.${name}`;
  };

  /** States the uses of an expression. The access path of its value, if it is one; else ''. */
  expression(code: string, from: number): string {
    const { sink } = this;
    const uses = usesOf(code, from, this.rootOf, (name, at) => {
      sink.reference(at, at + name.length, 'new', `|${name}`);
      sink.reference(at - 1, at + name.length, 'call', `new |${name}().transform`);
    });
    for (const { at, end, kind, path } of uses) sink.reference(at, end, kind, path);
    const last = uses.at(-1);
    const value = code.replace(/\|\s*async\b.*$/s, '').trim();
    if (last === undefined || last.path.startsWith('?') || !/^[\w$.?![\]()]+$/.test(value)) return '';
    return /\(\)$/.test(value) ? `${last.path}()` : /^[\w$.?!]+$/.test(value) ? last.path : '';
  }

  private element(tag: string, at: number, end: number): number {
    const { sink } = this;
    const { attributes, behind: after, isClosed } = this.attributes(at + tag.length, end);
    const isOwn = !PLAIN.has(tag) && !LIBRARY.test(tag) && !tag.includes(':');
    if (isOwn) sink.reference(at, at + tag.length, 'new', `<${tag}>`);
    const isOpen = !isClosed && !VOID.has(tag);
    if (isOpen) this.push(tag);
    const before = this.locals.length;
    for (const each of attributes) this.declared(each, isOwn ? `new <${tag}>()` : '');
    for (const each of attributes) this.attribute(each, isOwn ? `new <${tag}>()` : '');
    if (!isOpen) this.locals.length = before;
    if (!isOpen || !/^(?:script|style)$/i.test(tag)) return after;
    return behind(sink.source, `</${tag}>`, after, end);
  }

  private attributes(from: number, end: number): { attributes: Attribute[]; behind: number; isClosed: boolean } {
    const { source } = this.sink;
    const attributes: Attribute[] = [];
    let at = from;
    for (;;) {
      ATTRIBUTE.lastIndex = at;
      const match = ATTRIBUTE.exec(source);
      if (match === null || match.index + match[0].length > end) break;
      at = ATTRIBUTE.lastIndex;
      const [whole, name, double, single, bare = ''] = match;
      const value = double ?? single ?? bare;
      const valueAt = at - value.length - (value === bare ? 0 : 1);
      attributes.push({ name, at: at - whole.trimStart().length, value, valueAt });
    }
    const close = /\s*(\/?)>/y;
    close.lastIndex = at;
    const closed = close.exec(source);
    return { attributes, behind: closed === null ? at : close.lastIndex, isClosed: closed?.[1] === '/' };
  }

  /** Binds names of an attribute: `let-row`, `#row`, `*ngFor="let row of rows"`. */
  private declared({ name, value, valueAt }: Attribute, component: string): void {
    if (name.startsWith('let-')) this.bind(name.slice(4), '');
    else if (/^(?:#|ref-)/.test(name)) this.known.set(name.replace(/^(?:#|ref-)/, ''), value === '' ? component : '');
    else if (name[0] === '*') this.short(value, valueAt);
  }

  /** `let row of rows; let i = index; trackBy: idOf`, `cart$ | async as cart; else empty` */
  private short(value: string, at: number): void {
    for (const { 0: text, index } of value.matchAll(/[^;]+/g)) {
      const each = /^(\s*let\s+([\w$]+)\s+of\s+)([\s\S]*)$/.exec(text);
      const renamed = /^([\s\S]*?)\s+as\s+([\w$]+)\s*$/.exec(each?.[3] ?? text);
      const from = at + index + (each?.[1].length ?? 0);
      const code = renamed?.[1] ?? each?.[3] ?? text;
      if (each === null && /^\s*let\s/.test(code)) {
        for (const [, name] of code.matchAll(/\blet\s+([\w$]+)/g)) this.bind(name, '');
        continue;
      }
      const key = /^\s*[\w$]+\s*:(?!:)\s*|^\s*(?:else|then|trackBy)\b\s*:?\s*/.exec(code)?.[0].length ?? 0;
      const path = this.expression(code.slice(key), from + key);
      if (renamed !== null) this.bind(renamed[2], path);
      if (each !== null) this.bind(each[2], elementOf(path));
    }
  }

  private attribute({ name, at, value, valueAt }: Attribute, component: string): void {
    const form = /^(\[\(|\(|\[|\*|on-|bind-|bindon-)?@?([^\s()]+?)[)\]]*$/.exec(name);
    if (form === null) return;
    const [, mark = '', written] = form;
    if (mark === '') {
      for (const { 1: code, index } of value.matchAll(/\{\{([^{}]{1,1000})\}\}/g))
        this.expression(code, valueAt + index + 2);
    } else if (mark !== '*') this.expression(value, valueAt);
    this.bound(mark, written, at + name.indexOf(written), component);
  }

  /** An attribute is an input or an output of a component, or the selector of a directive. */
  private bound(mark: string, name: string, at: number, component: string): void {
    const { sink } = this;
    if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return;
    const isEvent = mark === '(' || mark === 'on-';
    const end = at + name.length;
    if (/[A-Z-]/.test(name) && !LIBRARY.test(name)) {
      sink.reference(at, end, 'new', `<${name}>`);
      if (mark !== '') sink.reference(at + 1, end, isEvent ? 'read' : 'write', `new <${name}>().${name}`);
    }
    const isNative = /^(?:class|style|id|type|href|src|title|name|value|role|tabindex)$/.test(name) && mark === '';
    if (component === '' || isNative) return;
    sink.reference(at - 1, end, isEvent ? 'read' : 'write', `${component}.${name}`);
    if (mark === '[(') sink.reference(at - 2, end, 'read', `${component}.${name}Change`);
  }

  /** `@if (cart$ | async; as cart) {`, `@for (row of rows; track row.id) {`, `@let total = sum();` */
  private block(word: string, after: number, end: number): number {
    const { source } = this.sink;
    if (word === 'let') {
      const statement = /\s+([\w$]+)\s*=\s*([^;]{1,1000});/y;
      statement.lastIndex = after;
      const match = statement.exec(source);
      if (match === null) return after;
      this.bind(match[1], this.expression(match[2], statement.lastIndex - 1 - match[2].length));
      return statement.lastIndex;
    }
    const open = /\s*\(/y;
    open.lastIndex = after;
    if (!open.test(source)) return after;
    const close = closingRound(source, open.lastIndex, Math.min(end, open.lastIndex + MAX_EXPRESSION));
    const code = source.slice(open.lastIndex, close);
    const brace = source.indexOf('{', close);
    this.push('{');
    if (word === 'for') this.loop(code, open.lastIndex);
    else this.condition(code, open.lastIndex);
    return brace === -1 || brace > end || source.slice(close + 1, brace).trim() !== '' ? close : brace + 1;
  }

  private loop(code: string, at: number): void {
    const match = /^(\s*([\w$]+)\s+of\s+)([^;]*)/.exec(code);
    if (match === null) return;
    const path = this.expression(match[3], at + match[1].length);
    this.bind(match[2], elementOf(path));
    for (const { 1: name } of code.slice(match[0].length).matchAll(/(?:\blet\s+|,\s*)([\w$]+)\s*=\s*\$/g))
      this.bind(name, '');
    const track = /;\s*track\s+([^;]*)/.exec(code);
    if (track !== null) this.expression(track[1], at + track.index + track[0].length - track[1].length);
  }

  private condition(code: string, at: number): void {
    const match = /^([^;]*)(?:;\s*as\s+([\w$]+)\s*)?/.exec(code);
    const path = this.expression(match?.[1] ?? code, at);
    if (match?.[2] !== undefined) this.bind(match[2], path);
  }
}

function behind(text: string, mark: string, from: number, end: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 || at > end ? end : at + mark.length;
}

/** Offset of the bracket that closes the one before `from`. */
function closingRound(text: string, from: number, end: number): number {
  let depth = 1;
  for (let at = from; at < end; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return end;
}
