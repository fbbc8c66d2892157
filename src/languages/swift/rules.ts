/** Rules of Swift: definitions, relations and imports. A module is a directory of files. */
import { addTo } from '../../base/lists.js';
import { type ParsingRules, wordSet } from '../language.js';
import {
  aliases,
  bareLocals,
  boundedParameters,
  byKind,
  casts,
  declarationsIn,
  decorators,
  headText,
  importPath,
  MAX_HEAD_LENGTH,
  type Mask,
  maskedRanges,
  nameFrom,
  ofEnumeration,
  parents,
} from '../roles/declarations.js';
import type { DefinitionRules } from '../roles/definitions.js';
import { blanked, brokenConditions } from '../roles/masks.js';
import {
  directoryOf,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
} from '../roles/project.js';
import {
  calls,
  callWithBlock,
  type DefinitionView,
  elementOf,
  type FactSink,
  type LexicalConventions,
  type NameRules,
  type NodeRule,
  type NodeView,
  perFile,
  type RelationRules,
  typeNames,
} from '../roles/relations.js';
import { findOutside, skipSpace } from '../roles/scan.js';

const NAMES: NameRules = {
  opaque: [
    'comment',
    'multiline_comment',
    'line_str_text',
    'multi_line_str_text',
    'raw_string_literal',
    'regex_literal',
  ],
  keywords: wordSet(
    `Any Self _ actor any as associatedtype async await break case catch class continue convenience default defer deinit didSet do dynamic
     else enum extension fallthrough false fileprivate final for func get guard if import in indirect init inout internal is lazy let
     mutating nil nonisolated nonmutating open operator optional override precedencegroup private protocol public repeat required rethrows
     return self set some static struct subscript super switch throw throws true try typealias unowned var weak where while willSet`,
  ),
  unimported: true,
  labels: ':',
};

/** Reads the type that starts at `from` and ends at a value, a body, the next name, or the end of its line. */
function typeText(sink: FactSink, from: number, to: number): { type: string; end: number } {
  const limit = Math.min(to, from + MAX_HEAD_LENGTH);
  const end = findOutside(sink.source, from, limit, '={,\n', LEXICAL, true);
  const type = sink.source
    .slice(from, end)
    .trim()
    .replace(/^(?:@\w+\s+)+|^(?:inout|some|any|borrowing|consuming)\s+/g, '');
  return { type: type.includes('->') ? '' : type, end };
}

/** Calls `state` for each name of `let a: A = b, c = d`, from the first name on. */
function eachDeclared(
  sink: FactSink,
  from: number,
  to: number,
  state: (at: number, name: string, type: string, value: string) => void,
): void {
  const { source } = sink;
  for (let at = from, count = 0; at < to && count < 50; count++) {
    const name = nameFrom(source, at);
    if (name === '') return;
    let next = skipSpace(source, at + name.length, to, LEXICAL);
    let type = '';
    if (source[next] === ':') {
      const found = typeText(sink, next + 1, to);
      type = found.type;
      next = found.end;
    }
    let end = next;
    let value = '';
    if (source[next] === '=') {
      const limit = Math.min(to, next + MAX_HEAD_LENGTH);
      end = findOutside(source, next + 1, limit, ',', LEXICAL);
      if (end === limit) end = to;
      // Observers (`{ didSet … }`) are no part of the value.
      const observers = headText(source, next, end).search(/\s\{\s*(?:didSet|willSet)\b/);
      value = sink.accessPath(next + 1, observers === -1 ? end : next + observers);
    }
    state(at, name, type, value);
    if (source[end] !== ',') return;
    at = skipSpace(source, end + 1, to, LEXICAL);
  }
}

const propertyRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const head = /\b(?:let|var)\s+/.exec(headText(source, start, end));
  if (head === null) return;
  const from = start + head.index + head[0].length;
  if (source[from] === '(') {
    bareLocals(sink, from, sink.closing(from, end));
    return;
  }
  eachDeclared(sink, from, end, (at, name, type, value) => sink.variable(at, name, type, value));
};

const BUILT_IN = wordSet(
  `String Int Double Float Bool Character Error Codable Decodable Encodable Equatable Hashable Comparable CaseIterable
   Identifiable Sendable AnyObject Never Any Void UInt Int64 UInt8 Int32 Optional Array Dictionary Set`,
);

const definition = byKind({
  'enum-member': (view, sink) => {
    ofEnumeration(view, sink);
    caseValues(view, sink);
  },
  type: aliases(/^(?:<[^=]*>)?\s*=\s*([\w.]+(?:<[^\n]*>)?)/),
  'function method constructor': functionDefinition,
  'class struct enum interface impl': typeDefinition,
});

function functionDefinition(view: DefinitionView, sink: FactSink): void {
  const { kind, nameStart, nameEnd, end } = view;
  const { source } = sink;
  let at = nameEnd + (/^[?!]/.test(source.slice(nameEnd, nameEnd + 1)) ? 1 : 0);
  at = boundedParameters(sink, at, end, '{');
  const open = skipSpace(source, at, end, LEXICAL);
  if (source[open] !== '(') return;
  const close = sink.closing(open, Math.min(end, open + 4 * MAX_HEAD_LENGTH));
  for (const part of declarationsIn(sink, open, close)) {
    const given =
      /:\s*(?:@\w+\s+)*\(+\s*(?:_\s+\w+\s*:\s*)?(?:inout\s+)?([A-Z][\w.<>?[\]]*)\s*(?:,[^()]*)?\)\s*(?:async\s+)?(?:throws\s+)?->/.exec(
        headText(source, part.start, part.end, 200),
      );
    if (given !== null) sink.given(nameStart, '{}', given[1]);
    const head = /^(?:@\w+\s+)*(?:\w+\s+)?(?=\w+\s*:)/.exec(headText(source, part.start, part.end, 200));
    if (head === null) continue;
    eachDeclared(sink, part.start + head[0].length, part.end, (where, name, type, value) => {
      sink.local(where, name, type.endsWith('...') ? `[${type.slice(0, -3)}]` : type, value);
    });
  }
  if (kind === 'constructor') return;
  const arrow = /^\s*(?:async\s*)?(?:(?:re)?throws(?:\([\w.]+\))?\s*)?->\s*/.exec(headText(source, close, end, 100));
  if (arrow === null) return;
  const from = close + arrow[0].length;
  const found = typeText(sink, from, end);
  const type = found.type.replace(/\s+where\s[\s\S]*$/, '');
  rememberResult(view, type, sink);
  if (type !== '' && type !== 'Void')
    sink.result(nameStart, type === 'Self' ? '' : type, type === 'Self' ? 'this' : '');
}

/** `class A<T>: B<T>, C where T: D`, `extension A: B`. */
function typeDefinition({ kind, nameEnd, signatureEnd }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  const limit = Math.min(signatureEnd, nameEnd + MAX_HEAD_LENGTH);
  let at = nameEnd;
  at = boundedParameters(sink, at, limit, '{', true);
  at = skipSpace(source, at, limit, LEXICAL);
  if (source[at] !== ':') return;
  const where = source.slice(at, limit).search(/\swhere\s/);
  parents(sink, at + 1, where === -1 ? limit : at + where).forEach(({ accessPath, at: from, end }, index) => {
    if (BUILT_IN.has(accessPath)) return;
    const relation = kind === 'interface' || (kind === 'class' && index === 0) ? 'extends' : 'implements';
    sink.reference(from, end, relation, accessPath);
  });
}

interface Subject {
  start: number;
  end: number;
  /** Access path, or a type: members of both are looked up alike. */
  path: string;
}

/** Filled by the rules of nodes and definitions, and read by `implicitMembers`, which runs behind all of them. */
interface FileState {
  switches: Subject[];
  /** Bodies of functions, with their results. */
  results: Subject[];
}

const stateOf = perFile((): FileState => ({ switches: [], results: [] }));

const MAX_CONTEXT_LENGTH = 600;
/** UTF-16 units before a member that are looked at: a line can be a whole file. */
const MAX_LINE_LENGTH = 400;
/** Most switches and functions of one file that are searched for the innermost one. */
const MAX_LOOKS = 500;

/** `switch value {` */
function switchRule({ start, end }: NodeView, sink: FactSink): void {
  const limit = Math.min(end, start + MAX_CONTEXT_LENGTH);
  const open = findOutside(sink.source, start, limit, '{', sink.rules.lexical);
  if (open >= limit) return;
  const path = sink.accessPath(start + 'switch'.length, open);
  stateOf(sink).switches.push({ start, end, path });
}

function rememberResult({ start, end }: DefinitionView, type: string, sink: FactSink): void {
  stateOf(sink).results.push({ start, end, path: typeName(type) });
}

/** `Genre` of `Genre?`; '' for a type without members of its own here. */
function typeName(type: string): string {
  return /^([A-Z][\w.]*)(?:<[^<>]*>)?[?!]?$/.exec(type.trim())?.[1] ?? '';
}

const MEMBER = /(?<![\w)\]}?!."'>])\.([a-z_]\w*)/g;
const PATTERN = /\b(?:case|is)\s+(?:let\s+|var\s+)?$|\bcase\s[^\n{}:]*,\s*(?:let\s+|var\s+)?$/;
const TYPED = /:\s*(?:inout\s+)?([A-Z][\w.]*)(?:<[^<>\n]*>)?[?!]?\s*=\s*$/;
const COMPARED = /(?:[=!]=|(?<![=!<>])=|\?\?)\s*$/;
const CONDITION = /\b(?:if|guard|while|for)\s+case\s+(?:let\s+|var\s+)?$|,\s*case\s+(?:let\s+|var\s+)?$/;

/** States members without a receiver, with the receiver that follows from the text around them. */
function implicitMembers(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(MEMBER)) {
    const near = source.slice(Math.max(0, match.index - MAX_LINE_LENGTH), match.index);
    const line = near.slice(near.lastIndexOf('\n') + 1);
    if (/\/\/|^\s*\*|^\s*\./.test(line)) continue;
    const at = match.index + 1;
    const end = at + match[1].length;
    const path = receiverOf(match.index, end, line, sink);
    if (path === '' || path === '?') continue;
    const isPattern = PATTERN.test(line);
    sink.reference(at, end, source[end] === '(' && !isPattern ? 'call' : 'read', `${path}.${match[1]}`);
    if (isPattern && source[end] === '(') bindCaseValues(line, `${path}.${match[1]}`, end, sink);
  }
}

/** Access path or type of the value whose member begins with `dot`; `line` is its line up to there. '' if nothing tells it. */
function receiverOf(dot: number, end: number, line: string, sink: FactSink): string {
  const { source, rules } = sink;
  if (CONDITION.test(line)) {
    const limit = Math.min(source.length, end + MAX_CONTEXT_LENGTH);
    const equals = findOutside(source, end, limit, '={', rules.lexical);
    if (source[equals] !== '=') return '';
    const stop = findOutside(source, equals + 1, limit, ',{', rules.lexical);
    const text = source.slice(equals + 1, stop);
    return sink.accessPath(equals + 1, stop - (/\s+else\s*$/.exec(text)?.[0].length ?? 0));
  }
  if (PATTERN.test(line)) return innermost(stateOf(sink).switches, dot);
  if (/\breturn\s+$/.test(line)) return innermost(stateOf(sink).results, dot);
  const typed = TYPED.exec(line);
  if (typed !== null) return typed[1];
  const compared = COMPARED.exec(line);
  return compared === null ? '' : sink.accessPathBefore(dot - compared[0].length).accessPath;
}

function innermost(ranges: readonly Subject[], at: number): string {
  let found: Subject | null = null;
  for (const range of ranges.slice(0, MAX_LOOKS))
    if (range.start < at && at < range.end && (found === null || range.start > found.start)) found = range;
  return found?.path ?? '';
}

/** `case .flat(let cents)`, `case let .flat(cents)`: names for the values of the case, in order. */
function bindCaseValues(line: string, path: string, open: number, sink: FactSink): void {
  const close = sink.closing(open, Math.min(sink.source.length, open + MAX_CONTEXT_LENGTH));
  const isBound = /\b(?:let|var)\s+$/.test(line);
  const written = sink.source.slice(open + 1, close - 1);
  let at = open + 1;
  for (const [index, part] of written.split(',').entries()) {
    const match = /^\s*(?:\w+\s*:\s*)?((?:let|var)\s+)?([a-z_]\w*)\s*$/.exec(part);
    if (match !== null && match[2] !== '_' && (isBound || match[1] !== undefined))
      sink.local(at + part.lastIndexOf(match[2]), match[2], '', heldBy(path, index));
    at += part.length + 1;
  }
}

/** Access path of a value of a case; an option or a result counts as its value. */
function heldBy(path: string, index: number): string {
  const held = /^(.+)\.(?:some|success)$/.exec(path);
  return held === null ? `${path}#${index}` : held[1];
}

/** `case flat(cents: Int)`: types of the values of the case. */
function caseValues({ name, nameStart, nameEnd, end }: DefinitionView, sink: FactSink): void {
  const { source } = sink;
  if (source[nameEnd] !== '(') return;
  const close = sink.closing(nameEnd, Math.min(end, nameEnd + MAX_CONTEXT_LENGTH));
  for (const [index, part] of source
    .slice(nameEnd + 1, close - 1)
    .split(',')
    .entries()) {
    const type = part
      .replace(/^\s*(?:\w+\s+)?\w+\s*:\s*/, '')
      .replace(/=.*$/s, '')
      .trim();
    if (type !== '' && !type.includes('->')) sink.field(nameStart, `${name}#${index}`, type, '');
  }
}

const LEXICAL: LexicalConventions = {
  joins: ['?.', '!.', '.'],
  nameExtra: '$`',
  postfix: '!?',
  prefixes: ['try?', 'try!', 'try', 'await', '&'],
  typeArguments: '<>',
  root: (name) => (name === 'self' || name === 'Self' ? 'this' : name),
  quotes: '"',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
};

const importRule: NodeRule = ({ start, end, text }, sink) => {
  const match = /\bimport\s+(?:(typealias|struct|class|enum|protocol|let|var|func|actor)\s+)?([\w.]+)\s*$/.exec(
    text.slice(0, MAX_HEAD_LENGTH),
  );
  if (match === null) return;
  importPath({ start, end }, match[2], match[1] === undefined || !match[2].includes('.'), sink);
};

const call = calls({
  special: ({ name, receiver, callee, list, end }, sink) => {
    if (receiver === '?' && name === 'init') return true;
    // `f(x) { … }` has one argument more than its list.
    const { source } = sink;
    if (!/^[ \t]*\{/.test(source.slice(end, end + 10)) || list.count === -1) return false;
    // The block of `if f(x) { … }` is not an argument of the call.
    if (
      /\b(?:if|guard|while|for|switch|where)\b[^\n]*$/.test(source.slice(Math.max(0, callee.start - 200), callee.start))
    )
      return false;
    const accessPath = receiver === '' ? name : `${receiver}.${name}`;
    sink.reference(callee.nameStart, end, 'call', accessPath, { args: list.count + 1, literal: list.literal });
    return true;
  },
});

/** Argument lists; the grammar has the same name for those of subscripts. */
const argumentsRule: NodeRule = (view, sink) => {
  if (sink.source[view.start] === '(') call(view, sink);
};

/** `xs.map { … }` is a call, from which the closure's parameter (`$0` or named) gets its value. */
const closureRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const isTrailing = /[\w)>\]?!`] ?$/.test(source.slice(Math.max(0, start - 2), start));
  const found = isTrailing ? sink.accessPathBefore(start) : null;
  const accessPath = found === null || found.accessPath === '?' ? '' : found.accessPath;
  if (found !== null && accessPath !== '') callWithBlock(found, end, sink);
  const element = accessPath === '' ? '' : `${accessPath.replace(/\(\)$/, '')}{}`;
  const head =
    /^\{\s*(?:\[[^\]]*\]\s*)?(?:\(([^()]*)\)|([\w,](?:[\w\s,]*?[\w,])??))(?:\s*(?:async\s*)?(?:throws\s*)?->\s*[\w.<>?[\]]+)?\s+in\b/.exec(
      headText(source, start, end),
    );
  if (head === null) {
    sink.local(start + 1, '$0', '', element);
    return;
  }
  const parts = (head[1] ?? head[2]).split(',');
  for (const part of parts) {
    const match = /^\s*(?:\w+\s+)?(\w+)\s*(?::\s*(?:inout\s+)?([\w.<>?[\]]+))?\s*$/.exec(part);
    if (match !== null)
      sink.local(start + 1, match[1], match[2] ?? '', parts.length === 1 && match[2] === undefined ? element : '');
  }
};

const attributeRule = decorators({
  form: /^@([\w.]+)/,
  own: /^(?:available|discardableResult|objc|objcMembers|testable|escaping|autoclosure|inlinable|usableFromInline|IBOutlet|IBAction|nonobjc|frozen|unknown|preconcurrency|Sendable|convention)$/,
  isOwnHidden: true,
});

/** `for item in items where … {`. */
const forRule: NodeRule = ({ start, end }, sink) => {
  const { source } = sink;
  const match =
    /^for\s+(?:try\s+)?(?:await\s+)?(?:case\s+)?(?:let\s+|var\s+)?(?:(\w+)(?:\s*:\s*[\w.]+)?|\(([^()]*)\))\s+in\s+/.exec(
      headText(source, start, end),
    );
  if (match === null) return;
  const from = start + match[0].length;
  const body = findOutside(source, from, Math.min(end, from + MAX_HEAD_LENGTH), '{', LEXICAL);
  const where = source.slice(from, body).search(/\swhere\s/);
  const list = sink.accessPath(from, where === -1 ? body : from + where);
  if (match[1] !== undefined) sink.local(from - 1, match[1], '', elementOf(list));
  else for (const name of match[2].matchAll(/\w+/g)) sink.local(from - 1, name[0], '', '');
};

/** Locals of `if let a = b`, `guard let a = b, let c = d`, `catch let e as E`, `case let .some(y)`; then members without a receiver. */
function conditionsAndMembers(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(
    /(?:\b(?:if|guard|while)|,)\s+(?:let|var)\s+(\w+)(?:\s*:\s*([\w.<>?[\]]+))?\s*=\s*(?!=)/g,
  )) {
    const from = match.index + match[0].length;
    const limit = Math.min(source.length, from + MAX_HEAD_LENGTH);
    const stop = findOutside(source, from, limit, ',{', LEXICAL);
    const end = source.slice(from, stop).search(/\s+else\s*$/);
    const value = sink.accessPath(from, end === -1 ? stop : from + end);
    // `if let cart = cart` still means the same cart.
    if (value !== match[1]) sink.local(from - 1, match[1], match[2] ?? '', value);
  }
  for (const match of source.matchAll(
    /\b(?:case|catch)\s+(?:let|var)\s+(?:(\w+)(?:\s+as\s+([\w.]+))?|[\w][\w.]*\(([\w\s,:]*)\))/g,
  )) {
    const at = match.index + 5;
    if (match[1] !== undefined) sink.local(at, match[1], match[2] ?? '', '');
    else for (const name of match[3].matchAll(/(\w+)\s*(?:,|$)/g)) sink.local(at, name[1], '', '');
  }
  implicitMembers(sink);
}

const swiftRelations: RelationRules = {
  parameters: { type: 'behind', words: new Set(), rest: /\.\.\./, labels: true },
  overloads: new Map([['count', '0']]),
  lexical: LEXICAL,
  names: NAMES,
  nodes: {
    import_declaration: importRule,
    value_arguments: argumentsRule,
    lambda_literal: closureRule,
    type_identifier: typeNames(),
    attribute: attributeRule,
    as_expression: casts(/\bas[?!]?\s+([\w.]+)(?:<[^<>]*>)?\??$/),
    property_declaration: propertyRule,
    protocol_property_declaration: propertyRule,
    for_statement: forRule,
    switch_statement: switchRule,
  },
  brackets: ['value_arguments'],
  definition,
  text: conditionsAndMembers,
  values: /[(,=:]\s*((?:this\.)?[A-Za-z_]\w*(?:\.(?!self\b)\w+)*)\s*(?=[,)\n])/g,
  ignoredTypes: BUILT_IN,
};

/** `if let x = try? await f() {`: the grammar takes the block for an argument of the call. `= #_sourceLocation)`: so it does after a macro. */
const IN_CONDITION =
  /^[ \t}]*(?:else[ \t]+)?(?:(?:if|while|guard|switch)\b|for\b[^\n{}]{0,200}?[ \t]in\b)[^\n{}]{0,400}?((?:\b(?:try[?!]?|await)[ \t]+){1,3})[\w.]/gm;
const MACRO_AS_DEFAULT = /=[ \t]*(#)(?=\w{1,80}\s*[,)])/g;

/** `()` as a value: `return ()`, `call(())`. */
const UNIT =
  /(?:^[ \t]*|[(,:=][ \t]*|\breturn[ \t]+)(\(\))(?=[ \t]*(?:[\n\r;,)}]|\/\/))(?!\s*(?:->|async\b|throws\b))/gm;
const TOKENS =
  /^[ \t]*#(?:if|elseif|else|endif)\b[^\n]*|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"""(?:[^"]|"(?!""))*(?:""")?|"(?:[^"\\\n]|\\.)*"?|[^\s]/gm;

/** `@Sendable func` among statements. */
const BEFORE_LOCAL = /^[ \t]+(@(?:Sendable|MainActor|discardableResult)[ \t]+)(?=(?:async[ \t]+)?func\b)/gm;

/** `func f() throws(CartError) -> Int`. Among members, the grammar takes the first condition for the end of their type. */
const UNKNOWN: readonly Mask[] = [
  [/\bthrows[ \t]*(\([\w.<>, \t]{1,100}\))/g],
  [/^[ \t]*(#(?:if|elseif|else|endif)\b[^\n]*)/gm],
  [BEFORE_LOCAL],
  [UNIT, '00'],
  [IN_CONDITION],
  [MACRO_AS_DEFAULT, '_'],
];

function repairedSwift(text: string): string {
  // In a list of arguments or values, the grammar knows no conditions.
  const conditions = brokenConditions(text, TOKENS, ({ around }) => around !== '(' && around !== '[');
  return blanked(text, [...conditions, ...maskedRanges(text, UNKNOWN)]);
}

const swiftDefinitions: DefinitionRules = {
  repaired: repairedSwift,
  definitions: [
    {
      node: 'class_declaration',
      kind: 'class',
      head: [
        [/\bstruct\s+$/, 'struct'],
        [/\benum\s+$/, 'enum'],
        [/\bextension\s+$/, 'impl'],
      ],
    },
    { node: 'protocol_declaration', kind: 'interface', opens: /./ },
    { node: ['function_declaration', 'protocol_function_declaration'], kind: 'function', member: 'method' },
    { node: 'init_declaration', kind: 'constructor' },
    { node: 'deinit_declaration', kind: 'method', unnamed: 'deinit' },
    {
      node: 'subscript_declaration',
      kind: 'method',
      nameText: /(?:[\w@()]+\s+)*?(subscript)\b/y,
      body: '>computed_property',
    },
    {
      node: ['property_declaration', 'protocol_property_declaration'],
      kind: 'variable',
      member: 'property',
      name: 'name/>simple_identifier',
      head: [[/\b(?:static|class)\s+let\s+$/, 'constant']],
      body: 'computed_value',
      where: { not: { inside: { kind: 'statements' } } },
      outer: true,
    },
    { node: 'enum_entry', kind: 'enum-member', each: true, exported: {} },
    { node: ['typealias_declaration', 'associatedtype_declaration'], kind: 'type' },
  ],
  imports: ['import_declaration'],
  comments: ['comment', 'multiline_comment'],
  docs: { line: /^\/\//, block: ['/*', '*/'] },
  exported: { notHead: /\b(?:private|fileprivate)\b(?!\(set\))/ },
  fixed: /\b(?:(?:private|fileprivate)\b(?!\(set\))|static\b)/,
};

/** A module is a directory of files: `Sources/Name`, or the one that Package.swift names. */
export const SWIFT: ImportRules = {
  readsNames: false,
  create: (project) => new Swift(project),
};

const SWIFT_SOURCES = /^(.*?\/|)(?:Sources|Source|Tests|src|Plugins)\/([^/]+)\//;
/** Beginning of a target in Package.swift, which goes up to the next one. */
const SWIFT_TARGET = /\.(?:target|executableTarget|testTarget|macro|plugin)\(/;
const TARGET_NAME = /\bname:\s*"([^"\n]{1,200})"/;
const TARGET_PATH = /\bpath:\s*"([^"\n]{1,400})"/;
const MAX_TARGETS = 500;

class Swift implements ImportResolver {
  private files: Map<string, number[]> | null = null;
  private readonly modules = new Map<number, string>();
  private readonly known = new Map<string, Resolution>();
  /** Directories that manifests name, longest first. */
  private places: { directory: string; name: string }[] | null = null;

  constructor(private readonly project: Project) {}

  resolve(_file: number, { specifier }: Specified): Resolution {
    const name = specifier.split('.', 1)[0];
    return getOrMake(this.known, name, () => {
      const found = this.byModule().get(name);
      return found === undefined ? external(name) : this.project.toFiles(found, 'package');
    });
  }

  neighbours(file: number): readonly number[] {
    return this.byModule().get(this.modules.get(file) ?? '') ?? [];
  }

  isPeer(file: number, other: number): boolean {
    this.byModule();
    return this.modules.get(file) === this.modules.get(other);
  }

  /** Files of each module; files of no target are one module together, an app's. */
  private byModule(): Map<string, number[]> {
    if (this.files !== null) return this.files;
    this.files = new Map();
    for (const file of this.project.filesOfLanguages(['swift'])) {
      const path = this.project.path(file);
      if (path === 'Package.swift' || path.endsWith('/Package.swift')) continue;
      const name = this.targets().find(({ directory }) => path.startsWith(`${directory}/`))?.name;
      const module = name ?? SWIFT_SOURCES.exec(path)?.[2] ?? '';
      this.modules.set(file, module);
      addTo(this.files, module, file);
    }
    return this.files;
  }

  private targets(): { directory: string; name: string }[] {
    if (this.places !== null) return this.places;
    const found = this.project.manifestsNamed('Package.swift').flatMap((path) => {
      const targets: { directory: string; name: string }[] = [];
      for (const text of (this.project.manifest(path) ?? '').split(SWIFT_TARGET, MAX_TARGETS).slice(1)) {
        const name = TARGET_NAME.exec(text)?.[1];
        const written = TARGET_PATH.exec(text)?.[1];
        const directory = written === undefined ? null : join(directoryOf(path), written);
        if (name !== undefined && directory !== null && directory !== '') targets.push({ directory, name });
      }
      return targets;
    });
    this.places = found.sort((a, b) => b.directory.length - a.directory.length);
    return this.places;
  }
}

export const swift: ParsingRules = { definitions: swiftDefinitions, relations: swiftRelations };
