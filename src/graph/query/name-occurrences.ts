/**
 * Reads in texts of files what the graph does not hold: occurrences of names that it does not explain, names that macros or code put
 * together, calls by a name that a value holds, and words of a declaration, and places around it, that say who may use it.
 */
import { eachIdentifier } from '../../extract/terms.js';
import { conventionsOf, sameFamily } from '../../languages/registry.js';
import type { Graph, NodeKind } from '../graph.js';
import { REEXPORT_KINDS } from '../tables.js';
import { classOf, PAGE } from './node-place.js';
import { overloadsOf } from './overloads.js';
import { type Excuse, isSurelyOutside } from './unused.js';
import { isFunction, isType, siblingsNamed } from './uses.js';

/** One name in the text of a file. */
export interface NamePlace {
  name: string;
  file: number;
  line: number;
  /** True in quotes. */
  isText: boolean;
  /** True in an import: the file may use it, or import it in vain. */
  isImport: boolean;
  /** Words before it that a path joins to it: `shop.cart` of `'shop.cart.Cart'`. */
  within: readonly string[];
  /** True in code that was read as a whole, where nothing asks a value for the name, and no sign behind it makes it a key. */
  isBare?: true;
  /** True in the text that documents a definition. */
  isProse?: true;
}

/** Longest path before a name. */
const MAX_WITHIN = 200;
const WITHIN = /(?:[\w$-]+(?:\.|::|\\{1,2}|[/#:@]))+$/;

/** Words of the path that a quoted name, or one of configuration, ends: `['shop', 'cart']` of `shop.cart.Cart`. */
function pathBefore(before: string): readonly string[] {
  const path = WITHIN.exec(before.slice(-MAX_WITHIN))?.[0];
  return path === undefined ? [] : path.split(/[^\w$-]+/).filter(Boolean);
}

/** Does the path before a name lead to a definition: through its type, its file or the folder of its file? */
export function isItsPath(graph: Graph, node: number, { within }: NamePlace): boolean {
  const last = within[within.length - 1];
  if (last === undefined) return false;
  const container = graph.container(node);
  if (!graph.isFile(container)) return graph.name(container) === last;
  const [file = '', folder = ''] = graph.path(node).split('/').reverse();
  const stem = file.replace(/\.[^.]*$/, '');
  return stem === last || (folder === last && (stem === graph.name(node) || within.length > 1));
}

/** Text before a name in a comment: the whole line is one, or its end. */
const COMMENT = /(?:^|\s)(?:\/\/|#\s)|^\s*(?:\/\*|\*\s|<!--|--\s)/;
/** Prose in formats of data: changelogs, pages of a site and manual pages; and logs. */
const PROSE =
  /(?:^|\/)(?:changes?|change-?log|history|news|release-?notes?|releases?)[^/]*\.(?:xml|txt|ya?ml|json|html?)$|(?:^|\/)(?:xdocs?|docs?|site)\/.*\.(?:xml|fml)$|(?:^|\/)man\d?\/[^/]*\.\d\w*$|\.log$/i;
/** Lists of known findings that linters keep, of what a library offers, and settings of editors: tools write them from code. */
const LISTED =
  /(?:^|\/)\.idea\/(?!runConfigurations\/)|(?:^|[._/-])baseline\.(?:php|neon|xml)$|(?:^|\/)api\/[^/]+\.api$/i;

/** Does the text before a name on its line leave a quote open? */
function isQuoted(before: string): boolean {
  let open = '';
  for (let i = 0; i < before.length; i++) {
    const sign = before[i];
    if (sign === '\\') i++;
    else if (open === '' && QUOTES.has(sign)) open = sign;
    else if (sign === open) open = '';
  }
  return open !== '';
}

const QUOTES: ReadonlySet<string> = new Set(['"', "'", '`']);

/** Places of `names` in a file that no resolved use, definition or import of another file explains. */
export function unexplainedPlaces(
  graph: Graph,
  file: number,
  { text, names }: { text: string; names: ReadonlySet<string> },
): NamePlace[] {
  // Prose names things, but does not use them.
  const { path, state } = graph.tables.files[file];
  // Code in a folder of documents is code.
  const isProse = classOf(graph, file) === 'document' && state !== 'linked';
  if ((isProse && !PAGE.test(path)) || PROSE.test(path) || LISTED.test(path)) return [];
  const found: NamePlace[] = [];
  let known: ReturnType<typeof knownLines> | null = null;
  let prose: ReturnType<typeof docstrings> | null = null;
  const { memberReceivers, parameters } = conventionsOf(graph.tables.files[file].language);
  const setsLocals = memberReceivers === 'always' && parameters?.keyword?.test('name=1') !== true;
  const isCode = state === 'linked' && graph.tables.files[file].isIncomplete !== true && !STATIC_IMPORT.test(text);
  eachName(text, names, (identifier, at, { line, start }) => {
    known ??= knownLines(graph, file, names);
    const before = text.slice(start, at);
    if (isHead(known.heads.get(identifier), line)) return;
    if (known.explained.has(`${line} ${identifier}`) || known.reexports.has(line) || COMMENT.test(before)) return;
    const isImport = known.imports.has(line);
    const isText = !isImport && isQuoted(before);
    const within = isText || state !== 'linked' ? pathBefore(before) : [];
    prose ??= docstrings(graph, file, text);
    found.push({
      ...{ name: identifier, file, line, isImport, isText, within },
      ...(isCode && !isText && !isImport && isBareAt(text, at, identifier, setsLocals) && { isBare: true as const }),
      ...(prose.some(([from, to]) => at >= from && at < to) && { isProse: true as const }),
    });
  });
  return found;
}

/** Imports that let code name members of a type without it. */
const STATIC_IMPORT = /^\s*(?:import|(?:global\s+)?using)\s+static\s/m;
/** Text before a name that asks a value or a type for it: `cart.total`, `cart->total`, `Cart::$total`. */
const ASKED = /(?:[.\\]|->|::\$?|@)\s*$/;
/** Text behind a name that makes it a key, or gives a member of a trait another name; and that sets a local, or names an argument. */
const KEYED = /^\s*(?::(?![:=])|(?:as|insteadof)\s)/;
const SET = /^\s*=(?![=>])/;
/** Longest white space around a name that is looked at. */
const MAX_AROUND = 40;

function isBareAt(text: string, at: number, name: string, setsLocals: boolean): boolean {
  const before = text.slice(Math.max(0, at - MAX_AROUND), at);
  const after = text.slice(at + name.length, at + name.length + MAX_AROUND);
  if (ASKED.test(before)) return false;
  // The sign of a variable tells what it is, whatever follows: `foreach ($items as $item)` gives no member another name.
  return before.endsWith('$') || (!KEYED.test(after) && (setsLocals || !SET.test(after)));
}

const MEMBER_KINDS: ReadonlySet<NodeKind> = new Set(['method', 'field', 'property', 'constant']);

/** Can a bare name in the code of a file mean a definition? A member of a type needs a receiver, as its language says. */
export function bareReach(graph: Graph, node: number): (file: number) => boolean {
  const type = graph.container(node);
  const { memberReceivers } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (memberReceivers === undefined || graph.isFile(type) || !isType(graph, type)) return () => true;
  if (!MEMBER_KINDS.has(graph.kind(node)) || graph.kind(type) === 'enum') return () => true;
  // Code of the type, and of its heirs, was linked: a bare name in it that leads nowhere is a local.
  const { language } = graph.tables.files[graph.fileOf(node)];
  const isOther = (file: number) => graph.tables.files[file].language !== language;
  return isOther;
}

/** Can no string in the code of a file name a function, since programs do not keep its name? */
export function isLostInCode(graph: Graph, node: number): (file: number) => boolean {
  const { language } = graph.tables.files[graph.fileOf(node)];
  const { hiddenNames } = conventionsOf(language);
  const isMember = isType(graph, graph.container(node));
  const isLost = hiddenNames === 'lost' || (hiddenNames === 'lost-outside-types' && !isMember);
  if (!isLost || !isFunction(graph, node) || graph.isExported(node)) return () => false;
  return (file) => {
    const { state, language: other } = graph.tables.files[file];
    return state === 'linked' && sameFamily(language, other);
  };
}

/** Places of the strings that document the definitions of a file, as its language writes them. */
function docstrings(graph: Graph, file: number, text: string): readonly [from: number, to: number][] {
  const { docstring } = conventionsOf(graph.tables.files[file].language);
  if (docstring === undefined) return [];
  const found: [number, number][] = [];
  for (const { 0: head, 1: quote = '', index } of text.matchAll(docstring)) {
    const from = index + head.length;
    const to = text.indexOf(quote, from);
    if (to >= 0 && from >= (found.at(-1)?.[1] ?? 0)) found.push([from, to]);
  }
  return found;
}

type VisitName = (name: string, at: number, place: { line: number; start: number }) => void;

/** Visits each of `names` in a text with its offset and line, those of each name in ascending order. */
function eachName(text: string, names: ReadonlySet<string>, visit: VisitName): void {
  const lines = lineFinder(text);
  const see = (name: string, at: number) => {
    if (names.has(name)) visit(name, at, lines(at));
  };
  eachIdentifier(text, (identifier, at) => {
    if (names.has(identifier) || !identifier.includes('$')) see(identifier, at);
    // Names that a string interpolates, one after another: `"$first$last"`.
    else for (const { 0: part, index } of identifier.matchAll(/[^$]+/g)) see(part, at + index);
    // The first letter may be that of an escape: `"\ntotal"`, and `\btotal` in a pattern.
    if (text[at - 1] === '\\') see(identifier.slice(1), at + 1);
  });
  for (const name of names) if (wordsIn(name).length > 1) eachPhrase(text, name, visit);
}

/** Words of a name: several in one that is no identifier, such as a key in quotes, `'content-type'`. */
export const wordsIn = (name: string): readonly string[] => name.match(/[\p{L}\p{N}\p{M}_$]+/gu) ?? [];

const JOINED = /[\p{L}\p{N}\p{M}_$-]/u;

/** Visits a name of several words where nothing goes on before or behind it. */
function eachPhrase(text: string, name: string, visit: VisitName): void {
  const lines = lineFinder(text);
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
    if (!JOINED.test(text[at - 1] ?? '') && !JOINED.test(text[at + name.length] ?? '')) visit(name, at, lines(at));
}

/** Names by which templates call a method, or code of other languages does, as its language says. */
export function readNames(graph: Graph, node: number): string[] {
  const { readAs } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const name = graph.name(node);
  const value = readAs === undefined || graph.kind(node) !== 'method' ? name : name.replace(readAs.prefix, '');
  return value === name ? [] : [value, `${value[0].toLowerCase()}${value.slice(1)}`];
}

/** Places of members in a text: `cart.total` for `total`. */
export function memberPlaces(file: number, text: string, names: ReadonlySet<string>): NamePlace[] {
  const found: NamePlace[] = [];
  const lines = lineFinder(text);
  eachIdentifier(text, (name, at) => {
    if (!names.has(name) || text[at - 1] !== '.') return;
    found.push({ name, file, line: lines(at).line, isImport: false, isText: false, within: [] });
  });
  return found;
}

/** Finds the line (1-based) of an offset, and the line's first offset. Offsets must ascend from call to call. */
function lineFinder(text: string): (at: number) => { line: number; start: number } {
  let line = 1;
  let start = 0;
  return (at) => {
    for (let end = text.indexOf('\n', start); end >= 0 && end < at; end = text.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    return { line, start };
  };
}

/** Maximum number of lines from the beginning of a definition to its name: decorators and modifiers. */
export const HEAD_LINES = 8;

/** Lines in which a definition's name stands. */
interface Head {
  first: number;
  last: number;
  /** The line that has it first, 0 before one is found: below it, a body may name something else. */
  at: number;
}

/** Definitions of one name in a file by their first lines, and the index of the first one that is not passed yet. */
interface Heads {
  list: Head[];
  next: number;
}

/** Is it the line of a definition that has its name? Lines must ascend from call to call. */
function isHead(heads: Heads | undefined, line: number): boolean {
  if (heads === undefined) return false;
  const { list } = heads;
  while (heads.next < list.length && list[heads.next].last < line) heads.next++;
  let found = false;
  for (let i = heads.next; i < list.length && list[i].first <= line; i++) {
    if (list[i].at === 0) list[i].at = line;
    if (list[i].at === line) found = true;
  }
  return found;
}

interface KnownLines {
  /** By name. */
  heads: Map<string, Heads>;
  /** `LINE NAME` of uses that lead somewhere or surely out of the repository. */
  explained: Set<string>;
  imports: Set<number>;
  reexports: Set<number>;
}

function knownLines(graph: Graph, file: number, names: ReadonlySet<string>): KnownLines {
  const { nodeBase, edgeBase, edgeLine, edgeSpan, edgeName, strings } = graph.tables;
  const known: KnownLines = { heads: new Map(), explained: new Set(), imports: new Set(), reexports: new Set() };
  const add = (first: number, last: number, name: string) => {
    for (let line = first; line <= last; line++) known.explained.add(`${line} ${name}`);
  };
  for (let node = nodeBase[file] + 1; node < nodeBase[file + 1]; node++) {
    const name = plainName(graph.name(node));
    const first = graph.startLine(node);
    if (!names.has(name)) continue;
    const head = { first, last: Math.min(graph.endLine(node), first + HEAD_LINES), at: 0 };
    const heads = known.heads.get(name) ?? { list: [], next: 0 };
    known.heads.set(name, heads);
    heads.list.push(head);
  }
  for (let edge = edgeBase[nodeBase[file]]; edge < edgeBase[nodeBase[file + 1]]; edge++) {
    const [first, last] = [edgeLine[edge], edgeLine[edge] + edgeSpan[edge]];
    if (graph.isFileEdge(edge)) {
      const lines = REEXPORT_KINDS.has(graph.edgeKind(edge)) ? known.reexports : known.imports;
      for (let line = first; line <= last; line++) lines.add(line);
      continue;
    }
    const name = plainName(strings[edgeName[edge]]);
    if (names.has(name) && isExplained(graph, edge, file)) add(first, last, name);
  }
  return known;
}

/** Does a use surely mean its target? If a file defines a name twice, the name alone may mean either. */
function isExplained(graph: Graph, edge: number, file: number): boolean {
  const target = graph.target(edge);
  if (target < 0) return isSurelyOutside(graph, edge);
  const { edgeReceiver, strings } = graph.tables;
  if (strings[edgeReceiver[edge]] !== '' || graph.fileOf(target) !== file) return true;
  // Variants count as one: a use of any is a use of each. Overloads that are told apart have their own uses.
  const same = [...overloadsOf(graph, target), ...siblingsNamed(graph, target)];
  // Constructors have the name of their class in some languages; the use says which of them it means.
  const isMaker = (other: number) => graph.container(other) === target && graph.kind(other) === 'constructor';
  return !graph
    .namesakes(target)
    .some((other) => graph.fileOf(other) === file && !same.includes(other) && !isMaker(other));
}

/** A name as a run of letters in the text, without the sign of a private member or a predicate. */
export const plainName = (name: string): string => name.replace(/^#|[?!]$/g, '');

/** Beginning of a line that calls a macro, by its name in capitals. */
const MACRO_CALL = /^[ \t]*[A-Z][A-Z\d_]{2,}[ \t]*\(/;
/** Maximum number of lines of a macro's call that are read. */
const MACRO_LINES = 4;

/** Part of a name beside the sign that pastes it: `read_##name`, `name##_init`. */
const PASTED = /\b([A-Za-z_]\w{1,60})[ \t]{0,9}(?=##)|##[ \t]{0,9}(_?[A-Za-z]\w{1,60})\b/g;

/** Words in calls of macros, which may paste them into names: `cart` in `DEFINE_TYPE (Cart, cart)` makes `cart_init`. */
export function macroWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  const lines = text.split('\n');
  for (const [i, line] of lines.entries()) {
    if (!MACRO_CALL.test(line)) continue;
    const call = lines.slice(i, i + MACRO_LINES).join('\n');
    const end = call.indexOf(')');
    // A call outside of functions defines something, and its macro can add words on both sides.
    const isDefinition = !/^\s/.test(line);
    eachIdentifier(end < 0 ? call : call.slice(0, end), (word) => {
      words.add(word);
      if (isDefinition) words.add(`##${word}##`);
    });
  }
  for (const part of pastedParts(text)) words.add(part);
  return words;
}

/** Parts of names that macros of a text paste others to: `##_class` of `#define CLASS(name) name ## _class`. */
export function pastedParts(text: string): Iterable<string> {
  if (!text.includes('##')) return [];
  return Array.from(text.matchAll(PASTED), ([, before, after]) =>
    before === undefined ? `##${after}` : `${before}##`,
  );
}

/** May a macro make the name out of one of the words and other parts? */
export function isPasted(name: string, words: ReadonlySet<string>): boolean {
  const joins = [...name.matchAll(/_/g)].map(({ index }) => index);
  return joins.some((at, i) => {
    const ends = [name.slice(0, at), name.slice(at + 1), `${name.slice(0, at + 1)}##`, `##${name.slice(at)}`];
    const middles = joins.slice(i + 1).map((end) => `##${name.slice(at + 1, end)}##`);
    return [...ends, ...middles].some((part) => words.has(part));
  });
}

/** A quoted part of a name beside a value: `"read_#{kind}"`, `"_{$kind}Reader"`, `` `${kind}Reader` ``, `"read_{}"`, `"read_%s"`, `'read_' + kind`. */
const COMPUTED =
  /["'`]([A-Za-z_]\w{2,60})(?:[#$]?\{[^{}"'`\n]{0,80}\}|%s)(?=["'`_{%#$])|["'`]\w{0,60}(?:[#$]?\{[^{}"'`\n]{0,80}\}|%s)(\w{3,60})["'`]|["'`]([A-Za-z_]\w{2,60})["'`]\s{0,4}[+.]\s{0,4}[$\w]|[$\w)\]]\s{0,4}[+.]\s{0,4}["'`](\w{3,60})["'`]/g;

/** Shortest part of a name that is looked for as one. */
const MIN_FRAGMENT = 6;

/** Parts of a name, at its joins, that code may put together with others: `_load_` and `_json` of `_load_json`, `addButton` of `addButtonPicker`. */
export function fragmentsOf(name: string): string[] {
  const joins = [...name.matchAll(/_/g)].map(({ index }) => index).filter((at) => at > 0);
  const humps = Array.from(name.matchAll(/[a-z\d](?=[A-Z])/g), ({ index }) => name.slice(0, index + 1));
  return joins
    .flatMap((at) => [name.slice(0, at + 1), name.slice(at)])
    .concat(humps)
    .filter(({ length }) => length >= MIN_FRAGMENT && length < name.length);
}

/** Does a text have a part of a name in quotes, alone or beside a value: `"_load_"`, `f"_load_{kind}"`, `"%s_json"`? A word needs the value. */
export function hasFragment(text: string, fragment: string): boolean {
  if (!/^_|_$/.test(fragment)) return computedParts(text).some(([start, end]) => start === fragment && end === '');
  const isStart = fragment.endsWith('_');
  for (let at = text.indexOf(fragment); at >= 0; at = text.indexOf(fragment, at + 1)) {
    const [before, after] = [text[at - 1] ?? '', text[at + fragment.length] ?? ''];
    if (/["'`]/.test(isStart ? before : after) && /["'`{}%#$s]/.test(isStart ? after : before)) return true;
  }
  return false;
}

/** Calls that find the properties of a file by the beginning of their names. */
const PROPERTIES = /\b(?:quickCheckAll|allProperties|forAllProperties|verboseCheckAll|polyQuickCheck)\b/;

/** Beginnings and ends of names that a file makes while it runs. */
export function computedParts(text: string): readonly [start: string, end: string][] {
  const found = new Map<string, [string, string]>();
  for (const [, start, end, first, last] of text.matchAll(COMPUTED))
    found.set(`${start ?? first} ${end ?? last}`, [start ?? first ?? '', end ?? last ?? '']);
  if (PROPERTIES.test(text)) found.set('prop_ ', ['prop_', '']);
  return [...found.values()];
}

/** Calls of a member of the own object by a name that a value holds: `send(rule)`, `method(rule).call`, `this[kind]()`, `$this->$kind()`. */
const BY_VALUE =
  /\b(?:__send__|public_send|send|method|instance_method)\([ \t]{0,4}@?[a-z_]\w{0,60}[ \t]{0,4}[,)]|\bgetattr\((?:self|cls),[ \t]{0,4}[a-z_]|\bthis\[[ \t]{0,4}[a-z_$][\w$.]{0,60}[ \t]{0,4}\]\(|\$this->(?:\$\w{1,60}|\{\$\w{1,60}\})\(|\[\$this,[ \t]{0,4}\$\w/;

/** Does a file call members of its own objects by names that values hold? Then any of them may be called. */
export const callsByValue = (text: string): boolean => BY_VALUE.test(text);

/** Does a page make elements of scripts, which may use what it has? */
export const makesScripts = (text = ''): boolean => /\bcreateElement\(\s{0,9}["'`]script\b/i.test(text);

export const FOREIGN: Excuse = { verdict: 'framework', reason: 'its file declares it for code of another language' };

/** Functions that a bridge to another language in the text declares, without their bodies. */
export function foreignNames(text: string): ReadonlySet<string> {
  if (!/\bextern\s+"Rust"\s*\{/.test(text)) return new Set();
  return new Set(Array.from(text.matchAll(/\bfn (\w{1,100})\b[^;{}]{0,300};/g), ([, name]) => name));
}
