/**
 * Rules of Lua: definitions, relations and imports. Tables are modules and types that functions are put into. Imports are dotted names
 * below the directories of `package.path`.
 */
import { type ParsingRules, wordSet } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import {
  ancestors,
  external,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
  under,
} from '../roles/project.js';
import {
  type Call,
  calls,
  type DefinitionView,
  elementOf,
  type FactSink,
  handedOn,
  type LexicalConventions,
  type NameRules,
  type NodeView,
  type RelationRules,
} from '../roles/relations.js';
import { findOutside, lastPart, literalAt } from '../roles/scan.js';

const NAMES: NameRules = {
  opaque: ['comment', 'string_content'],
  keywords: wordSet(
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until while',
  ),
};

const LEXICAL: LexicalConventions = {
  lines: true,
  joins: ['.', ':'],
  quotes: '"\'',
  lineComments: ['--'],
  spread: /^\.\.\./,
  root: (name) => (name === 'self' ? 'this' : name),
};

const HANDED_ON = /^(?:\w+\s*=\s*)?((?!(?:nil|true|false|self)$)[A-Za-z_][\w.]*)$/;
const REQUIRE = /^require\s*(?:\(\s*)?(["'])([^"'\n]+)\1\s*(?:\)\s*)?(?:\.(\w+))?$/;
const NAME = /^[A-Za-z_]\w*$/;
const LONGEST = 300;

function special({ callee, start, end, view }: Call, sink: FactSink): boolean {
  const { source } = sink;
  if (callee.accessPath === 'require') {
    const literal =
      literalAt(source, view.start + 1, view.end - 1, LEXICAL) || literalAt(source, view.start, view.end, LEXICAL);
    // Functions with a name are read where the name is.
    if (literal !== '' && !/=\s*$/.test(source.slice(Math.max(0, start - 20), start)))
      sink.import(start, end, 'require', literal);
    return true;
  }
  if (callee.accessPath === 'setmetatable') {
    const type = instanceOf(headText(source, view.start, view.end, 2_000));
    if (type !== '') sink.remember(end, start, `new ${type}()`);
    return true;
  }
  if (source[view.start] === '(') handedOn(view.start + 1, view.end - 1, HANDED_ON, sink);
  // A definition's own parameters stand behind its name, too.
  return /\bfunction\s+$/.test(source.slice(Math.max(0, start - 12), start));
}

/** `setmetatable({}, Cart)` makes a cart. */
function instanceOf(text: string): string {
  return /,\s*([A-Za-z_][\w.]*)\s*\)$/.exec(text)?.[1] ?? '';
}

/** `local a = require("x")`, `a, b = x, y`, `self.x = value`, `M.x = M.y`. */
function assignment({ start, end }: NodeView, sink: FactSink): void {
  const { source, rules } = sink;
  const equals = findOutside(source, start, end, '=', rules.lexical);
  const left = source.slice(start, equals).trim();
  const names = left.split(',').map((name) => name.trim());
  const from = equals + 1 + (/^\s*/.exec(source.slice(equals + 1, equals + 50))?.[0].length ?? 0);
  const required = names.length === 1 ? REQUIRE.exec(headText(source, from, end, LONGEST)) : null;
  if (required !== null && /^[\w.]+$/.test(left)) {
    const alias = lastPart(left);
    sink.import(start, end, 'require', required[2], [{ name: required[3] ?? '*', alias }]);
    return;
  }
  parent(left, headText(source, from, end, LONGEST), from, end, sink);
  for (const [index, name] of names.entries()) {
    const to = names.length === 1 ? end : from;
    const value = index === 0 ? followable(sink.accessPath(from, to)) : '';
    if (NAME.test(name)) sink.local(start + source.slice(start, equals).indexOf(name), name, '', value);
  }
  const own = /^self\.(\w+)$/.exec(left);
  const type = own === null ? '' : ownTable(start, sink);
  if (own !== null && type !== '') {
    const value = followable(sink.accessPath(from, end));
    if (value !== '' && !NAME.test(value)) sink.field(start, own[1], '', value, type);
  }
}

function followable(accessPath: string): string {
  return /^(?:nil|true|false|\d.*)$/.test(accessPath) ? '' : accessPath;
}

/** The table that the function around a line belongs to. */
function ownTable(at: number, { source }: FactSink): string {
  const before = source.slice(Math.max(0, at - 6_000), at);
  const last = before.lastIndexOf('\nfunction ');
  return last === -1 ? '' : (/^\nfunction\s+(\w+)[.:]/.exec(before.slice(last, last + LONGEST))?.[1] ?? '');
}

/** `Gift = setmetatable({}, { __index = Cart })`: members that a gift lacks are looked up in the cart. */
function parent(left: string, text: string, at: number, end: number, sink: FactSink): void {
  const match = /^setmetatable\s*\(\s*\{[^{}]*\}\s*,\s*\{\s*__index\s*=\s*([A-Za-z_][\w.]*)/.exec(text);
  if (match === null || !NAME.test(left)) return;
  const from = at + match[0].length - match[1].length;
  sink.reference(from + match[1].lastIndexOf('.') + 1, Math.min(end, at + match[0].length), 'extends', match[1], {
    of: left,
  });
}

function parameters({ start, end, text }: NodeView, sink: FactSink): void {
  if (end - start > LONGEST * 4) return;
  for (const match of text.matchAll(/[A-Za-z_]\w*/g)) sink.local(start + match.index, match[0], '', '');
}

/** `for _, item in ipairs(items)`: the second is an element. */
function loop({ start, end, text }: NodeView, sink: FactSink): void {
  const match = /^([\w\s,]+?)\s+in\s+/.exec(text.slice(0, LONGEST));
  if (match === null) return;
  const list = /^i?pairs\s*\(([\s\S]*)\)\s*$/.exec(text.slice(match[0].length, LONGEST * 2));
  const from = start + match[0].length + (list === null ? 0 : list[0].indexOf('(') + 1);
  const values = list === null ? '' : sink.accessPath(from, Math.min(end, from + list[1].length));
  for (const [index, name] of match[1].split(',').entries()) {
    sink.local(start, name.trim(), '', index === 1 ? elementOf(values) : '');
  }
}

/** `return Cart`, `return { open = open }` at the end of a file are its exports. */
function text(sink: FactSink): void {
  const { source } = sink;
  const match = /^return[ \t]+(?:([A-Za-z_]\w*)|(\{[\s\S]{0,20000}\}))\s*(?:;\s*)?$/m.exec(
    source.slice(Math.max(0, source.lastIndexOf('\nreturn') + 1)),
  );
  if (match === null) return;
  const at = source.length - match[0].length;
  if (match[1] !== undefined) {
    sink.export(at, '=', match[1]);
    return;
  }
  for (const entry of match[2].matchAll(
    /(?:^\{|,|;|\n)\s*(?:\[?["']?(\w+)["']?\]?\s*=\s*)([A-Za-z_][\w.]*)\s*(?=[,;}\n])/g,
  )) {
    const local = lastPart(entry[2]);
    sink.export(at, entry[1], local);
  }
}

/** States the result of a function by its last `return`. */
function definition({ kind, nameStart, signatureEnd, end }: DefinitionView, sink: FactSink): void {
  if (kind !== 'function' && kind !== 'method') return;
  const { source } = sink;
  const body = source.slice(Math.max(signatureEnd, end - 2_000), end);
  const found = /\breturn[ \t]+(\S(?:[^\n]*\S)?)\s*\bend\s*$/.exec(body);
  if (found === null) return;
  const at = end - body.length + found.index + found[0].indexOf(found[1], found[0].indexOf('return') + 6);
  sink.result(nameStart, '', followable(sink.accessPath(at, at + found[1].length)));
}

const luaRelations: RelationRules = {
  lexical: LEXICAL,
  brackets: ['arguments'],
  names: NAMES,
  nodes: {
    arguments: calls({ special }),
    assignment_statement: assignment,
    parameters,
    for_generic_clause: loop,
  },
  definition,
  text,
  ignoredCalls: wordSet(
    `assert collectgarbage dofile error getmetatable ipairs load loadfile loadstring next pairs pcall print rawequal
     rawget rawlen rawset require select setfenv getfenv setmetatable tonumber tostring type unpack xpcall`,
  ),
  ignoredRoots: wordSet('string table math io os coroutine debug utf8 bit bit32 package'),
  literalCalls: new Set(['describe', 'it']),
};

const luaDefinitions: DefinitionRules = {
  definitions: [
    {
      node: 'function_declaration',
      kind: 'function',
      nameText: /(?:local\s+)?function\s+(?:[\w.]+[.:])?(\w+)/y,
      owner: /(\w+)[.:]$/,
    },
    {
      node: 'assignment_statement',
      kind: 'variable',
      nameText: /(?:[\w.]+\.)?(\w+)\s*=/y,
      by: { path: '>expression_list/>function_definition', kinds: { function_definition: 'function' } },
      owner: /(\w+)\.$/,
      tail: [[/^\s*=\s*require\b/, null]],
      body: '>expression_list/>function_definition/body',
      found: 'walk',
    },
  ],
  wrappers: { variable_declaration: { walk: true } },
  walk: ['variable_declaration'],
  importText: /^(?:local\s+\w+\s*=\s*)?require\b/,
  comments: ['comment', 'hash_bang_line'],
  docs: { line: /^--/, block: ['--[[', ']]'] },
  exported: { notHead: /\blocal\b/ },
  lateExports: [{ needs: 'return ', pattern: /^return\s+(\w+)\s*(?:;\s*)?$/gm }],
  constants: /^[A-Z][A-Z0-9_]+$/,
};

const ROOTS = ['', 'src', 'lua', 'lib'];
const ENDINGS = ['.lua', '/init.lua', ''];

export const LUA: ImportRules = {
  readsNames: false,
  create: (project) => ({
    resolve: (file, specified) =>
      resolve(project, file, specified) ?? external(specified.specifier.split(/[./]/, 1)[0]),
  }),
};

/** Resolves from the directories of the file upwards, nearest first: programs run in any of them. */
function resolve(project: Project, file: number, { specifier }: Specified): Resolution | null {
  const isPath = specifier.includes('/') || specifier.endsWith('.lua');
  const relative = isPath ? specifier : specifier.replaceAll('.', '/');
  for (const home of ancestors(project.directory(file))) {
    for (const root of ROOTS) {
      const path = join(under(home, root), relative);
      if (path === null || path === '') continue;
      const found = project.firstAt(ENDINGS.map((ending) => path + ending));
      // `bin/shop.lua` that requires `shop` doesn't mean itself.
      if (found !== null && !isItself(found, project.path(file))) return found;
    }
  }
  return null;
}

function isItself(found: Resolution, path: string): boolean {
  return found.kind === 'files' && found.paths.length === 1 && found.paths[0] === path;
}

export const lua: ParsingRules = { definitions: luaDefinitions, relations: luaRelations };
