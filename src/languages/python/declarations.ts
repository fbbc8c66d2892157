/**
 * Functions and assignments of Python: parameters, results, fields, locals, aliases of types, and values that an access path can follow; names in
 * strings; and how imports are written anew when code moves. First names such as `begins#` are those of docs/format.md, Access paths.
 */
import { headText } from '../roles/declarations.js';
import {
  type DefinitionView,
  elementsOf,
  type FactSink,
  handedOn,
  type ImportText,
  type LexicalConventions,
  MAX_LIST_LENGTH,
  type NodeView,
  perFile,
} from '../roles/relations.js';
import { listedNames } from '../roles/remote.js';
import { findOutside, skipSpace } from '../roles/scan.js';

/** Longest body that is read for the one value that it returns. */
export const MAX_BODY_LENGTH = 6_000;
const TYPE_NAME = /[\p{L}_][\p{L}\p{N}_.]*/gu;

/** Names in an annotation, also in one that is written as a string. */
export function types(from: number, to: number, sink: FactSink): void {
  for (const match of sink.source.slice(from, to).matchAll(TYPE_NAME)) {
    const at = from + match.index;
    sink.reference(at + match[0].lastIndexOf('.') + 1, at + match[0].length, 'type', match[0]);
  }
}

// Names in strings: classes and functions by their paths (`"shop.middleware.Timing"`), and members by a part of their name.

/** A class by its path, and a function behind a colon: `"shop.middleware.Timing"`, `"shop = shop.cli:main"`. */
const CLASS_PATH = /^((?:[a-z_]\w*\.){2,9}_*[A-Z]\w*)$/;
const ENTRY_POINT =
  /^(?:[\w.-]{1,100}\s*=\s*((?:[a-z_]\w*\.)*[a-z_]\w*)|((?:[a-z_]\w*\.)+[a-z_]\w*))\s*:\s*([A-Za-z_][\w.]*)(?:\s*\[[\w\s,-]*\])?$/;
/** Any dotted path, for functions that take one. */
const DOTTED_PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,9}$/;
const IN_QUOTES = /^(["'])([^"'\n]{3,200})\1$/;

/** Elements of a list: names that are handed on, and strings with paths. */
export function elements(from: number, to: number, sink: FactSink): void {
  handedOn(from, to, HANDED_ON, sink);
  const { source } = sink;
  if (to - from > MAX_LIST_LENGTH || !/["'][^"'\n]*\w[.:][A-Za-z]/.test(source.slice(from, to))) return;
  for (const { start, end } of elementsOf(from, to, sink)) statedPath(start, end, sink);
}

/** A string that is the path of a class or a function of a module. `any`: a function takes it, so each dotted path is one. */
export function statedPath(start: number, end: number, sink: FactSink, any = false): void {
  const written = IN_QUOTES.exec(headText(sink.source, start, end, MAX_VALUE_LENGTH))?.[2];
  if (written === undefined) return;
  const entry = ENTRY_POINT.exec(written);
  if (entry !== null) memberOfModule(start, end, entry[1] ?? entry[2], entry[3], sink);
  else if (CLASS_PATH.test(written) || (any && DOTTED_PATH.test(written))) {
    // Members of a class stand behind its name.
    const parts = written.split('.');
    const type = parts.findIndex((part, i) => i > 0 && /^_*[A-Z]/.test(part));
    const at = type < 0 ? parts.length - 1 : type;
    memberOfModule(start, end, parts.slice(0, at).join('.'), parts.slice(at).join('.'), sink);
  }
}

function memberOfModule(start: number, end: number, module: string, member: string, sink: FactSink): void {
  // A name that no source can write.
  const alias = `import#${start}`;
  sink.import(start, end, 'dynamic', module, [{ name: '*', alias }]);
  sink.reference(start, end, 'value', `${alias}.${member}`);
}

/** The part of a name that a program completes: `"visit_" + kind`, `f"{kind}_done"`; null for other values. */
function partOfName(text: string): { part: string; end: 'begins' | 'ends' } | null {
  const [, , begin = '', after = ''] =
    /^f(["'])(\w*)\{[^{}"'\n]*\}(\w*)\1$/.exec(text) ??
    /^(["'])(\w*)(?:%s|\{\w*\})(\w*)\1\s*(?:%|\.format\()/.exec(text) ??
    /^(["'])(\w+)\1\s*\+/.exec(text) ??
    [];
  if (begin.length >= MIN_PART) return { part: begin, end: 'begins' };
  const last = after || (/\+\s*(["'])(\w+)\1$/.exec(text)?.[2] ?? '');
  return last.length >= MIN_PART ? { part: last, end: 'ends' } : null;
}

/** Minimum length of a part that tells something. */
const MIN_PART = 3;
/** Distance in which the value of a name is looked for. */
const MAX_BEFORE = 600;

/** A name that is taken out of a table: `HANDLERS[kind]`, `self.HANDLERS.get(kind)`. */
const IN_TABLE = /^(?:(?:self|cls)\.)?([A-Za-z_]\w{0,60})(?:\[|\.get\()/;

/** `getattr(self, "total")`, with a part of the name (`"visit_" + kind`), or with one that a table of the file lists. */
export function attributeByName(view: NodeView, sink: FactSink): void {
  const [object, name] = elementsOf(view.start + 1, view.end - 1, sink);
  if (name === undefined) return;
  const { source } = sink;
  const path = sink.accessPath(object.start, object.end);
  const text = headText(source, name.start, name.end, MAX_VALUE_LENGTH);
  const whole = /^(["'])([\p{L}_][\p{L}\p{N}_]*)\1$/u.exec(text)?.[2];
  if (whole !== undefined && path !== '') {
    sink.reference(name.start + 1, name.end - 1, 'read', `${path}.${whole}`);
    return;
  }
  const table = IN_TABLE.exec(text)?.[1];
  if (table !== undefined && path !== '' && path !== '?') {
    // One offset holds one use, so each name of the table gets one of its own within the argument.
    for (const [i, each] of [...new Set(listedNames(table, source, source.length, 2))].slice(0, text.length).entries())
      sink.reference(name.start + i, name.end, 'call', `${path}.named#.${each}`);
    return;
  }
  const found = partOfName(NAME.test(text) ? valueBefore(name.start, text, source) : text);
  if (found !== null && path !== '' && path !== '?')
    sink.reference(name.start, name.end, 'call', `${path}.${found.end}#.${found.part}`);
}

/** The text of the value that a name was given last before an offset. */
function valueBefore(at: number, name: string, source: string): string {
  const before = source.slice(Math.max(0, at - MAX_BEFORE), at);
  for (let found = before.lastIndexOf(name); found > 0; found = before.lastIndexOf(name, found - 1)) {
    const value = /^\s*=\s*(?!=)([^\n]{1,200})/.exec(before.slice(found + name.length))?.[1];
    if (value !== undefined && /[\s;]/.test(before[found - 1])) return value.replace(/\s+#.*$/, '').trim();
  }
  return '';
}

/** A function with its parameters, result and the fields that it assigns. */
export function definition(draft: DefinitionView, sink: FactSink): void {
  const { kind, nameEnd, signatureEnd, container } = draft;
  if (kind !== 'function' && kind !== 'method' && kind !== 'constructor') return;
  const { source, rules } = sink;
  const open = findOutside(source, nameEnd, signatureEnd, '(', rules.lexical);
  if (open >= signatureEnd) return;
  const close = sink.closing(open, signatureEnd);
  const isMethod = container !== null && kind !== 'function';
  const typed = parameters(open + 1, close - 1, sink, isMethod ? draft.name : '');
  const arrow = source.indexOf('->', close);
  if (arrow !== -1 && arrow < signatureEnd) {
    const end = findOutside(source, arrow + 2, signatureEnd, ':', rules.lexical);
    sink.result(close, source.slice(arrow + 2, end), '');
    types(arrow + 2, end, sink);
  } else returned(draft, sink);
  if (isMethod) assignedParameters(draft, typed, sink);
  const isFixture = source.slice(draft.start, draft.nameStart).includes('fixture');
  if (isFixture || draft.name.startsWith('test')) fixtures(open + 1, close - 1, typed, sink);
}

/** Parameters of tests and fixtures: pytest gives the result of the fixture of that name. */
function fixtures(from: number, to: number, typed: ReadonlyMap<string, string>, sink: FactSink): void {
  for (const { start, end } of elementsOf(from, to, sink)) {
    const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(headText(sink.source, start, end, MAX_NAME_LENGTH))?.[0];
    if (name === undefined || !typed.has(name)) continue;
    sink.reference(start, start + name.length, 'read', `fixture#.${name}`);
    if (typed.get(name) === '') sink.local(start, name, '', `fixture#.${name}()`);
  }
}

const MAX_NAME_LENGTH = 100;

/** States parameters and returns their types by name; `method` is the name of the method, '' for other functions. */
function parameters(from: number, to: number, sink: FactSink, method: string): Map<string, string> {
  const { source, rules } = sink;
  const typed = new Map<string, string>();
  for (const [index, { start, end }] of elementsOf(from, to, sink).entries()) {
    const stars = /^\*{0,2}\s*/.exec(source.slice(start, end))?.[0].length ?? 0;
    const colon = findOutside(source, start, end, ':=', rules.lexical);
    const name = source.slice(start + stars, colon).trim();
    if (!NAME.test(name)) continue;
    const equals = source[colon] === ':' ? findOutside(source, colon + 1, end, '=', rules.lexical) : colon;
    const stated = source.slice(colon + 1, equals).trim();
    const annotation = ANY.test(stated) ? '' : stated;
    if (annotation !== '') types(colon + 1, equals, sink);
    if (method !== '' && index === 0 && /^(?:self|cls)$/.test(name)) continue;
    const type = stars === 0 ? annotation : '';
    typed.set(name, type);
    const value = defaultValue(equals + 1, end, sink);
    sink.local(start, name, type, value || inheritedType(method, index, annotation));
    if (isOverridable(method) && NAMED_TYPE.test(type)) sink.parameter(from, index, type);
    if (equals < end) handedOn(equals + 1, end, HANDED_ON, sink);
  }
  return typed;
}

/** Access path of what a parameter is without an argument: its default, or what the function gives that FastAPI calls for it. */
function defaultValue(from: number, end: number, sink: FactSink): string {
  if (from > end) return '';
  const given = DEPENDS.exec(headText(sink.source, from, end, MAX_VALUE_LENGTH - 1))?.[1];
  return given === undefined ? followable(sink.accessPath(from, end)) : `${given}()`;
}

/** `cart=Depends(open_cart)` of FastAPI */
const DEPENDS = /^\s*(?:\w+\.)?(?:Depends|Security)\(\s*([A-Za-z_][\w.]*)\s*[,)]/;

/** Annotations that state no type: what is called on such a value may be anything's. */
const ANY = /^["']?(?:(?:\w+\.)?Optional\[\s*)?(?:\w+\.)?Any\s*(?:\])?(?:\s*\|\s*None)?["']?$/;

/** A type that a file can define, possibly in quotes, or one of several. */
const NAMED_TYPE =
  /^["']?(?:(?:[a-z_]\w*\.)*[A-Z]\w*\b)(?<!\b(?:None|Any|Optional|Callable|Type|Union|List|Dict|Literal))/;

/** Type of a parameter; without an annotation it is the one that the method of a parent type states. */
function inheritedType(method: string, index: number, type: string): string {
  return type === '' && isOverridable(method) ? `super.${method}(${index})` : '';
}

function isOverridable(method: string): boolean {
  return method !== '' && !/^(?:test|__)/.test(method);
}

const ASSIGNED =
  /\bself\.(\w+)[ \t]*=[ \t]*(?:[\w.()[\]{}]* if [^\n]{1,60} else[ \t]+)?(?:(?:list|tuple|set|sorted|dict)\()?(\w+)\)?[ \t]*(?=\r?\n|$|or\b|if\b)/g;

/** `self.store = store`: the field has the parameter's type. */
function assignedParameters(
  { kind, signatureEnd, end }: DefinitionView,
  typed: Map<string, string>,
  sink: FactSink,
): void {
  if (kind !== 'constructor' && ![...typed.values()].some((type) => NAMED_TYPE.test(type))) return;
  const body = headText(sink.source, signatureEnd, end, MAX_BODY_LENGTH);
  for (const match of body.matchAll(ASSIGNED)) {
    const type = typed.get(match[2]);
    // The name of a parameter without a type tells what the field is.
    const given = type === '' && match[1] !== match[2] ? `given#.${match[2]}` : '';
    field(signatureEnd + match.index, match[1], type ?? '', given, sink);
  }
}

/** States the value of the only `return` of a function without an annotation. */
function returned({ start, nameStart, signatureEnd, end }: DefinitionView, sink: FactSink): void {
  if (end - signatureEnd > MAX_BODY_LENGTH) return;
  const body = sink.source.slice(signatureEnd, end);
  const yields = /\byield\b/.test(body);
  if (/\b(?:def|class)\b/.test(body)) return;
  // A test gets what a fixture yields.
  if (yields && !sink.source.slice(start, nameStart).includes('fixture')) return;
  const found = [...body.matchAll(yields ? /^[ \t]*yield\b[ \t]*/gm : /^[ \t]*return\b[ \t]*/gm)];
  if (found.length !== 1) return;
  const from = signatureEnd + found[0].index + found[0][0].length;
  const stop = findOutside(sink.source, from, end, '\n', LEXICAL);
  sink.result(from, '', heldValue(from, stop, sink), true);
}

/** `lambda a, b=1: …` */
export function lambda({ start, end }: NodeView, sink: FactSink): void {
  parameters(start, end, sink, '');
}

const NAMES = /[\p{L}_][\p{L}\p{N}_]*/gu;

/** `left: type = value`, `left = value`, `left := value`. */
export function assignment({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const stop = findOutside(source, start, end, ':=', rules.lexical);
  const isAnnotated = source[stop] === ':' && source[stop + 1] !== '=';
  const equals = isAnnotated ? findOutside(source, stop + 1, end, '=', rules.lexical) : stop;
  const written = isAnnotated ? source.slice(stop + 1, equals).trim() : '';
  // `Mapped["Cart"]` of SQLAlchemy
  const type = /^(?:\w+\.)?Mapped\[/.test(written) ? written.replace(/["']/g, '') : written;
  if (isAnnotated) types(stop + 1, equals, sink);
  let from = equals + (source[equals] === ':' ? 2 : 1);
  if (from < end) {
    handedOn(from, end, HANDED_ON, sink);
    statedPath(
      skipSpace(source, from, end, rules.lexical),
      end,
      sink,
      /_APPLICATION\s*$/.test(source.slice(start, stop)),
    );
  }
  // `a = b = value` has an assignment node for each name. The value begins behind the last `=` that is no part of `==`, `!=` or the like.
  const near = Math.min(end, from + MAX_VALUE_LENGTH);
  for (let next = from; next < near; ) {
    next = findOutside(source, next, near, '=', rules.lexical) + 1;
    if (next <= near && source[next] !== '=' && /[\w\s\])]/.test(source[next - 2] ?? '')) from = next;
    else break;
  }
  const alias = aliased(start, stop, type, { from, end }, sink) || related(type, { from, end }, sink);
  if (alias === '') bind(start, stop, type, heldValue(from, end, sink), sink);
  else bind(start, stop, alias, '', sink);
}

/** Fields of Django and SQLAlchemy that hold an object of another class, which can be named by a string. */
const RELATED =
  /^\s*(?:\w+\.)*(ForeignKey|OneToOneField|relationship)\(\s*(?:to\s*=\s*)?(?:(["'])(?:\w+\.)*(\w+)\2|((?:\w+\.)*[A-Z]\w*))\s*[,)]/;

function related(type: string, { from, end }: { from: number; end: number }, sink: FactSink): string {
  if (type !== '') return '';
  const [, field, , named, written] = RELATED.exec(headText(sink.source, from, end, MAX_VALUE_LENGTH)) ?? [];
  const one = named === 'self' || named === undefined ? (written ?? '') : named;
  // A relationship holds one or many.
  return field === 'relationship' && one !== '' ? `Union[${one}, list[${one}]]` : one;
}

const ALIAS = /^(?:[\w.]+\.)?TypeAlias$/;
/** `Union[Cart, None]`, `Cart | Basket`; words in capitals are flags. */
const ALIASED =
  /^(?:(?:[a-z]\w*\.)?(?:Union|Optional|Type)\[|[A-Z][A-Z\d_]*[a-z]\w*(?:\s*\|\s*[A-Z][A-Z\d_]*[a-z]\w*)+\s*$)/;
const ALIAS_NAME = /^_*[A-Z]\w*[a-z]/;

/** The type that a name stands for, without quotes: `Carts: TypeAlias = "list[Cart]"`, `Item = Union[Cart, Basket]`; '' for other values. */
function aliased(at: number, stop: number, type: string, value: { from: number; end: number }, sink: FactSink): string {
  const { from, end } = value;
  const text = headText(sink.source, from, end, MAX_VALUE_LENGTH).trim();
  const isAlias = type === '' ? ALIASED.test(text) && ALIAS_NAME.test(sink.source.slice(at, stop)) : ALIAS.test(type);
  if (!isAlias || end - from > MAX_VALUE_LENGTH) return '';
  types(from, end, sink);
  return text.replace(/^(["'])(.*)\1$/s, '$2');
}

/** Binds a field, a local, or the names of a pattern. */
function bind(from: number, to: number, stated: string, value: string, sink: FactSink): void {
  const type = ANY.test(stated) ? '' : stated;
  const left = sink.source.slice(from, to).trim();
  const own = /^self\.([\p{L}_][\p{L}\p{N}_]*)$/u.exec(left);
  // The bare name of a parameter means nothing outside its function: `definition` states its type. That of a class does.
  if (own !== null) field(from, own[1], type, NAME.test(value) && !CLASS_NAME.test(value) ? '' : value, sink);
  else if (NAME.test(left) && isOuterName(from, left, sink)) return;
  else if (NAME.test(left)) sink.variable(from, left, type, value);
  else shadows(from, to, sink);
}

const CLASS_NAME = /^_*[A-Z][A-Z\d]*[a-z]/;

/** Rests of blocks behind `global total`, by the name that they take from outside. That statement is read before the assignments behind it. */
const outerNamesOf = perFile(() => new Map<string, { start: number; end: number }[]>());
/** Most functions that take one name from outside: each is looked at for each assignment of the name. */
const MAX_OUTER = 200;

export function outerName({ start, end, text }: NodeView, sink: FactSink): void {
  const { source } = sink;
  const indent = start - source.lastIndexOf('\n', start - 1) - 1;
  const after = new RegExp(`\\n {0,${Math.max(0, indent - 1)}}[^\\s#]`, 'g');
  after.lastIndex = end;
  const last = after.exec(source.slice(0, end + MAX_BODY_LENGTH))?.index ?? end + MAX_BODY_LENGTH;
  const known = outerNamesOf(sink);
  for (const [name] of text.replace(/^\w+/, '').matchAll(NAMES)) {
    const places = known.get(name) ?? [];
    if (places.length < MAX_OUTER) known.set(name, [...places, { start, end: last }]);
  }
}

function isOuterName(at: number, name: string, sink: FactSink): boolean {
  const places = outerNamesOf(sink).get(name);
  return places?.some(({ start, end }) => start < at && at < end) ?? false;
}

/** States names that hide imports and symbols of the same name, whatever their value. */
export function shadows(from: number, to: number, sink: FactSink): void {
  const text = sink.source.slice(from, to);
  if (text.length > MAX_LIST_LENGTH || /[.[]/.test(text)) return;
  for (const match of text.matchAll(NAMES)) sink.variable(from + match.index, match[0], '', '');
}

/** UTF-16 units of a value, of a string with a path, or of names that get one value, that are read. */
const MAX_VALUE_LENGTH = 300;
const CONSTANT = /^(?:None|True|False|\d.*|NotImplemented)$/;

export function field(at: number, name: string, type: string, value: string, sink: FactSink): void {
  if (type !== '' || value !== '') sink.field(at, name, type, value);
}

/** Access path of a value; of `a if b else c` and `a or b`, that of the first part with one. */
export function heldValue(from: number, to: number, sink: FactSink): string {
  const text = headText(sink.source, from, to, MAX_VALUE_LENGTH);
  const copied = COPIES.exec(text) ?? PARTIAL.exec(text);
  if (copied !== null) return copied[1].replace(/^(?:self|cls)(?=\.)/, 'this');
  const whole = followable(sink.accessPath(from, to));
  if (whole !== '' && whole !== '?') return whole;
  const word = wordOutside(text, CHOICES);
  if (word === null) return whole;
  const first = followable(sink.accessPath(from, from + word.start));
  if (first !== '' && first !== '?' && !NAME.test(first)) return first;
  const other = word.text === 'if' ? wordOutside(text, /\belse\b/g) : word;
  return other === null ? whole : heldValue(from + other.end, to, sink);
}

/** `list(carts)` has the elements of what it copies, `copy(cart)` is of the same type. */
const COPIES =
  /^\s*(?:list|tuple|set|frozenset|sorted|reversed|iter|(?:collections\.)?deque|(?:copy\.)?(?:deep)?copy)\(([\p{L}_][\p{L}\p{N}_.]*)\)\s*$/u;
/** A function with some arguments given runs the function. */
const PARTIAL = /^\s*(?:functools\.)?partial(?:method)?\(\s*([\p{L}_][\p{L}\p{N}_.]*)\s*[,)]/u;
const CHOICES = /\b(?:if|or)\b/g;

/** The first match outside brackets and strings. */
function wordOutside(text: string, words: RegExp): { text: string; start: number; end: number } | null {
  for (const match of text.matchAll(words)) {
    const before = text.slice(0, match.index).replace(/(["'])(?:\\.|(?!\1)[^\\\n])*\1/g, '');
    const depth = [...before].reduce(
      (sum, char) => sum + ('([{'.includes(char) ? 1 : ')]}'.includes(char) ? -1 : 0),
      0,
    );
    if (depth === 0 && !/["']/.test(before))
      return { text: match[0], start: match.index, end: match.index + match[0].length };
  }
  return null;
}

function followable(accessPath: string): string {
  return CONSTANT.test(accessPath) ? '' : accessPath;
}

export const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['.'],
  prefixes: ['await'],
  root: (name, join) => (name === 'self' || name === 'cls' ? 'this' : name === 'super' && join !== '' ? 'super' : name),
  quotes: '"\'',
  lineComments: ['#'],
  spread: /^\*/,
};
export const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;
export const HANDED_ON = /^(?:\w+\s*=\s*)?((?!(?:None|True|False)$)[\p{L}_][\p{L}\p{N}_.]*)$/u;

// Imports as a program writes them that moves a symbol.

const MODULE_ENDING = /(?:\/__init__)?\.pyi?$/;
const moduleParts = (path: string): string[] => path.replace(MODULE_ENDING, '').split('/');
const packageParts = (path: string): string[] => path.split('/').slice(0, -1);

/** A module as one of that folder names it: `.rules`, `..cart`. Null if they have no folder in common. */
function relativeModule(from: string, to: readonly string[]): string | null {
  const folder = packageParts(from);
  let same = 0;
  while (same < folder.length && same < to.length && folder[same] === to[same]) same++;
  if (same === 0) return null;
  return '.'.repeat(folder.length - same + 1) + to.slice(same).join('.');
}

export const MODULE_IMPORTS: ImportText = {
  specifier(from, to, like) {
    if (like === null) return null;
    if (like.specifier.startsWith('.')) return relativeModule(from, moduleParts(to));
    const [named, path, target] = [like.specifier.split('.'), moduleParts(like.to), moduleParts(to)];
    const root = path.slice(0, Math.max(0, path.length - named.length));
    const isBelow = root.every((part, i) => target[i] === part) && path.slice(root.length).join('.') === like.specifier;
    const parts = target.slice(root.length);
    return isBelow && parts.length > 0 && parts.every((part) => /^[^\W\d]\w*$/u.test(part)) ? parts.join('.') : null;
  },
  relocated(specifier, from, to) {
    const [, dots, rest] = /^(\.*)(.*)$/s.exec(specifier) ?? ['', '', specifier];
    if (dots === '') return specifier;
    const folder = packageParts(from);
    if (dots.length > folder.length) return null;
    const parts = folder.slice(0, folder.length - dots.length + 1);
    return relativeModule(to, rest === '' ? parts : [...parts, ...rest.split('.')]);
  },
  span(statement) {
    const found = /^from\s+([\w.]+)\s+import\b/.exec(statement);
    return found === null ? null : [found[0].indexOf(found[1], 4), found[0].indexOf(found[1], 4) + found[1].length];
  },
  entry: (_, entry, specifier) => `from ${specifier} import ${entry}`,
  whole(statement, { name, alias }, specifier) {
    if (name !== '*' || !/^import\b/.test(statement)) return null;
    return alias === specifier ? `import ${specifier}` : `import ${specifier} as ${alias}`;
  },
  plain: (_, name, specifier) => `from ${specifier} import ${name}`,
  exported: '',
  apart: 2,
  assignsOuter: /^[ \t]*global[ \t]/m,
  forFile: '__future__',
  circlesFail: true,
};
