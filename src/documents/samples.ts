/**
 * Reads samples of code by their words, without a grammar: most are fragments, which no grammar parses. Only what a sample imports
 * counts, and what it does with that: other names in a sample are made up. Every pattern is bounded, so that reading is linear.
 */
import { insideBrackets, splitList } from '../graph/compare/parameters.js';
import type { LexicalConventions } from '../languages/roles/relations.js';

export interface SampleUse {
  /** `DataSource.initialize`: the name as it is exported, with members. */
  text: string;
  /** Absent for a call of a name that nothing in the document imports. */
  from?: string;
  /** Line within the sample, from 0. */
  line: number;
  isCall: boolean;
  args?: Arguments;
}

export interface Arguments {
  /** Number of arguments that are given by position. */
  args: number;
  /** Number of arguments that are given by name. */
  named?: number;
}

/** Names that samples of one document have bound so far: a later one goes on where an earlier one ended. */
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

/** `import d "e/f"`; `import (` with a line for each, as in Go. A package goes by the last part of its path. */
const QUOTED = /^[ \t]*import[ \t]+(?:([\w.]{1,60})[ \t]+)?"([\w.~-]{1,60}\/[^"\n]{1,200})"/gm;
const QUOTED_LIST = /^[ \t]*import[ \t]*\(([^()]{1,5000})\)/gm;
const QUOTED_LINE = /^[ \t]*(?:([\w.]{1,60})[ \t]+)?"([^"\n]{1,200})"/gm;

const IMPORTS = [BRACED, REQUIRED, FROM, PLAIN, USED, QUOTED, QUOTED_LIST];

const DEFINED =
  /\b(?:class|interface|type|enum|struct|trait|function|def|func|fn|fun|const|let|var|val|module|protocol|record)[ \t]+([\w$]{1,100})/g;
/** A cell whose definitions nbdev writes into a module: they are the repository's, not the notebook's own. */
const EXPORTED = /^[ \t]*#[ \t]*\|?[ \t]*exports?\b/m;
/** `name = `, `let name: Type = `, `name := `: what stands behind it says whether it is an instance of something imported. */
const ASSIGNED = /(?<![\w$.=!<>])([A-Za-z_$][\w$]{0,60})[ \t]*(?::[^=\n]{0,80})?:?=(?![=>])[ \t]*/g;
const INSTANCE =
  /(?:await[ \t]+)?(new[ \t]+)?([A-Za-z_$][\w$]{0,100}(?:\.[A-Z]\w{0,60})?)(?=(?:<[^<>()\n]{0,80}>)?\()/y;
const CHAIN =
  /(?<![\w$.'"`/@-])(?:@|new[ \t]+)?([A-Za-z_$][\w$]{0,100})((?:(?:\.|::|->)[A-Za-z_$][\w$]{0,100}){0,5})(?:<[^<>()\n]{0,80}>)?(\()?/g;

/** Reads one sample and binds its names. `lexical`: of its language. */
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

/** `>>> ` and `... ` of a session keep their width, so that lines stay where they are. */
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
    // The whole module, or its default: its members are what it exports.
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

/** Names that packages go by in a sample of a language that imports them whole. A document may import them in a later sample than it uses them. */
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

/** `cart` of `example.org/shop/go-cart/v2` and of `example.org/cart.v2`: versions and the language's own name are no part of it. */
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
    // Of `instance.member.other` the type of `member` is not known.
    const names = [bound.name, ...(isInstance || bound.name !== '' ? members.slice(0, 1) : members)].filter(Boolean);
    if (names.length === 0 || (isInstance && members.length === 0)) continue;
    const isCall = open !== undefined && names.length >= (bound.name === '' ? 0 : 1) + members.length;
    // Through the type itself the instance may be an argument.
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

/** Longest text between the brackets of a call that is counted. */
const MAX_ARGUMENTS = 500;

/** Undefined where something is left out or spread, and where the call does not end nearby. */
function argumentsAt(text: string, open: number, lexical: LexicalConventions): Arguments | undefined {
  const inside = insideBrackets(text.slice(open, open + MAX_ARGUMENTS), 0, lexical);
  return inside === null ? undefined : counted(splitList(inside, lexical), inside);
}

function counted(parts: readonly string[], inside: string): Arguments | undefined {
  if (/\.\.\.|…|^\s*\*|,\s*\*/.test(inside)) return undefined;
  const named = parts.filter((part) => /^\w+\s*=(?!=)/.test(part)).length;
  return { args: parts.length - named, ...(named > 0 && { named }) };
}

/** Of a name that is not known to be called: its brackets may as well hold the parameters of a declaration, of which nothing is said. */
function unboundArguments(text: string, open: number, lexical: LexicalConventions): Arguments | undefined {
  const near = text.slice(open, open + MAX_ARGUMENTS);
  const inside = insideBrackets(near, 0, lexical);
  if (inside === null || BODY.test(near.slice(inside.length + 2))) return undefined;
  const parts = splitList(inside, lexical);
  return parts.length === 0 || parts.some((part) => PARAMETER.test(part)) ? undefined : counted(parts, inside);
}

/** A body, or the type of a result, follows the parameters of a declaration. */
const BODY = /^[ \t]*(?:\{|=>|->|:[ \t]*[A-Za-z]|throws\b)/;
/** `name: Type`, `Type name`, `name Type`. */
const PARAMETER = /^\w+\??\s*:|^(?!(?:new|await|not|typeof|lambda|async)\b)[\w.<>[\]*]+\s+[\w*&]+$/;
