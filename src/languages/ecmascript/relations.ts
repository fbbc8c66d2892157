/** Relations of TypeScript, TSX and JavaScript: which rule reads which node, and what is read from the text without its tree. */
import { calls, typeNames } from '../roles/call-rules.js';
import type { DefinitionView, FactSink, LexicalConventions, NodeRule, RelationRules } from '../roles/relations.js';
import { findOutside, isNameCode, skipSpace, skipString, splitList } from '../roles/scan.js';
import { definition, parameters, variableDeclarator } from './bindings.js';
import { bracketsOf, expectedOf } from './expected.js';
import { commonExports, exportStatement, importStatement, loads } from './modules.js';
import { ELEMENT_NAMES, NAMES } from './names.js';
import { expressionEnd, GLOBAL_ROOTS, GLOBAL_TYPES, handedOver, LITERAL_CALLS, patternNames } from './patterns.js';

const LEXICAL: LexicalConventions = {
  joins: ['?.', '.'],
  nameExtra: '$#',
  postfix: '!',
  prefixes: ['await', 'yield', 'void'],
  newWord: 'new',
  cast: /\s(?:as|satisfies)\s+[\w$.<>[\]|&\s,'"]+$/,
  castType:
    /^\sas\s+(?!(?:any|unknown|never|const|string|number|boolean|object|typeof|keyof|Record|Partial|Array|Promise)\b)([A-Za-z_$][\w$.]*)(?:<[^<>]*>)?\s*$/,
  typeArguments: '<>',
  quotes: '"\'`',
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  spread: /^\.\.\./,
};

const callList = calls({
  classes: /^\(\s*([A-Z][\w$]*)\s*[,)]/,
  special: (call, sink) => {
    if (loads(call, sink)) return true;
    if (call.callee.accessPath !== 'super') return false;
    sink.reference(call.callee.nameStart, call.end, 'call', 'super.constructor', { args: call.list.count });
    return true;
  },
  kind: (call, { source }) => {
    if (source[call.start - 1] === '@') return 'decorator';
    return call.callee.isNew && !call.callee.accessPath.includes('()') ? 'new' : 'call';
  },
});

/** Decorators with arguments are calls, and were found as such. */
const decorator: NodeRule = ({ end }, sink) => {
  if (sink.source[end - 1] === ')') return;
  const { accessPath, nameStart } = sink.accessPathBefore(end);
  sink.reference(nameStart, end, 'decorator', accessPath);
};

/** A template with a tag is a call. */
const template: NodeRule = ({ start, end }, sink) => {
  const before = sink.source[start - 1];
  if (before === undefined || !/[\w$)\]>]/.test(before)) return;
  const { accessPath, nameStart, start: from } = sink.accessPathBefore(start);
  const isWord = /^(?:return|case|of|in|typeof|throw|else|default|await|yield|void|delete|new)$/.test(accessPath);
  if (accessPath === '' || accessPath.startsWith('?') || isWord) return;
  sink.remember(end, from, `${accessPath}()`);
  sink.reference(nameStart, end, 'call', accessPath);
};

/** `extends A<B> implements C, D`: of classes, and of interfaces. */
const heritage: NodeRule = ({ start, end }, sink) => {
  const { source, rules } = sink;
  const implement = /\bimplements\s/g;
  implement.lastIndex = start;
  const match = implement.exec(source.slice(0, end));
  const split = match === null ? end : match.index;
  for (const [kind, from, to] of [
    ['extends', start, split],
    ['implements', split, end],
  ] as const) {
    const word = source.startsWith(kind, from) ? from + kind.length : from;
    for (const part of splitList(source, word, to, ',', rules.lexical, true)) {
      const { start: from, end: last } = withoutWrappers(sink, part.start, part.end);
      const found = sink.accessPathBefore(last);
      if (found.start >= from) sink.reference(found.nameStart, last, kind, found.accessPath);
    }
  }
};

const WRAPPER = /(?:Required|Partial|Readonly|Omit|Pick|NonNullable)\s*</y;

/** `Required<Omit<Options, 'strict'>>` has the members of `Options`. */
function withoutWrappers({ source, rules }: FactSink, from: number, to: number): { start: number; end: number } {
  let part = { start: from, end: to };
  for (;;) {
    WRAPPER.lastIndex = part.start;
    const match = WRAPPER.exec(source);
    if (match === null || source[part.end - 1] !== '>') return part;
    const [first] = splitList(source, part.start + match[0].length, part.end - 1, ',', rules.lexical, true);
    if (first === undefined) return part;
    part = first;
  }
}

const ELEMENT = /<\s*([\p{L}_$][\p{L}\p{N}_$.]*)/uy;

/** `<Cart/>` makes a Cart; elements in lower case are the page's own. */
const element: NodeRule = ({ start, end }, sink) => {
  ELEMENT.lastIndex = start;
  const match = ELEMENT.exec(sink.source);
  if (match === null) return;
  const [all, name] = match;
  if (!/^\p{Lu}|[._$]/u.test(name)) return;
  const at = start + all.length - (name.length - name.lastIndexOf('.') - 1);
  sink.reference(at, end, 'new', name);
  attributes(start + all.length, end, name, sink);
};

const ATTRIBUTE = /([A-Za-z_$][\w$]*)\s*(?=[\s=/>])(?:=\s*)?/y;
/** Attributes of one element. */
const MAX_ATTRIBUTES = 100;

/** `<Cart tax={2}/>` writes `tax` of the first parameter of `Cart`. */
function attributes(from: number, end: number, component: string, sink: FactSink): void {
  const { source, rules } = sink;
  let at = from;
  for (let count = 0; count < MAX_ATTRIBUTES && at < end; count++) {
    at = skipSpace(source, at, end, rules.lexical);
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(source);
    if (match !== null) {
      sink.reference(at, at + match[1].length, 'write', `${component}(0).${match[1]}`);
      at += match[0].length;
    }
    const value = source[at] === '{' ? sink.closing(at, end) : skipString(source, at, end, `"'`);
    if (value === at && match === null) return;
    at = value;
  }
}

/** `{ total: 1 }` writes a property of what it is given to. */
const object: NodeRule = ({ start, end }, sink) => {
  bracketsOf(sink).pair(start, end);
  sink.literal(start, end, expectedOf(sink, start, end));
};

/** `typeof cart.total` as a type. */
const typeQuery: NodeRule = ({ start, end }, sink) => {
  const { accessPath, nameStart } = sink.accessPathBefore(
    findOutside(sink.source, start, end, '<', sink.rules.lexical),
  );
  sink.reference(nameStart, end, 'type', accessPath);
};

const typeParameter: NodeRule = ({ text, start }, sink) => {
  const match = /^(?:(?:const|in|out)\s+)*([\w$]+)(?:\s+extends\s+([\w$.]+))?/.exec(text);
  if (match !== null) sink.typeParameter(match[1], start, match[2]);
};

/** `X?.y` and `X[]` after `,`, `(` and the like. What follows must end the expression. */
const VALUES =
  /(?:[(,[:=?|&{]|=>|\breturn|\.\.\.|\bdefault)\s*((?:this\.)?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)?)\s*(?=[,)\]};|&]|\n|$)/g;

const SHARED: RelationRules['nodes'] = {
  arguments: callList,
  class_heritage: heritage,
  export_statement: exportStatement,
  formal_parameters: parameters,
  object,
  import_statement: importStatement,
  template_string: template,
  variable_declarator: variableDeclarator,
  decorator,
};
const TYPES: RelationRules['nodes'] = {
  extends_type_clause: heritage,
  type_identifier: typeNames(),
  type_parameter: typeParameter,
  type_query: typeQuery,
};
const ELEMENTS: RelationRules['nodes'] = { jsx_opening_element: element, jsx_self_closing_element: element };

function text(sink: FactSink): void {
  wholeText(sink);
  commonExports(sink);
}

export const typescript: RelationRules = {
  lexical: LEXICAL,
  names: NAMES,
  nodes: { ...SHARED, ...TYPES },
  top: ['import_statement', 'export_statement'],
  brackets: ['arguments'],
  callbacks: ['arrow_function', 'function_expression', 'generator_function'],
  definition,
  text,
  values: VALUES,
  ignoredTypes: GLOBAL_TYPES,
  ignoredRoots: GLOBAL_ROOTS,
  literalCalls: LITERAL_CALLS,
};
export const tsx: RelationRules = { ...typescript, names: ELEMENT_NAMES, nodes: { ...SHARED, ...TYPES, ...ELEMENTS } };
export const javascript: RelationRules = {
  ...typescript,
  names: ELEMENT_NAMES,
  nodes: { ...SHARED, ...ELEMENTS },
  definition: (view, sink) => {
    documented(view, sink);
    definition(view, sink);
  },
};

/** The head of a loop up to its `of`. */
const MAX_PATTERN_LENGTH = 300;

function wholeText(sink: FactSink): void {
  assignments(sink);
  loops(sink);
  shadows(sink);
  laterAssignments(sink);
  bareNew(sink);
  inherited(sink);
}

const ASSIGNED = /(?<![\w$.])this\.([\w$]+)\s*=(?![=>])\s*/g;

/** `this.x = new Y()`. */
function assignments(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(ASSIGNED)) {
    const at = match.index + match[0].length;
    const value = sink.accessPath(at, expressionEnd(sink, at));
    if (value !== '') sink.field(match.index + 5, match[1], '', value);
  }
}

/** One for each word: an expression that begins with a literal is looked for much faster. */
const DECLARED_EMPTY = [
  /let\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:null|undefined)\s*)?(?=[;\n])/g,
  /var\s+([A-Za-z_$][\w$]*)\s*(?:=\s*(?:null|undefined)\s*)?(?=[;\n])/g,
];
const ASSIGNED_LATER = /(?<=^|[;{}(]|=>)[^\S\n]*([A-Za-z_$][\w$]*)\s*=(?![=>])\s*/gm;

/** `let cart; … cart = await open()`: the first value is what the name stands for, wherever it is given. */
function laterAssignments(sink: FactSink): void {
  const { source } = sink;
  const declared = new Map<string, number>();
  for (const pattern of DECLARED_EMPTY) {
    for (const match of source.matchAll(pattern)) {
      if (!declared.has(match[1])) declared.set(match[1], match.index + match[0].indexOf(match[1], 4));
    }
  }
  if (declared.size === 0) return;
  for (const match of source.matchAll(ASSIGNED_LATER)) {
    const first = declared.get(match[1]);
    if (first === undefined) continue;
    const from = match.index + match[0].length;
    const value = sink.accessPath(from, expressionEnd(sink, from));
    if (value === '' || LOADED.test(value)) continue;
    sink.assigned(match.index + match[0].indexOf(match[1]), match[1], value);
    if (first < match.index && first !== -1) {
      sink.local(first, match[1], '', value);
      declared.set(match[1], -1);
    }
  }
}

/** Imports, and nothing. */
const LOADED = /^(?:(?:require|import)\(|(?:null|undefined|true|false)$)/;

const LOOP = /\bfor\s*(?:await\s*)?\(\s*(?:const|let|var)\s+/g;

/** `for (const x of xs)`. */
function loops(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(LOOP)) {
    const at = match.index + match[0].length;
    const isPattern = source[at] === '{' || source[at] === '[';
    const nameEnd = isPattern ? sink.closing(at, at + MAX_PATTERN_LENGTH) : nameEndAt(source, at);
    const of = /\s*(of|in)\b\s*/y;
    of.lastIndex = nameEnd;
    const word = of.exec(source);
    if (word === null) continue;
    const from = nameEnd + word[0].length;
    const accessPath = word[1] === 'of' ? sink.accessPath(from, expressionEnd(sink, from)) : '';
    // Loops over maps and `Object.entries` give pairs, and nothing here tells key from value.
    const value = accessPath === '' || source[at] === '[' ? '' : `${accessPath}[]`;
    if (!isPattern) sink.local(at, source.slice(at, nameEnd), '', value);
    else for (const found of patternNames(sink, at, nameEnd, value)) sink.local(found.at, found.name, '', found.value);
  }
}

function nameEndAt(source: string, at: number): number {
  let end = at;
  while (end < source.length && isNameCode(source.charCodeAt(end), '$')) end++;
  return end;
}

/** A clause, not `promise.catch(handler)`. */
const CAUGHT = /(?<![\w$.])catch\s*\(\s*([\w$]+)(?=\s*[:)])/g;
const SINGLE = /(?<![\w$.:)\]])([A-Za-z_$][\w$]*)\s*$/;
/** Before the name: it is the type of a result, `(): Cart => …`. */
const RESULT_LEAD = /\)\s*:\s*(?:(?:asserts\s+)?[\w$]+\s+is\s+)?$/;
const MAX_NAME_LENGTH = 60;

/** Names that hide others: `catch (e)`, `x => …`. */
function shadows(sink: FactSink): void {
  const { source } = sink;
  for (const match of source.matchAll(CAUGHT)) {
    sink.local(match.index + match[0].length - match[1].length, match[1], '', '');
  }
  for (let arrow = source.indexOf('=>'); arrow !== -1; arrow = source.indexOf('=>', arrow + 2)) {
    const match = SINGLE.exec(source.slice(Math.max(0, arrow - MAX_NAME_LENGTH), arrow));
    if (match === null) continue;
    const at = arrow - match[0].length;
    if (RESULT_LEAD.test(source.slice(Math.max(0, at - MAX_NAME_LENGTH), at))) continue;
    sink.local(at, match[1], '', handedOver(at, sink)(0));
  }
}

const BARE_NEW = /(?<![\w$.])new\s+([A-Za-z_$][\w$]*(?:\.[\w$]+)*)(?=\s*[;,)\]}])/g;

/** `new Cart` without arguments. */
function bareNew(sink: FactSink): void {
  for (const match of sink.source.matchAll(BARE_NEW)) {
    const end = match.index + match[0].length;
    const at = end - (match[1].length - match[1].lastIndexOf('.') - 1);
    sink.reference(at, end, 'new', match[1], { args: 0 });
  }
}

const INHERITS =
  /\b(?:inherits\s*\(\s*([\w$]+)\s*,\s*|([\w$]+)\.prototype\s*=\s*Object\.create\(\s*)([\w$]+(?:\.[\w$]+)*?)(?:\.prototype)?\s*[,)]/g;

/** `util.inherits(A, B)`, `A.prototype = Object.create(B.prototype)`. */
function inherited(sink: FactSink): void {
  const { source } = sink;
  if (!source.includes('inherits') && !source.includes('Object.create(')) return;
  for (const match of source.matchAll(INHERITS)) {
    const parent = match[3];
    const at = match.index + match[0].lastIndexOf(parent) + parent.lastIndexOf('.') + 1;
    sink.reference(at, match.index + match[0].length, 'extends', parent, { of: match[1] ?? match[2] });
  }
}

/** A comment that is read for types. UTF-16 units. */
const MAX_DOC_LENGTH = 5_000;
const MAX_SIGNATURE_LENGTH = 2_000;
/** Parameters with a type in one comment. */
const MAX_TAGS = 50;
const TAG = /@(param|returns?|type)\s*\{([^{}\n]{1,200})\}(?:\s*\[?([\w$]+))?/g;

/** `@param {Cart} cart`, `@returns {Cart}`, `@type {Cart}`. */
export function documented(view: DefinitionView, sink: FactSink): void {
  const { doc, nameStart, nameEnd, name, signatureEnd, kind } = view;
  if (doc === null) return;
  const { source } = sink;
  const comment = source.slice(doc.start, Math.min(doc.end, doc.start + MAX_DOC_LENGTH));
  const signature = source.slice(nameEnd, Math.min(signatureEnd, nameEnd + MAX_SIGNATURE_LENGTH));
  let count = 0;
  for (const [, tag, type, parameter] of comment.matchAll(TAG)) {
    if (++count > MAX_TAGS) break;
    const written = plainType(type);
    if (tag === 'type') {
      if (kind === 'field' || kind === 'property') sink.field(nameStart, name, written, '');
      else sink.local(nameStart, name, written, '');
    } else if (tag !== 'param') sink.result(nameStart, written, '');
    else if (parameter !== undefined) {
      const at = positionIn(signature, parameter);
      if (at !== -1) sink.local(nameEnd + at, parameter, written, '');
    }
  }
}

/** As TypeScript would write it: `?Cart`, `!Cart` and `Cart=` are about null and optional. */
function plainType(type: string): string {
  return type
    .trim()
    .replace(/^(?:\.\.\.)?[?!]?/, '')
    .replace(/=$/, '')
    .replace(/^import\([^)]*\)\./, '');
}

function positionIn(signature: string, name: string): number {
  for (let at = signature.indexOf(name); at !== -1; at = signature.indexOf(name, at + 1)) {
    const before = signature[at - 1] ?? ' ';
    const after = signature[at + name.length] ?? ' ';
    if (!/[\w$]/.test(before) && !/[\w$]/.test(after)) return at;
  }
  return -1;
}
