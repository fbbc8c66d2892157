/**
 * Reads samples of code by patterns, without a grammar: most are fragments, which no grammar parses. Only names that a sample imports and
 * their uses count: other names in a sample are made up. Every pattern is bounded, so that reading is linear.
 */
import { insideBrackets, splitList } from '../graph/compare/parameters.js';
import type { LexicalConventions } from '../languages/roles/relations.js';

export interface SampleUse {
  /** Exported name, with members: `DataSource.initialize`. */
  text: string;
  /** Source of the import; absent for a call of a name that nothing in the document imports. */
  from?: string;
  /** Line within the sample, from 0. */
  line: number;
  isCall: boolean;
  args?: Arguments;
}

export interface Arguments {
  /** Number of positional arguments. */
  args: number;
  /** Number of named arguments. */
  named?: number;
}

/** Names that the samples of one document have bound so far: a later sample continues an earlier one. */
export class Bindings {
  /** Imported names, by the name in the sample. */
  readonly imported = new Map<string, { name: string; from: string }>();
  /** Variables that hold an instance of an imported type. */
  readonly instances = new Map<string, { name: string; from: string }>();
  readonly defined = new Set<string>();
}

export interface Sample {
  uses: SampleUse[];
  imports: SampleUse[];
}

const MAX_SAMPLE = 50_000;
const MAX_BINDINGS = 2_000;
const MAX_USES = 2_000;

/** `import a, { b as c } from 'd'`; `export { b } from 'd'` */
const BRACED = /^[ \t]*(?:import|export)\s+(?:type\s+)?([^;'"]{1,1500}?)\s+from\s+['"]([^'"\n]{1,200})['"]/gm;
/** `const { a } = require('d')` */
const REQUIRED =
  /^[ \t]*(?:const|let|var)\s+([\w${},\s:]{1,500}?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"\n]{1,200})['"]/gm;
/** `from d import a, b as c`, with brackets around a long list */
const FROM = /^[ \t]*(?:>>> )?from[ \t]+([\w.]{1,200})[ \t]+import[ \t]+(?:\(([^()]{1,1500})\)|([^\n;#(]{1,500}))/gm;
/** `import d.e as f`; `import a.b.C;` */
const PLAIN =
  /^[ \t]*(?:>>> )?import[ \t]+(?:static[ \t]+)?([\w.]{1,200})(?:[ \t]+as[ \t]+(\w{1,100}))?[ \t]*;?[ \t]*$/gm;
/** `use a::b::{c, d as e};`, `use A\B\C;` */
const USED =
  /^[ \t]*(?:pub[ \t]+)?use[ \t]+([\w:\\]{1,200}?)(?:(?:::|\\)\{([^{}]{1,1000})\})?(?:[ \t]+as[ \t]+(\w{1,100}))?[ \t]*;/gm;

/** `import d "e/f"`; `import (` with a line for each, as in Go. Samples call a package by the last part of its path. */
const QUOTED = /^[ \t]*import[ \t]+(?:([\w.]{1,60})[ \t]+)?"([\w.~-]{1,60}\/[^"\n]{1,200})"/gm;
const QUOTED_LIST = /^[ \t]*import[ \t]*\(([^()]{1,5000})\)/gm;
const QUOTED_LINE = /^[ \t]*(?:([\w.]{1,60})[ \t]+)?"([^"\n]{1,200})"/gm;

const IMPORTS = [BRACED, REQUIRED, FROM, PLAIN, USED, QUOTED, QUOTED_LIST];

const DEFINED =
  /\b(?:class|interface|type|enum|struct|trait|function|def|func|fn|fun|const|let|var|val|module|protocol|record)[ \t]+([\w$]{1,100})/g;
/** Mark of a cell that nbdev exports to a module: its definitions are the repository's, not the notebook's own. */
const EXPORTED = /^[ \t]*#[ \t]*\|?[ \t]*exports?\b/m;
/** `name = `, `let name: Type = `, `name := `: the text behind says whether the variable holds an instance of an imported type. */
const ASSIGNED = /(?<![\w$.=!<>])([A-Za-z_$][\w$]{0,60})[ \t]*(?::[^=\n]{0,80})?:?=(?![=>])[ \t]*/g;
const INSTANCE =
  /(?:await[ \t]+)?(new[ \t]+)?([A-Za-z_$][\w$]{0,100}(?:\.[A-Z]\w{0,60})?)(?=(?:<[^<>()\n]{0,80}>)?\()/y;
const CHAIN =
  /(?<![\w$.'"`/@-])(?:@|new[ \t]+)?([A-Za-z_$][\w$]{0,100})((?:(?:\.|::|->)[A-Za-z_$][\w$]{0,100}){0,5})(?:<[^<>()\n]{0,80}>)?(\()?/g;

/** Reads one sample and binds its names. `lexical`: conventions of its language. */
export function readSample(source: string, lexical: LexicalConventions, bindings: Bindings): Sample {
  const whole = withoutPrompts(source.slice(0, MAX_SAMPLE));
  const lineOf = lineCounter(whole);
  const imports = importsOf(whole, bindings, lineOf);
  const text = IMPORTS.reduce((rest, form) => rest.replace(form, (found) => found.replace(/[^\n]/g, ' ')), whole);
  for (const [, name] of EXPORTED.test(whole) ? [] : text.matchAll(DEFINED))
    if (!bindings.imported.has(name) && bindings.defined.size < MAX_BINDINGS) bindings.defined.add(name);
  for (const { 0: assigned, 1: variable, index } of text.matchAll(ASSIGNED)) {
    const made = instanceAt(text, index + assigned.length, bindings);
    if (made === null) bindings.instances.delete(variable);
    else if (bindings.instances.size < MAX_BINDINGS) bindings.instances.set(variable, made);
  }
  return { imports, uses: usesIn(text, { lexical, bindings, lineOf }) };
}

/** `new Cart(`, `shop.Cart(`, `Cart(`: an instance of an imported type; null for everything else. */
function instanceAt(text: string, at: number, { imported }: Bindings): { name: string; from: string } | null {
  INSTANCE.lastIndex = at;
  const match = INSTANCE.exec(text);
  if (match === null) return null;
  const [head, member] = match[2].split('.');
  const type = imported.get(head);
  const name = member ?? type?.name ?? '';
  return type !== undefined && (match[1] !== undefined || /^[A-Z]/.test(name)) ? { name, from: type.from } : null;
}

/** Blanks the prompts `>>> ` and `... ` of a session, whose width stays, so that offsets stay right. */
const withoutPrompts = (text: string): string => text.replace(/^([ \t]*)(?:>>>|\.\.\.) /gm, '$1    ');

function lineCounter(text: string): (at: number) => number {
  let [line, counted] = [0, 0];
  return (at) => {
    if (at < counted) [line, counted] = [0, 0];
    for (; counted < at; counted++) if (text.charCodeAt(counted) === 10) line++;
    return line;
  };
}

function importsOf(text: string, { imported }: Bindings, lineOf: (at: number) => number): SampleUse[] {
  const found: SampleUse[] = [];
  const bind = (name: string, from: string, local: string, at: number) => {
    if (!/^[\w$]+$/.test(name) || imported.size >= MAX_BINDINGS) return;
    imported.set(local, { name, from });
    found.push({ text: name, from, line: lineOf(at), isCall: false });
  };
  const list = (names: string, from: string, at: number, as: RegExp) => {
    for (const part of names.split(',')) {
      const [name, local = name] = part
        .trim()
        .replace(/^type\s+/, '')
        .split(as);
      bind(name, from, local, at);
    }
  };
  for (const { 1: clause, 2: from, index } of text.matchAll(BRACED)) bindClause(clause, from, index);
  for (const { 1: clause, 2: from, index } of text.matchAll(REQUIRED)) bindClause(clause, from, index);
  for (const { 1: from, 2: long, 3: short = long, index } of text.matchAll(FROM))
    list(short.replace(/#.*$/gm, ''), from, index, /\s+as\s+/);
  for (const { 1: path, 2: local, index } of text.matchAll(PLAIN)) bindPath(path, local, index);
  for (const { 1: path, 2: names, 3: local, index } of text.matchAll(USED)) {
    const words = path.replaceAll('\\', '::');
    if (names !== undefined) list(names, words, index, /\s+as\s+/);
    else bindPath(words, local, index, '::');
  }
  bindPackages(text, imported);
  return found;

  function bindClause(clause: string, from: string, at: number): void {
    const braces = /\{([^{}]*)\}/.exec(clause);
    if (braces !== null) list(braces[1], from, at, /\s+as\s+|\s*:\s*/);
    const rest = clause.replace(/\{[^{}]*\}/, '').replace(/^[\s,]+|[\s,]+$/g, '');
    const whole = /^\*\s+as\s+([\w$]+)$/.exec(rest)?.[1];
    // Binds a whole module, or its default export: its members are what it exports.
    if (whole !== undefined || /^[\w$]+$/.test(rest)) imported.set(whole ?? rest, { name: '', from });
  }

  function bindPath(path: string, local: string | undefined, at: number, between = '.'): void {
    const end = path.lastIndexOf(between);
    const name = path.slice(end < 0 ? 0 : end + between.length);
    if (end >= 0 && /^[A-Z]/.test(name)) bind(name, path.slice(0, end), local ?? name, at);
    else if (local !== undefined || between !== '.') imported.set(local ?? name, { name: '', from: path });
    else imported.set(path.split('.')[0], { name: '', from: path.split('.')[0] });
  }
}

/**
 * Binds the names that packages go by where a language imports them whole. All samples are read for it first: a document may use a package
 * before the sample that imports it.
 */
export function bindPackages(text: string, imported: Bindings['imported']): void {
  const bind = (path: string, local = calledName(path)) => {
    if (/^\w+$/.test(local) && local !== '_' && imported.size < MAX_BINDINGS)
      imported.set(local, { name: '', from: path });
  };
  const sample = text.slice(0, MAX_SAMPLE);
  for (const { 1: local, 2: path } of sample.matchAll(QUOTED)) bind(path, local);
  for (const [, all] of sample.matchAll(QUOTED_LIST))
    for (const { 1: local, 2: path } of all.matchAll(QUOTED_LINE)) bind(path, local);
}

/** Name that a package goes by: `cart` of `example.org/shop/go-cart/v2` and of `example.org/cart.v2`, without `go-` and version. */
function calledName(path: string): string {
  const parts = path.split('/').filter((part) => !/^v\d+$/.test(part));
  return (parts.at(-1) ?? '').replace(/\.v\d+$|-go$/, '').replace(/^go-/, '');
}

function usesIn(
  text: string,
  { lexical, bindings, lineOf }: { lexical: LexicalConventions; bindings: Bindings; lineOf: (at: number) => number },
): SampleUse[] {
  const found: SampleUse[] = [];
  for (const match of text.matchAll(CHAIN)) {
    const [whole, head, chain, open] = match;
    const bound = bindings.imported.get(head) ?? bindings.instances.get(head);
    if (found.length >= MAX_USES) break;
    if (bound === undefined) {
      const args = open === undefined ? undefined : unboundArguments(text, match.index + whole.length - 1, lexical);
      const called = { text: head + chain.replace(/::|->/g, '.'), line: lineOf(match.index), isCall: true };
      if (args !== undefined) found.push({ ...called, args });
      continue;
    }
    const members = chain.split(/\.|::|->/).slice(1);
    const isInstance = !bindings.imported.has(head);
    // The type of `member` in `instance.member.other` is not known.
    const names = [bound.name, ...(isInstance || bound.name !== '' ? members.slice(0, 1) : members)].filter(Boolean);
    if (names.length === 0 || (isInstance && members.length === 0)) continue;
    const isCall = open !== undefined && names.length >= (bound.name === '' ? 0 : 1) + members.length;
    // A method that is called through its type may take the instance as an argument.
    const isPlain = isInstance || bound.name === '' || members.length === 0;
    const args = isCall && isPlain ? argumentsAt(text, match.index + whole.length - 1, lexical) : undefined;
    found.push({
      text: names.join('.'),
      from: bound.from,
      line: lineOf(match.index),
      isCall,
      ...(args !== undefined && { args }),
    });
  }
  return found;
}

/** Longest list of arguments that is counted. */
const MAX_ARGUMENTS = 500;

/** Counts arguments; undefined where some are left out or spread, or where the call does not end nearby. */
function argumentsAt(text: string, open: number, lexical: LexicalConventions): Arguments | undefined {
  const inside = insideBrackets(text.slice(open, open + MAX_ARGUMENTS), 0, lexical);
  return inside === null ? undefined : counted(splitList(inside, lexical), inside);
}

function counted(parts: readonly string[], inside: string): Arguments | undefined {
  if (/\.\.\.|…|^\s*\*|,\s*\*/.test(inside)) return undefined;
  const named = parts.filter((part) => /^\w+\s*=(?!=)/.test(part)).length;
  return { args: parts.length - named, ...(named > 0 && { named }) };
}

/** Counts the arguments of a name that may be declared here instead of called; undefined where the brackets look like parameters. */
function unboundArguments(text: string, open: number, lexical: LexicalConventions): Arguments | undefined {
  const near = text.slice(open, open + MAX_ARGUMENTS);
  const inside = insideBrackets(near, 0, lexical);
  if (inside === null || BODY.test(near.slice(inside.length + 2))) return undefined;
  const parts = splitList(inside, lexical);
  return parts.length === 0 || parts.some((part) => PARAMETER.test(part)) ? undefined : counted(parts, inside);
}

/** Text behind the parameters of a declaration: its body, or the type of the result. */
const BODY = /^[ \t]*(?:\{|=>|->|:[ \t]*[A-Za-z]|throws\b)/;
/** `name: Type`, `Type name`, `name Type`. */
const PARAMETER = /^\w+\??\s*:|^(?!(?:new|await|not|typeof|lambda|async)\b)[\w.<>[\]*]+\s+[\w*&]+$/;
