/** Facts that ECMAScript text tells without its tree: assignments, loops, callbacks with one parameter. */
import type { FactSink } from '../roles/relations.js';
import { isNameCode } from '../roles/scan.js';
import { narrowings } from './narrowings.js';
import { expressionEnd, handedOver, patternNames } from './patterns.js';

/** The head of a loop up to its `of`. */
const MAX_PATTERN_LENGTH = 300;

export function wholeText(sink: FactSink): void {
  assignments(sink);
  loops(sink);
  shadows(sink);
  laterAssignments(sink);
  bareNew(sink);
  inherited(sink);
  narrowings(sink);
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
