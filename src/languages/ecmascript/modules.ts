/** Imports and exports of ECMAScript modules and of CommonJS: reading them from text, and writing them for a symbol that moves (`SCRIPT_IMPORTS`). */
import { headText } from '../roles/declarations.js';
import { directoryOf, join } from '../roles/project.js';
import { ALL_OF, type ImportedName, type ImportKind } from '../roles/relation-facts.js';
import type { Call, FactSink, ImportText, NodeRule } from '../roles/relations.js';
import { openingOf, skipSpace, skipSpaceBack, splitList, type TextRange } from '../roles/scan.js';
import { expressionEnd, patternNames } from './patterns.js';
import { entriesOf } from './routes.js';
import { returned } from './signatures.js';

/** Most UTF-16 units of a statement that are read; longer lists of names are cut off. */
const MAX_STATEMENT_LENGTH = 100_000;
const FROM = /\bfrom\s*(["'])((?:(?!\1)[^\n])+)\1/;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** The statement with spaces in place of comments, whose names, quotes and brackets do not count. */
function statementText(source: string, start: number, end: number): string {
  const text = headText(source, start, end, MAX_STATEMENT_LENGTH);
  if (!text.includes('//') && !text.includes('/*')) return text;
  return text.replace(STRING_OR_COMMENT, (found) => (found[0] === '/' ? ' '.repeat(found.length) : found));
}

const STRING_OR_COMMENT = /"[^"\n]*"|'[^'\n]*'|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*/g;

export const importStatement: NodeRule = ({ start, end }, sink) => {
  const text = statementText(sink.source, start, end);
  const bare = /^import\s*(["'])((?:(?!\1)[^\n])+)\1/.exec(text);
  if (bare !== null) {
    sink.import(start, end, 'import', bare[2]);
    return;
  }
  const assigned = /^import\s+(?:type\s+)?([\w$]+)\s*=\s*(?:require\s*\(\s*(["'])((?:(?!\2)[^\n])+)\2|([\w$.]+))/.exec(
    text,
  );
  if (assigned !== null) {
    if (assigned[4] !== undefined) sink.local(start + text.indexOf(assigned[1], 6), assigned[1], '', assigned[4]);
    else sink.import(start, end, 'require', assigned[3], [{ name: '*', alias: assigned[1] }]);
    return;
  }
  const open = text.indexOf('{');
  // A name can be `from`. Braces behind the word hold attributes: `import cart from './cart.json' with { type: 'json' }`.
  const hasList = open !== -1 && !FROM.test(text.slice(0, open));
  const brace = hasList ? text.indexOf('}', open) : -1;
  const from = FROM.exec(brace === -1 ? text : text.slice(brace));
  if (from === null) return;
  const clause = text.slice(6, brace === -1 ? from.index : brace + 1);
  const isType = /^\s*type\s+(?!from\b|,)/.test(clause);
  const names = importedNames(isType ? clause.replace(/^\s*type\b/, '') : clause);
  sink.import(start, end, isType ? 'type' : 'import', from[2], names);
};

/** Names of `d, * as n` or `d, { a as b }`. */
function importedNames(clause: string): ImportedName[] {
  const names: ImportedName[] = [];
  const head = /^\s*([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(clause);
  if (head !== null) names.push({ name: 'default', alias: head[1] });
  const all = /\*\s*as\s+([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(clause);
  if (all !== null) names.push({ name: '*', alias: all[1] });
  const brace = clause.indexOf('{');
  if (brace !== -1) names.push(...listedNames(clause.slice(brace + 1)));
  return names;
}

/** `a, type b as c, "d e" as f }` */
function listedNames(list: string): ImportedName[] {
  const end = list.indexOf('}');
  const names: ImportedName[] = [];
  for (const part of (end === -1 ? list : list.slice(0, end)).split(',')) {
    const words = part
      .trim()
      .replace(/^type\s+(?!as\s+[^\s]+$|$)/, '')
      .split(/\s+as\s+/);
    const [name, alias] = words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2').trim());
    if (name !== '') names.push({ name, alias: alias ?? name });
  }
  return names;
}

export const exportStatement: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /export\s+(?:(type\s+)?(\*|\{)|(default\b|=)\s*|(?:const|let|var)\s+(?=[{[]))/y;
  head.lastIndex = start;
  const match = head.exec(source);
  if (match === null || match.index !== start) return;
  const at = start + match[0].length;
  if (match[2] !== undefined) exportList(start, end, at, match[1] !== undefined, sink);
  else if (match[3] !== undefined) exportValue(at, end, match[3] === '=' ? '=' : 'default', sink);
  else
    for (const found of patternNames(sink, at, sink.closing(at, end), ''))
      sink.export(found.at, found.name, found.name);
};

/** `export *`, `export {…}`, with or without another file; `at` is behind the star or brace. */
function exportList(start: number, end: number, at: number, isType: boolean, sink: FactSink): void {
  const text = statementText(sink.source, start, end).slice(at - start);
  const isStar = sink.source[at - 1] === '*';
  const close = isStar ? 0 : text.indexOf('}');
  if (close === -1) return;
  const from = FROM.exec(text.slice(close));
  const kind = isType ? 'type-reexport' : 'reexport';
  if (isStar) {
    if (from === null) return;
    const alias = /^\s*as\s+(["']?)([^\s"']+)\1/.exec(text)?.[2] ?? '';
    sink.import(start, end, kind, from[2], [{ name: '*', alias }]);
    return;
  }
  const names = listedNames(text);
  if (from !== null) {
    sink.import(start, end, kind, from[2], names);
    return;
  }
  let cursor = 0;
  for (const { name, alias } of names) {
    cursor = Math.max(cursor, text.indexOf(name, cursor));
    sink.export(at + cursor, alias, name);
  }
}

const DECLARED =
  /(?:abstract\s+)?(?:async\s+)?(?:function\b\s*\*?|class\b|interface\b|enum\b)\s*([\p{L}_$][\p{L}\p{N}_$]*)?/uy;

/** `export default …`, `export = …`, `module.exports = …`: the name of the exported expression, or the source of its value. */
function exportValue(at: number, to: number, name: string, sink: FactSink): void {
  const { source } = sink;
  DECLARED.lastIndex = at;
  const declared = DECLARED.exec(source);
  if (declared !== null) {
    const local = declared[1] === 'extends' || declared[1] === 'implements' ? '' : (declared[1] ?? '');
    sink.export(at, name, local);
    if (local === '') exportedResult(at, name, sink);
    return;
  }
  let end = skipSpaceBack(source, to, at, sink.rules.lexical);
  if (source[end - 1] === ';') end--;
  const accessPath = sink.accessPath(at, end);
  if (NAME.test(accessPath)) {
    sink.export(at, name, accessPath);
    return;
  }
  if (/^(?:require|import)\(\)/.test(accessPath)) return;
  const wrapped = wrappedFunction(source.slice(Math.max(at, end - MAX_WRAPPED_LENGTH), end), source);
  if (wrapped !== '') {
    sink.export(at, name, wrapped);
    return;
  }
  // A value without a name gets the name of the export, so that other files can follow it.
  if (accessPath !== '') sink.alias(at, name, '', accessPath);
  else exportedResult(at, name, sink);
  sink.export(at, name, accessPath === '' ? '' : name);
}

/** Head of a function without a name, up to its parameters. */
const ANONYMOUS = /(?:async\s+)?(?:function\b\s*\*?\s*)?(?=\()/y;

/** States what a call of an exported function without a name gives: the file has no symbol for it. */
function exportedResult(at: number, name: string, sink: FactSink): void {
  const { source, rules } = sink;
  if (name !== '=' && name !== 'default') return;
  ANONYMOUS.lastIndex = at;
  if (!ANONYMOUS.test(source)) return;
  const limit = Math.min(source.length, at + MAX_VALUE_LENGTH);
  const close = sink.closing(ANONYMOUS.lastIndex, limit);
  const arrow = source.startsWith('=>', skipSpace(source, close, limit, rules.lexical));
  const body = skipSpace(
    source,
    arrow ? skipSpace(source, close, limit, rules.lexical) + 2 : close,
    limit,
    rules.lexical,
  );
  if (!arrow && source[body] !== '{') return;
  const end = source[body] === '{' ? sink.closing(body, limit) : expressionEnd(sink, body);
  const [, value] = returned(close, end, sink);
  if (value !== '') sink.alias(at, `${name}()`, '', value);
}

const MAX_WRAPPED_LENGTH = 300;
const WRAPPED = /\(\s*(?:[^()]*,\s*)?([\p{L}_$][\p{L}\p{N}_$]*)\s*,?\s*\)$/u;

/** The function of the file that is the last argument of an exported call: `trace({ … })(present)` stands for `present`; else ''. */
function wrappedFunction(text: string, source: string): string {
  const name = WRAPPED.exec(text)?.[1] ?? '';
  if (name === '' || /^new\b/.test(text)) return '';
  const written = name.replaceAll('$', '\\$');
  const isFunction = new RegExp(
    `\\b(?:function\\*?|class)\\s+${written}(?![\\w$])|\\b(?:const|let|var)\\s+${written}\\s*=\\s*(?:async\\b\\s*)?(?:function\\b|\\(|[\\w$]+\\s*=>)`,
  );
  return isFunction.test(source) ? name : '';
}

const TARGET = /(?<![\w$.])(module\.exports|exports)(?:\.([\w$]+)|\[\s*["']([^"'\n]{1,200})["']\s*\])?\s*=(?![=>])\s*/g;
const NEXT_TARGET = /(?:module\.)?exports\b(?!\s*\()/y;
/** Longest value that can be a name or a list of names. */
const MAX_VALUE_LENGTH = 20_000;

/** `export = shop`: the list of a namespace that is the whole export gives its names to all importers of the file. */
const WHOLE_EXPORT = /^export\s*=/m;
const INNER_LIST = /^[ \t]+export\s+(type\s+)?\{/gm;

export function namespaceExports(sink: FactSink): void {
  const { source } = sink;
  if (!WHOLE_EXPORT.test(source)) return;
  for (const match of source.matchAll(INNER_LIST)) {
    const at = match.index + match[0].length;
    const end = sink.closing(at - 1, Math.min(source.length, at + MAX_VALUE_LENGTH));
    exportList(match.index, end, at, match[1] !== undefined, sink);
  }
}

/** `module.exports = …`, `exports.x = …`. */
export function commonExports(sink: FactSink): void {
  const { source } = sink;
  if (!source.includes('exports')) return;
  joinedExports(sink);
  let chained: string[] = [];
  TARGET.lastIndex = 0;
  for (let match = TARGET.exec(source); match !== null; match = TARGET.exec(source)) {
    const at = match.index + match[0].length;
    const key = match[2] ?? match[3];
    NEXT_TARGET.lastIndex = at;
    if (NEXT_TARGET.test(source)) {
      if (key !== undefined) chained.push(key);
      continue;
    }
    const limit = Math.min(source.length, at + MAX_VALUE_LENGTH);
    // An assignment inside an exported value is no export. The search goes on after the value, so that nothing is read twice.
    if (key === undefined && source[at] === '{') TARGET.lastIndex = exportObject(match.index, at, limit, sink);
    else if (key !== undefined || match[1] === 'module.exports') {
      for (const name of [key ?? '=', ...chained]) exportValue(at, expressionEnd(sink, at), name, sink);
    }
    chained = [];
  }
}

const WHOLE = /(?<![\w$.])(?:module\.exports\s*=|export\s+default)\s*([A-Za-z_$][\w$]*)\s*(?=;|\n|$)/g;
const OBJECT = /^\s*=\s*(?=\{)/;
const ONE_NAME = /^[A-Za-z_$][\w$]*$/;

/** `const api = { open, close: shut }; module.exports = api`: its functions are members of the object. */
export function exportedObjects(sink: FactSink): void {
  const { source } = sink;
  for (const { 1: name } of source.matchAll(WHOLE)) {
    const declared = new RegExp(
      `(?:^|\\n)[ \\t]*(?:const|let|var)[ \\t]+${name.replaceAll('$', '\\$')}(?=\\s*=\\s*\\{)`,
    ).exec(source);
    const open = declared === null ? null : OBJECT.exec(source.slice(declared.index + declared[0].length));
    if (declared === null || open === null) continue;
    const start = declared.index + declared[0].length + open[0].length;
    for (const { key, at, value, isMethod } of entriesOf(start, sink.closing(start, source.length), sink)) {
      const held = value === '' && !isMethod ? key : value;
      if (ONE_NAME.test(held)) sink.field(at, key, '', held, name);
    }
  }
}

/** `Object.assign(module.exports, cart)`: the file exports all members of the value. */
const JOINED = /(?<![\w$.])Object\.assign\(\s*(?:module\.)?exports\s*,\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*[,)]/gu;

function joinedExports(sink: FactSink): void {
  if (!sink.source.includes('Object.assign(')) return;
  for (const match of sink.source.matchAll(JOINED)) sink.export(match.index, ALL_OF, match[1]);
}

/** The variable of `const cart = module.exports = { … }`. */
const HOLDER = /(?:\b(?:const|let|var)|,)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:exports\s*=\s*)?$/u;
const MAX_HOLDER_LENGTH = 100;
const KEY_OF_EXPORT =
  /^(?:(?:get|set|async|static)\s+(?=[\p{L}_$"'*])|\*\s*)?(?:["']?([\p{L}_$][\p{L}\p{N}_$-]*)["']?)\s*(?::\s*([\p{L}_$][\p{L}\p{N}_$]*)?\s*)?/u;

/** Returns where the object ends. */
function exportObject(target: number, open: number, limit: number, sink: FactSink): number {
  const { source, rules } = sink;
  const close = sink.closing(open, limit);
  const holder = HOLDER.exec(source.slice(Math.max(0, target - MAX_HOLDER_LENGTH), target));
  sink.export(open, '=', holder?.[1] ?? '');
  // The members belong to the variable.
  if (holder !== null) return close;
  for (const { start: from, end } of splitList(source, open + 1, close - 1, ',', rules.lexical)) {
    const start = skipSpace(source, from, end, rules.lexical);
    const part = headText(source, start, end, 300);
    const spread = /^\.\.\.\s*([\p{L}_$][\p{L}\p{N}_$]*)\s*$/u.exec(part);
    if (spread !== null) sink.export(start, ALL_OF, spread[1]);
    const match = KEY_OF_EXPORT.exec(part);
    if (match === null) continue;
    const whole = match[0].length >= end - start;
    // A function that is written here is a symbol of its own; other values have no name.
    const isFunction = match[2] === 'function' || match[2] === 'async' || part[match[0].length] === '(';
    sink.export(start, match[1], whole ? (match[2] ?? match[1]) : isFunction ? match[1] : '');
  }
  return close;
}

const MOCKS = /^(?:jest|vi|vitest)\.(?:mock|doMock|unmock|requireActual|requireMock|importActual|importMock)$/;
const LOADED = /\(\s*(["'`])((?:(?!\1)[^\n]){1,200})\1\s*[,)]/y;

/** States the files that `require(…)`, `import(…)` and other calls load by name. False for a call that is to be read like any other. */
export function loads(call: Call, sink: FactSink): boolean {
  const { accessPath, isNew } = call.callee;
  const { source } = sink;
  let kind: ImportKind;
  if (accessPath === 'require') kind = 'require';
  else if (accessPath === 'import' || accessPath === 'require.resolve' || MOCKS.test(accessPath)) kind = 'dynamic';
  else if (isNew && accessPath === 'URL' && source.slice(call.view.start, call.end).includes('import.meta.url'))
    kind = 'dynamic';
  else return false;
  LOADED.lastIndex = call.view.start;
  const loaded = LOADED.exec(source)?.[2];
  if (loaded === undefined || loaded.includes('${')) return accessPath === 'require' || accessPath === 'import';
  // The import ends behind the path: a function that makes the stand-in is code like any other.
  if (accessPath !== 'require' && accessPath !== 'import') sink.import(call.start, LOADED.lastIndex, kind, loaded);
  else bindLoaded(call, kind, loaded, sink);
  return true;
}

/** `module.exports = { ...require('./cart') }`, `Object.assign(exports, require('./cart'))`: what ends before the call. */
function isJoined(source: string, end: number): boolean {
  if (source.endsWith('...', end)) return /\bexports\s*=\s*\{/.test(source);
  return /\bObject\.assign\(\s*(?:module\.)?exports\s*,$/.test(source.slice(Math.max(0, end - 60), end));
}

/** Longest text between the name of an export and what its getter gives. */
const MAX_GETTER = 300;
/** `Object.defineProperty(exports, 'cart', { get: () => require('./cart') })`: an export that is loaded when it is read. */
const LAZY =
  /\bdefineProperty\(\s*(?:module\.)?exports,\s*["']([\w$]+)["'],\s*\{[^{}]*\bget(?::\s*(?:\(\s*\)\s*=>|function\b[\s\w$]*\(\s*\)\s*\{\s*return)|\s*\(\s*\)\s*\{\s*return)\s*$/;

/** Longest text between `exports = {` and an entry of it that loads a file. */
const MAX_EXPORTS = 4_000;
/** The key of an entry, and a function that may wrap the value. */
const ENTRY = /[{,\s]([\w$]{1,80})\s*:\s*(?:[\w$.]{1,60}\(\s*)?$/;

/** `module.exports = { cart: require('./cart'), total: promised(require('./total')) }`: the key of an entry of what is exported. */
function keyOfExports(source: string, end: number): string | undefined {
  const text = source.slice(Math.max(0, end - MAX_EXPORTS), end);
  const key = ENTRY.exec(text.slice(-MAX_GETTER))?.[1];
  const start = key === undefined ? -1 : text.lastIndexOf('exports = {');
  if (start < 0) return undefined;
  let depth = 0;
  for (const bracket of text.slice(start).match(/[{}]/g) ?? []) depth += bracket === '{' ? 1 : -1;
  return depth === 1 ? key : undefined;
}

/** States the names that the loaded file, or an export of it, is bound to. */
function bindLoaded(call: Call, kind: ImportKind, specifier: string, sink: FactSink): void {
  const { source, rules } = sink;
  const { lexical } = rules;
  let before = skipSpaceBack(source, call.start, 0, lexical);
  if (source.endsWith('await', before)) before = skipSpaceBack(source, before - 5, 0, lexical);
  const member = /\s*\.\s*([\p{L}_$][\p{L}\p{N}_$]*)(?!\s*[.(`[\p{L}])/uy;
  member.lastIndex = call.end;
  const name = member.exec(source)?.[1];
  const next = source[skipSpace(source, call.end, source.length, lexical)] ?? '';
  const goesOn = name === undefined && /[.([]/.test(next);
  const handed = goesOn ? null : reexported(source, before, name);
  if (handed !== null) {
    sink.import(call.start, call.end, 'reexport', specifier, [handed]);
  } else if (source[before - 1] === '=' && !goesOn) {
    bindAssigned(targetBefore(before - 1, sink), name, { call, kind, specifier }, sink);
  } else if (goesOn || name !== undefined || next === ')') {
    // The file has no name in `load().then((cart) => …)` and `(await load()).total`: it gets one that no source can write.
    const alias = `import#${call.start}`;
    sink.remember(call.end, call.start, alias);
    sink.import(call.start, call.end, kind, specifier, [{ name: '*', alias }]);
  } else sink.import(call.start, call.end, kind, specifier, []);
}

/** The name under which a file hands on what it loads, by the text before the call; null for other uses. */
function reexported(source: string, before: number, name: string | undefined): ImportedName | null {
  if (name === undefined && isJoined(source, before)) return { name: '*', alias: '' };
  const lazy = LAZY.exec(source.slice(Math.max(0, before - MAX_GETTER), before))?.[1];
  if (lazy !== undefined) return { name: name ?? '*', alias: lazy };
  const key = name === undefined ? keyOfExports(source, before) : undefined;
  return key === undefined ? null : { name: '*', alias: key };
}

/** States what `cart = require('./cart')` and `{ total } = require('./cart')` bind, or export. */
function bindAssigned(
  target: TextRange,
  name: string | undefined,
  { call, kind, specifier }: { call: Call; kind: ImportKind; specifier: string },
  sink: FactSink,
): void {
  const text = sink.source.slice(target.start, target.end);
  const exported = /^(?:module\.)?exports(?:\.([\w$]+))?$/.exec(text);
  if (exported !== null) {
    const names = [{ name: name ?? '*', alias: exported[1] ?? (name === undefined ? '' : '=') }];
    sink.import(target.start, call.end, 'reexport', specifier, names);
    return;
  }
  let names: ImportedName[] = NAME.test(text) ? [{ name: name ?? '*', alias: text }] : [];
  if (sink.source[target.start] === '{')
    names = patternNames(sink, target.start, target.end, '').map((found) => ({ name: found.key, alias: found.name }));
  sink.import(target.start, call.end, kind, specifier, names);
}

/** The assigned name or pattern before the `=` at `at`; skips a type annotation between. */
function targetBefore(at: number, sink: FactSink): TextRange {
  const { source, rules } = sink;
  const end = skipSpaceBack(source, at, 0, rules.lexical);
  if (source[end - 1] === '}') return { start: Math.max(0, openingOf(source, end, 0, rules.lexical)), end };
  const start = end - (/[\p{L}\p{N}_$.]*$/u.exec(source.slice(Math.max(0, end - 200), end))?.[0].length ?? 0);
  return { start, end };
}

// Imports as a program writes them when it moves a symbol.

const SCRIPT_ENDING = /(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Endings of specifiers for files that are compiled. */
const COMPILED: Readonly<Record<string, string>> = {
  '.ts': '.js',
  '.tsx': '.js',
  '.jsx': '.js',
  '.mts': '.mjs',
  '.cts': '.cjs',
};

/** The path from one folder to a file, which begins with a dot. */
function relativePath(from: string, to: string): string {
  const [folders, target] = [from.split('/').slice(0, -1), to.split('/')];
  let same = 0;
  while (same < folders.length && same < target.length - 1 && folders[same] === target[same]) same++;
  const up = folders.length - same;
  return `${up === 0 ? './' : '../'.repeat(up)}${target.slice(same).join('/')}`;
}

/** A path as specifiers of that form end: as the file, as what it is compiled to, or without an ending. */
function endedAs(path: string, like: string, likePath: string): string {
  const ending = SCRIPT_ENDING.exec(path)?.[0] ?? '';
  const written = SCRIPT_ENDING.exec(like)?.[0];
  if (written === undefined) return path.slice(0, path.length - ending.length).replace(/(?<=.)\/index$/, '');
  return likePath.endsWith(written) ? path : path.slice(0, path.length - ending.length) + (COMPILED[ending] ?? ending);
}

export const SCRIPT_IMPORTS: ImportText = {
  specifier(from, to, like) {
    if (like === null || like.specifier.startsWith('.'))
      return endedAs(relativePath(from, to), like?.specifier ?? '', like?.to ?? '');
    // A prefix of the specifier stands for a folder.
    const path = endedAs(like.to, like.specifier, like.to);
    let same = 0;
    while (path.at(-1 - same) === like.specifier.at(-1 - same) && same < path.length) same++;
    const rest = path.slice(path.length - same);
    const cut = rest.indexOf('/') + 1;
    const [root, prefix] = [path, like.specifier].map((each) => each.slice(0, each.length - same + cut));
    if (same < 2 || cut === 0 || !to.startsWith(root)) return null;
    return prefix + endedAs(to.slice(root.length), like.specifier, like.to);
  },
  relocated(specifier, from, to) {
    if (!specifier.startsWith('.')) return specifier;
    const path = join(directoryOf(from), specifier);
    return path === null ? null : relativePath(to, path);
  },
  span(statement) {
    const found = /(["'])([^"'\n]+)\1(?=[^"']*$)/.exec(statement);
    return found === null ? null : [found.index + 1, found.index + 1 + found[2].length];
  },
  entry(statement, entry, specifier) {
    const head = /^(?:import|export)(?:\s+type\b(?!\s*(?:,|from)))?/.exec(statement)?.[0] ?? 'import';
    return `${head} { ${entry} } from ${quotedAs(statement, specifier)}`;
  },
  whole(statement, { name, alias }, specifier) {
    if (name !== 'default' && name !== '*') return null;
    const head = /^import(?:\s+type\b(?!\s*(?:,|from)))?/.exec(statement)?.[0];
    if (head === undefined || /[{,]\s*default\s+as\s/.test(statement)) return null;
    return `${head} ${name === '*' ? `* as ${alias}` : alias} from ${quotedAs(statement, specifier)}`;
  },
  plain: (text, name, specifier) =>
    `import { ${name} } from ${quotedAs(/^(?:import|export)\b[^;]*?\bfrom\s*(["'])[^"'\n]+\1;?/m.exec(text)?.[0] ?? "'';", specifier)}`,
  exported: 'export ',
  hull: 'export {};\n',
  unnamed: /^export\s+(?:default\b|=)/,
  others: /\bmodule\.exports\b|^exports\.|\brequire\(/m,
  apart: 1,
};

/** A specifier with the quotes of a statement, and a semicolon if that has one. */
function quotedAs(statement: string, specifier: string): string {
  const quote = /["']/.exec(statement)?.[0] ?? "'";
  return `${quote}${specifier}${quote}${/;\s*$/.test(statement) ? ';' : ''}`;
}
