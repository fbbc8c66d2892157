/**
 * Routes of Rails, as its file of routes and those that it draws declare them: the text is read statement by statement. At the end are the
 * root fields of graphql-ruby.
 */
import { wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import { NO_HANDLER } from '../roles/relation-facts.js';
import type { FactSink } from '../roles/relations.js';
import { splitList } from '../roles/scan.js';
import { stateOf } from './scopes.js';

/** A file of routes: it draws them, or it is drawn by another one and only declares. */
const DRAWS = /\broutes\.(?:draw|prepend|append)\b|^[ \t]*add_routes\b/m;
const DECLARES = /^[ \t]*(?:resources?|namespace)[ (]+:/m;
const DECLARING: ReadonlySet<string> = new Set(['resource', 'resources', 'namespace']);
const OTHER_CODE = /^[ \t]*(?:class|module|def|describe|RSpec|it|context)\b/m;
const MAX_STATEMENTS = 20_000;
const MAX_ROUTES = 20_000;
const MAX_STATEMENT = 4_000;
/** Maximum depth of blocks, and of concerns that use concerns. */
const MAX_DEPTH = 30;

/** Actions of a resource: their methods, and their paths behind those of the collection. */
const ACTIONS: readonly [action: string, methods: readonly string[], path: string, isMember: boolean][] = [
  ['index', ['GET'], '', false],
  ['create', ['POST'], '', false],
  ['new', ['GET'], '/new', false],
  ['edit', ['GET'], '/edit', true],
  ['show', ['GET'], '', true],
  ['update', ['PATCH', 'PUT'], '', true],
  ['destroy', ['DELETE'], '', true],
];
/** Of actions with one name for their path, those that show something come first. */
const SHOWN_FIRST = [...ACTIONS].sort((a, b) => Number(b[1][0] === 'GET') - Number(a[1][0] === 'GET'));
const VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'match']);

/** `:moderators => true` */
const isDefault = (path: string, arrow: string | undefined): boolean =>
  arrow !== undefined && path.startsWith(':') && !/^["':]/.test(arrow);

interface Statement {
  at: number;
  end: number;
  /** First word, '' for an expression. */
  word: string;
  positional: string[];
  options: Map<string, string>;
  opens: boolean;
  /** Statements of its block. */
  body: Statement[];
}

/** Paths and names that the blocks around a statement state. */
interface RouteScope {
  path: string;
  /** The path without those of resources around it: what a shallow route begins with. */
  base: string;
  module: string;
  controller: string;
  /** Paths of the resource around it, below `path`, one of which `level` chooses: `nested` is in front of its inner resources. Null for none. */
  resource: { collection: string; member: string; nested: string } | null;
  level: 'member' | 'collection' | 'nested';
  isShallow: boolean;
  /** Options that `with_options` and `defaults` give to the statements of their block. */
  defaults: Map<string, string>;
  /** Beginning of the names of routes: `admin_`. */
  name: string;
  /** Names of many things of the resource around it, and of one. */
  names: readonly [many: string, one: string];
  depth: number;
}

const TOP: RouteScope = {
  ...{ path: '', base: '', module: '', controller: '', resource: null, level: 'nested', isShallow: false, depth: 0 },
  defaults: new Map(),
  ...{ name: '', names: ['', ''] },
};

/** States the routes of a file of routes. */
export function railsRoutes(sink: FactSink): void {
  const { source } = sink;
  // Most files have none of the words, which is seen faster than that they have no such line.
  const draws = source.includes('routes') && DRAWS.test(source);
  const mayDeclare = () => [...stateOf(sink).calls.values()].some(({ accessPath }) => DECLARING.has(accessPath));
  if (!draws && !(mayDeclare() && DECLARES.test(source) && !OTHER_CODE.test(source))) return;
  new Reader(sink).run(statementsOf(sink));
}

class Reader {
  private readonly concerns = new Map<string, Statement[]>();
  private count = 0;

  constructor(private readonly sink: FactSink) {}

  run(all: readonly Statement[]): void {
    this.block(all, TOP);
  }

  private block(all: readonly Statement[], scope: RouteScope): void {
    if (scope.depth > MAX_DEPTH) return;
    for (const statement of all) this.statement(statement, { ...scope, depth: scope.depth + 1 });
  }

  private statement(statement: Statement, scope: RouteScope): void {
    const { word, body } = statement;
    const options = new Map([...scope.defaults, ...statement.options]);
    const [first = ''] = statement.positional;
    const name = plainText(first);
    if (VERBS.has(word)) this.verb(statement, scope, options);
    else if (word === 'resources' || word === 'resource') this.resources(statement, scope, options);
    else if (word === 'root') this.root(statement, scope, options);
    else if (word === 'mount') this.mount(statement, scope, options);
    else if (word === 'concern') this.concerns.set(name, body);
    else if (word === 'concerns') this.useConcerns(statement.positional.flatMap(listOf), scope);
    else if (word !== 'direct' && word !== 'resolve') this.block(body, this.within(word, name, scope, options));
  }

  /** Scope of the block of a statement. */
  private within(word: string, name: string, scope: RouteScope, options: Map<string, string>): RouteScope {
    if (word === 'namespace' || word === 'scope') return this.scoped(word, name, scope, options);
    if (word === 'member' || word === 'collection') return { ...scope, level: word };
    if (word === 'controller') return { ...scope, controller: name };
    if (word === 'shallow') return { ...scope, isShallow: true };
    if (word === 'with_options' || word === 'defaults') return { ...scope, defaults: options };
    return scope;
  }

  private scoped(word: string, name: string, scope: RouteScope, options: ReadonlyMap<string, string>): RouteScope {
    const isNamespace = word === 'namespace';
    const path = joined('', textOf(options, 'path') ?? name);
    const module = textOf(options, 'module') ?? (isNamespace ? name : '');
    const as = textOf(options, 'as') ?? (isNamespace ? name : '');
    return {
      ...scope,
      name: as === '' ? this.namePrefix(scope) : `${this.namePrefix(scope)}${as.replaceAll('/', '_')}_`,
      names: ['', ''],
      path: joined(this.prefix(scope), path),
      base: joined(scope.base, path),
      module: module === '' ? scope.module : joinedNames(scope.module, module),
      controller: textOf(options, 'controller') ?? (isNamespace ? '' : scope.controller),
      resource:
        isNamespace || scope.resource === null ? null : { ...scope.resource, collection: '', member: '', nested: '' },
      level: 'nested',
    };
  }

  /** Beginning of the name of a route of a scope. */
  private namePrefix({ name, names, level, isShallow }: RouteScope): string {
    return names[1] === '' || level !== 'nested' || isShallow ? name : `${name}${names[1]}_`;
  }

  /** Path in front of a route of a scope. */
  private prefix({ path, resource, level }: RouteScope): string {
    if (resource === null) return path;
    return joined(path, resource[level]);
  }

  private resources(statement: Statement, scope: RouteScope, options: ReadonlyMap<string, string>): void {
    const isPlural = statement.word === 'resources';
    for (const written of statement.positional) {
      const name = plainText(written);
      if (!/^[\w/-]+$/.test(name)) continue;
      const isShallow = scope.isShallow || options.get('shallow') === 'true';
      const module = textOf(options, 'module');
      const collection = joined('', textOf(options, 'path') ?? name);
      const parameter = textOf(options, 'param') ?? 'id';
      const own: RouteScope = {
        ...scope,
        path: this.prefix(scope),
        module: module === undefined ? scope.module : joinedNames(scope.module, module),
        controller: textOf(options, 'controller') ?? (isPlural ? name : plural(name)),
        resource: {
          collection,
          member: isPlural ? `${collection}/:${parameter}` : collection,
          nested: isPlural ? `${collection}/:${singular(name)}_${parameter}` : collection,
        },
        level: 'nested',
        isShallow,
        defaults: new Map(),
        name: this.namePrefix(scope),
        names: namesOf(textOf(options, 'as') ?? name, isPlural),
      };
      this.actions(statement, own, options, isPlural);
      this.useConcerns(listOf(options.get('concerns') ?? ''), own);
      this.block(statement.body, own);
    }
  }

  private actions(
    statement: Statement,
    scope: RouteScope,
    options: ReadonlyMap<string, string>,
    isPlural: boolean,
  ): void {
    const only = options.has('only') ? new Set(listOf(options.get('only') ?? '')) : null;
    const except = new Set(listOf(options.get('except') ?? ''));
    const stated = SHOWN_FIRST.filter(
      ([action]) => only?.has(action) !== false && !except.has(action) && (isPlural || action !== 'index'),
    );
    const named = new Set<string>();
    for (const [action, methods, path, isMember] of stated) {
      const whole = joined(this.levelPath({ ...scope, level: isMember ? 'member' : 'collection' }), path);
      for (const method of methods) this.state(statement, method, whole, this.handler(scope, action));
      const name = (isMember ? scope.names[1] : scope.names[isPlural ? 0 : 1]).replace(/-/g, '_');
      const key = path === '' ? `${scope.name}${name}` : `${action}_${scope.name}${scope.names[1]}`;
      if (!named.has(key)) this.state(statement, 'NAME', `/${key}`, this.handler(scope, action));
      named.add(key);
    }
  }

  /** Path of a member or a collection; that of a member of a shallow resource has no resource around it. */
  private levelPath(scope: RouteScope): string {
    if (scope.isShallow && scope.level === 'member') return joined(scope.base, scope.resource?.member ?? '');
    return this.prefix(scope);
  }

  private verb(statement: Statement, scope: RouteScope, options: ReadonlyMap<string, string>): void {
    const on = plainText(options.get('on') ?? '');
    const at = on === 'member' || on === 'collection' ? { ...scope, level: on as 'member' | 'collection' } : scope;
    const via = listOf(options.get('via') ?? '');
    const methods = statement.word === 'match' ? via.map((each) => (each === 'all' ? 'any' : each)) : [statement.word];
    for (const written of statement.positional) {
      const [path, arrow] = arrowOf(written);
      const name = plainText(path);
      if (isDefault(path, arrow) || (name === '' && !/^(?:''|"")$/.test(path))) continue;
      const handler = this.answering(at, name, arrow, options);
      const as = textOf(options, 'as') ?? name.replace(/^\/|\([^()]*\)/g, '').replace(/[/-]/g, '_');
      const key = this.routeName(at, as);
      if (key !== '') this.state(statement, 'NAME', `/${key}`, handler);
      const own = joined('', textOf(options, 'path') ?? name);
      for (const method of methods.length > 0 ? methods : ['any'])
        this.state(statement, method.toUpperCase(), joined(this.levelPath(at), own), handler);
    }
  }

  /** Name by which code links to a route; '' if it has none. */
  private routeName(scope: RouteScope, as: string): string {
    const [many, one] = scope.names;
    const owner = scope.level === 'member' ? one : scope.level === 'collection' ? many : '';
    const key = owner === '' ? `${this.namePrefix(scope)}${as}` : `${as}_${scope.name}${owner}`;
    return as !== '' && /^\w+$/.test(key) ? key : '';
  }

  /** The method that answers a path, by what is behind its arrow, or by its options, or by its own words. */
  private answering(
    scope: RouteScope,
    name: string,
    arrow: string | undefined,
    options: ReadonlyMap<string, string>,
  ): string {
    const to = plainText(arrow ?? options.get('to') ?? '');
    if (to.includes('#')) return this.handlerOf(scope, to);
    const action = textOf(options, 'action') ?? (/^\w+$/.test(to) ? to : undefined);
    if (arrow !== undefined || (options.has('to') && action === undefined)) return NO_HANDLER;
    return this.implicit(scope, name, action, textOf(options, 'controller'));
  }

  /** `get 'carts/list'` is answered by `list` of the controller of carts, and `get :list` by that of the scope. */
  private implicit(
    scope: RouteScope,
    name: string,
    action: string | undefined,
    controller: string | undefined,
  ): string {
    const parts = name.split('/').filter((part) => part !== '' && !/[:(*]/.test(part));
    const owner = controller ?? (scope.controller || parts.slice(0, -1).join('/'));
    const own = action ?? parts[parts.length - 1];
    return owner === '' || own === undefined ? NO_HANDLER : this.handler({ ...scope, controller: owner }, own);
  }

  private root(statement: Statement, scope: RouteScope, options: ReadonlyMap<string, string>): void {
    const to = plainText(statement.positional[0] ?? options.get('to') ?? '');
    const handler = to.includes('#') ? this.handlerOf(scope, to) : NO_HANDLER;
    this.state(statement, 'GET', this.prefix(scope) || '/', handler);
    this.state(statement, 'NAME', `/${this.namePrefix(scope)}${textOf(options, 'as') ?? 'root'}`, handler);
  }

  private mount(statement: Statement, scope: RouteScope, options: ReadonlyMap<string, string>): void {
    const [, arrow] = arrowOf(statement.positional[0] ?? '');
    const path = plainText(arrow ?? options.get('at') ?? '');
    if (path !== '') this.state(statement, 'USE', joined(this.prefix(scope), joined('', path)), NO_HANDLER);
  }

  private useConcerns(names: readonly string[], scope: RouteScope): void {
    for (const name of names) this.block(this.concerns.get(name) ?? [], { ...scope, depth: scope.depth + 1 });
  }

  /** `carts#show`, also `Carts#show` and `/carts#show`. */
  private handlerOf(scope: RouteScope, to: string): string {
    const [controller, action] = to.split('#');
    return this.handler({ ...scope, controller: controller || scope.controller }, action);
  }

  private handler({ module, controller }: RouteScope, action: string): string {
    const whole = controller.startsWith('/') ? controller.slice(1) : joinedNames(module, controller);
    const type = whole.split(/\/|::/).map(camelized).join('.');
    const name = action.replace(/-/g, '_');
    return /^[A-Z][\w.]*$/.test(type) && /^\w+[?!]?$/.test(name) ? `${type}Controller.${name}` : NO_HANDLER;
  }

  private state({ at, end }: Statement, method: string, path: string, handler: string): void {
    if (this.count++ > MAX_ROUTES || path.length > 180) return;
    this.sink.reference(at, end, 'route', handler, { literal: `${method} ${path || '/'}` });
  }
}

// Statements.

const WORD = /^(?:[a-z_]\w*\.)?([a-z_]\w*)\b(?![.:=])/;
/** Statements that open a block without `do`. */
const OPENERS = /^(?:if|unless|case|begin|while|until|for|def|class|module)\b/;

/** The statements of a file, with those of their blocks. */
function statementsOf(sink: FactSink): Statement[] {
  const { source } = sink;
  const top: Statement[] = [];
  const open: Statement[][] = [top];
  let count = 0;
  for (const { start, end } of linesOf(source)) {
    if (++count > MAX_STATEMENTS) break;
    const text = source.slice(start, end).trim();
    if (/^(?:end\b|\}\s*$)/.test(text)) {
      if (open.length > 1) open.pop();
      continue;
    }
    const statement = statementAt(
      sink,
      start + (source.slice(start, end).length - source.slice(start, end).trimStart().length),
      end,
    );
    open[open.length - 1].push(statement);
    if (statement.opens) open.push(statement.body);
  }
  return top;
}

/** Statements as ranges: lines, with those that continue them. Comments are left out. */
function linesOf(source: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  let start = -1;
  let depth = 0;
  for (let at = 0; at < source.length; ) {
    const next = source.indexOf('\n', at);
    const end = next === -1 ? source.length : next;
    const code = withoutComment(source.slice(at, end));
    const from = at;
    at = end + 1;
    const trimmed = code.trim();
    if (trimmed === '') continue;
    if (start === -1) start = from;
    const opens = trimmed.endsWith('{') || /\{\s*\|[\w, ]*\|$/.test(trimmed);
    depth += opens ? 0 : balanceOf(trimmed);
    if ((depth > 0 || /[,\\]$|=>$/.test(trimmed)) && from + code.length - start < MAX_STATEMENT) continue;
    found.push({ start, end: from + code.trimEnd().length });
    start = -1;
    depth = 0;
  }
  return found;
}

/** Characters of a line outside of strings, each with its offset. */
function* outsideStrings(line: string): Generator<[char: string, at: number]> {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else yield [char, at];
  }
}

/** A line up to a `#` outside of strings. */
function withoutComment(line: string): string {
  for (const [char, at] of outsideStrings(line))
    if (char === '#' && (at === 0 || /[\s,]/.test(line[at - 1]))) return line.slice(0, at);
  return line;
}

/** Number of brackets that a line opens, less those that it closes, outside of strings. */
function balanceOf(line: string): number {
  let balance = 0;
  for (const [char] of outsideStrings(line)) {
    if ('([{'.includes(char)) balance++;
    else if (')]}'.includes(char)) balance--;
  }
  return balance;
}

/** `member { get :print }`, `collection do get :paid; get :open end` */
const INLINE =
  /^([a-z_]\w*(?:[ (]+:\w+\)?)?)[ \t]*(?:\{|\bdo\b)[ \t]+([a-z_]\w*[ (][^{}|\n]*[^{}|\s])[ \t]*(?:\}|\bend)$/;
const MAX_INLINE = 500;

function statementAt(sink: FactSink, at: number, lineEnd: number): Statement {
  const { source } = sink;
  const inline = INLINE.exec(headText(source, at, lineEnd, MAX_INLINE));
  if (inline !== null && at + inline[0].length === lineEnd) {
    const [, head, code] = inline;
    const start = at + inline[0].lastIndexOf(code);
    const body = [...code.matchAll(/[^\s;][^;]*/g)].map(({ 0: one, index }) =>
      statementAt(sink, start + index, start + index + one.trimEnd().length),
    );
    return { ...statementAt(sink, at, at + head.length), end: lineEnd, body };
  }
  const text = source.slice(at, lineEnd);
  const block = /\s*(?:\bdo\b\s*(?:\|[^|\n]{0,100}\|)?|\{\s*(?:\|[^|\n]{0,100}\|)?)$/.exec(text.slice(-200));
  const [begun = '', word = ''] = WORD.exec(text) ?? [text];
  const opens = !/\bend$/.test(text) && (block !== null || OPENERS.test(text));
  const found: Statement = { at, end: lineEnd, word, positional: [], options: new Map(), opens, body: [] };
  if (!OPENERS.test(text)) addArguments(found, at + begun.length, lineEnd - (block?.[0].length ?? 0), sink);
  return found;
}

/** Adds what a statement is given between two offsets, perhaps in brackets. */
function addArguments({ options, positional }: Statement, start: number, end: number, sink: FactSink): void {
  const { source, rules } = sink;
  let [from, to] = [start, end];
  while (/\s/.test(source[from] ?? '')) from++;
  const close = source[from] === '(' ? sink.closing(from, to) : -1;
  // A condition can stand behind the brackets.
  if (close !== -1 && /^\s*(?:(?:if|unless)\s.*)?$/s.test(source.slice(close, to))) [from, to] = [from + 1, close - 1];
  if (from >= to) return;
  for (const part of splitList(source, from, to, ',', rules.lexical)) {
    const argument = source
      .slice(part.start, part.end)
      .replace(/\s+(?:if|unless)\s.*$/s, '')
      .trim();
    const option = /^(?:(\w+):\s+|:(\w+)\s*=>\s*|["'](\w+)["']:\s+)/.exec(argument);
    const key = option?.[1] ?? option?.[3] ?? (option !== null && OPTION_NAMES.has(option[2]) ? option[2] : undefined);
    if (option !== null && key !== undefined) options.set(key, argument.slice(option[0].length));
    else if (argument !== '') positional.push(argument);
  }
}

/** Options that are written with an arrow: `:to => 'carts#show'`. Other arrows have a path before them. */
const OPTION_NAMES = wordSet(
  `to as via only except path module controller action on at param constraints defaults shallow concerns format path_names`,
);

/** `'x' => 'carts#show'`: the path, and what answers. */
function arrowOf(argument: string): [path: string, to: string | undefined] {
  const at = argument.indexOf('=>');
  return at === -1 ? [argument, undefined] : [argument.slice(0, at).trim(), argument.slice(at + 2).trim()];
}

/** A symbol or a plain string as text, '' for other expressions. */
function plainText(argument: string): string {
  return /^:(\w+)$/.exec(argument)?.[1] ?? /^:?(["'])((?:[^"'#\n]|#(?!\{))*)\1$/.exec(argument)?.[2] ?? '';
}

function textOf(options: ReadonlyMap<string, string>, name: string): string | undefined {
  const value = options.get(name);
  const text = value === undefined ? '' : plainText(value);
  return text === '' && !/^(["'])\/?\1$/.test(value ?? '') ? undefined : text;
}

/** `[:a, :b]`, `%i[a b]`, `:a`. */
function listOf(value: string): string[] {
  const words = /^%[iwIW][[({]([^\])}]*)/.exec(value)?.[1];
  if (words !== undefined) return words.split(/\s+/).filter((word) => word !== '');
  const inner = value.startsWith('[') ? value.replace(/^\[|\]$/g, '') : value;
  return inner.split(',').flatMap((each) => plainText(each.trim()) || []);
}

function joined(prefix: string, path: string): string {
  const own = path.replace(/\([^()]*\)/g, '').replace(/^\/+|\/+$/g, '');
  return own === '' ? prefix : `${prefix}/${own}`;
}

const joinedNames = (module: string, name: string): string => (module === '' ? name : `${module}/${name}`);

function camelized(name: string): string {
  return name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function singular(name: string): string {
  return name
    .replace(/ies$/, 'y')
    .replace(/(ss|us|x|ch|sh)es$/, '$1')
    .replace(/([^su])s$/, '$1');
}

function plural(name: string): string {
  if (/[^aeiou]y$/.test(name)) return name.replace(/y$/, 'ies');
  return /(?:s|x|ch|sh)$/.test(name) ? (name.endsWith('ss') || !name.endsWith('s') ? `${name}es` : name) : `${name}s`;
}

/** A root type of graphql-ruby, and a field of it with the class that resolves it. */
const ROOT_TYPE = /^[ \t]*class[ \t]+(?:\w+::)*(?:Query|Mutation|Subscription)\w*[ \t]*<[ \t]*[\w:]+/m;
const FIELD = /^[ \t]*field[ (]+:(\w+)([^\n]{0,300})/gm;
const RESOLVED_BY = /\b(?:resolver|mutation|subscription):[ ]*((?:[A-Z]\w*::)*[A-Z]\w*)/;

/** States the fields of root types of graphql-ruby, each with the method that answers it. */
export function rootFields(sink: FactSink): void {
  if (!ROOT_TYPE.test(sink.source)) return;
  for (const { 0: whole, 1: name, 2: rest, index } of sink.source.matchAll(FIELD)) {
    const type = RESOLVED_BY.exec(rest)?.[1];
    const at = index + whole.indexOf(`:${name}`) + 1;
    const handler = type === undefined ? `this.${name}` : `${type.replaceAll('::', '.')}.resolve`;
    sink.reference(at, at + name.length, 'route', handler, { literal: `FIELD /${name}` });
  }
}

/** Names of many and of one: `carts` and `cart`; many that are called like one are `series_index`. */
function namesOf(written: string, isPlural: boolean): readonly [many: string, one: string] {
  const name = written.replace(/[/-]/g, '_');
  if (!isPlural) return [name, name];
  const one = singular(name);
  return [one === name ? `${name}_index` : name, one];
}
