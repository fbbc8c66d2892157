/**
 * Reads in the text of a declaration, and in the places around it, who may use it: words and attributes that say so, a body that is missing,
 * its place among others, or that only its file can name it.
 */
import { conventionsOf } from '../../languages/registry.js';
import type { Graph } from '../graph.js';
import { HEAD_LINES, plainName } from './name-occurrences.js';
import type { Excuse } from './unused.js';
import { directMembers, isType } from './uses.js';

/** Does a declaration say that only its file can name it? `lines`: those of the file, up to its end. */
export function isFileOwn(graph: Graph, node: number, lines: readonly string[]): boolean {
  const { fileHead } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  const container = graph.container(node);
  // Types that use a trait have its members as their own.
  if (fileHead === undefined || graph.isFile(node) || graph.kind(container) === 'trait') return false;
  const head = lines
    .slice(graph.startLine(node) - 1, graph.endLine(node))
    .slice(0, MAX_LINES)
    .join('\n');
  const name = plainName(graph.name(node));
  // A sign before the names of all variables is no part of one.
  const at = nameIn(name.includes('$') ? head : head.replaceAll('$', ' '), name);
  if (at < 0) return false;
  // A line can have several declarations, and a list of parameters has several words of this kind.
  const own = head.slice(0, at).replace(/"[^"\n]*"|'[^'\n]*'|<[^<>\n]*>/g, '');
  return fileHead.test(own.slice(own.search(/[^;{},(]*$/)));
}

/** Place of a name in a text, -1 for none. */
function nameIn(text: string, name: string): number {
  const written = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}_$])${written}(?![\\p{L}\\p{N}_$])`, 'u'));
}

/** Attributes in `#[…]` that describe a definition and pass it to no other code. */
const INERT_ATTRIBUTES =
  /^(?:inline|allow|warn|deny|expect|cfg|cfg_attr|must_use|derive|doc|deprecated|cold|track_caller|non_exhaustive|repr|rustfmt|clippy|automatically_derived|serde|default)\b/;
/** Of an attribute under a condition, the name behind it: `#[cfg_attr(unix, global_allocator)]`. */
const ATTRIBUTE = /^\s*#\[\s*(?:cfg_attr\((?:[^(),\n]|\([^()\n]*\))*,\s*)?([\w:]+)/gm;
const TEST_ATTRIBUTE = /(?:^|::)(?:test|bench)$/;

/** A first parameter that is the object itself. */
const SELF = /^\s*(?:<[^()]*>)?\s*\(\s*&?\s*(?:'\w+\s+)?(?:mut\s+)?self\b/;

const PROTECTED: Excuse = {
  verdict: 'exported',
  reason: 'it is protected: subclasses outside of this repository may use it',
};

/** Maximum number of lines of a declaration up to its parameters. */
const MAX_LINES = 12;

/**
 * Signs in a declaration with their meaning; the first one found counts. `before` is the text up to the name, `after`
 * the text behind it.
 */
const SIGNS: readonly { verdict: Excuse['verdict']; reason: string; fits: (head: Declaration) => boolean }[] = [
  {
    verdict: 'framework',
    reason: 'it overrides a member that is outside of this repository and may be called',
    fits: ({ before }) => /\boverride\b/.test(before),
  },
  {
    verdict: 'framework',
    reason: 'it is virtual: objects of its type keep it, and other types may override it',
    fits: ({ before }) => /\bvirtual\b/.test(before),
  },
  {
    verdict: 'framework',
    reason: 'it is an operator, which code calls by its sign',
    fits: ({ before }) => /\boperator\s/.test(before),
  },
  { ...PROTECTED, fits: ({ before }) => /\bprotected\b/.test(before) },
  {
    verdict: 'exported',
    reason: 'another part of its type may make it visible',
    fits: ({ before, container }) => PART.test(container) || PART.test(before),
  },
  {
    verdict: 'exported',
    reason: 'it is what its file gives to those that load it',
    fits: ({ before }) => /\bexports(?:\.[\w$]{1,100})?\s{0,9}=/.test(before),
  },
  {
    verdict: 'framework',
    reason: 'it is declared here and defined elsewhere',
    fits: ({ before, container }) => AMBIENT.test(before) || AMBIENT.test(container),
  },
  {
    verdict: 'framework',
    reason: 'it has no body here: another definition has',
    fits: ({ text }) => BODILESS.test(text) || isPrototype(text.replace(/\/\/.*$/gm, '')),
  },
  {
    verdict: 'framework',
    reason: 'it may add to a declaration elsewhere',
    fits: ({ text, isTopLevel }) => isTopLevel && /^[ \t]+(?:export )?interface\b/.test(text),
  },
  {
    verdict: 'framework',
    reason: 'it belongs to a type that has no name here',
    fits: ({ after, isTopLevel }) => isTopLevel && SELF.test(after),
  },
  {
    verdict: 'framework',
    reason: 'it belongs to a type that has no name here',
    fits: ({ text, isTopLevel }) => isTopLevel && ASSOCIATED.test(text),
  },
  {
    verdict: 'indirect',
    reason: 'it is a public property, which a serialiser may read',
    fits: ({ before, after, isValue }) =>
      isValue && /\bpublic\b/.test(before) && !/\b(?:static|const)\b/.test(before) && /^\s*(?:\{|=>)/.test(after),
  },
  {
    verdict: 'indirect',
    reason: 'its first value is made by code that may do more, such as register it',
    fits: ({ after, isValue, isTopLevel }) => isValue && isTopLevel && ACTS.test(after),
  },
  {
    verdict: 'framework',
    reason: 'an attribute of it asks that it is kept, or that it runs by itself',
    fits: ({ before, after }) => KEPT.test(before) || KEPT.test(/^[^{;=]{0,300}/.exec(after)?.[0] ?? ''),
  },
  {
    verdict: 'indirect',
    reason: 'it is a component of its type, which compares and prints it',
    fits: ({ container, isValue }) => isValue && COMPONENTS.test(container),
  },
  {
    verdict: 'framework',
    reason: 'compilers use it where types ask for it',
    fits: ({ before }) => /\b(?:implicit|given)[ \t]/.test(before),
  },
  {
    verdict: 'framework',
    reason: 'its definition is an argument of a call, which may use it by another name',
    fits: ({ before }) => HANDED_OVER.test(before),
  },
  {
    verdict: 'indirect',
    reason: 'it is set as a property: who has that object can call it',
    // `fun Cart.total()` extends a type, and sets nothing.
    fits: ({ before }) => /\.\s*#?$/.test(before) && !/\b(?:fun|va[lr])\s[^={;]*$/.test(before),
  },
];

/** Values that act when they are made: `= new Map(…)`, `= register("cart")`, `Registrar cart{"cart"}`, `Registrar cart("cart")`. */
const ACTS =
  /^\s*(?:=\s*(?:new\s|(?:await\s+)?(?:\w{1,60}(?:\.|::)){0,6}_?(?:register|subscribe|install|init|set_?up|start|connect|listen|watch|observe|schedule|hook|bind|mount|attach|patch|inject|enable|add|on(?=[A-Z_]))\w{0,60}\s*(?:<[^<>()]{0,60}>\s*)?\()|[{(])/i;

/** A part of a type that leaves it to another part to say who sees it. */
const PART =
  /^(?![\s\S]{0,400}\b(?:public|internal|private|protected|file)\b)[\s\S]{0,400}\bpartial\s+(?:class|struct|interface|record)\b/;

/** Attributes of C and C++ for compilers and linkers. */
const KEPT =
  /(?:__attribute__\s*\(\(|\[\[)[^()[\]{};]{0,80}\b_{0,2}(?:used|unused|maybe_unused|constructor|destructor|section|retain|alias|ifunc|weak|interrupt|export_name)\b/;

/** Words before a definition that keep its name. `internal def cart` may define `__cart`, or register it. */
const HANDED_OVER =
  /^[ \t]*(?!(?:async|abstract|final|implicit|infix|inline|lazy|module_function|open|override|private|private_class_method|protected|public|public_class_method|sealed|static|synchronized|transparent)\b)[a-z]\w*[ \t]+def[ \t]/m;

/** A constant or type inside of something, such as an implementation for all types. */
const ASSOCIATED = /^[ \t]+(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:const|type)\s/;

/** Types whose values have a meaning without being named: records, and types with derived code other than for copies and debugging. */
const COMPONENTS =
  /\b(?:record|data\s+(?:class|object)|case\s+class)\b|\bderive\((?!(?:[\s,]|Debug\b|Clone\b|Copy\b|Default\b)*\))|\brepr\(/;

/** Modifiers of declarations whose bodies are elsewhere. */
const AMBIENT = /\b(?:declare|external|extern|expect|actual|native)\b/;

/** A declaration without a body: up to a semicolon, or with the keyword of functions whose bodies begin with a sign. */
const BODILESS = /^(?:[^{}=]*;|\s*(?:[\w@]+\s+)*fun\s[^{}=]*)\s*$/;

/** A declaration of a function with values of parameters: `void draw(int width = 1, Style style = {});`. */
function isPrototype(text: string): boolean {
  const list = text.indexOf('(');
  const plain = text.replace(/\{[ \t]*\}/g, '').trimEnd();
  const isOne = plain.endsWith(';') && plain.indexOf(';') === plain.length - 1 && !/[{}]/.test(plain);
  return isOne && list >= 0 && !text.slice(0, list).includes('=') && !/^\s*(?:return|throw)\b/.test(text);
}

/** End of a line that opens the body of an object without a name: `new Generator[Path] {`, `object : Runnable {`. */
const UNNAMED = /\b(?:new\s+[\p{L}_]|object\s*:)[^;{}]{0,300}[{:]\s*$/u;
/** Longest end of a line that is looked at: a file can have as many members as its first line has characters. */
const MAX_OPENING = 400;
/** Maximum number of lines above a member up to the one that opens its object. */
const MAX_ABOVE = 200;

export const UNNAMED_MEMBER: Excuse = {
  verdict: 'framework',
  reason: 'it is a member of an object without a name, and the type of that may call it',
};

/** Is the nearest line above that is indented less the beginning of an object without a name? `first`: index of the definition's line. */
export function isUnnamedMember(lines: readonly string[], first: number): boolean {
  const indent = (line: string) => line.length - line.trimStart().length;
  const own = indent(lines[first] ?? '');
  for (let at = first - 1; at >= Math.max(0, first - MAX_ABOVE); at--)
    if (lines[at].trim() !== '' && indent(lines[at]) < own) return UNNAMED.test(lines[at].slice(-MAX_OPENING));
  return false;
}

/**
 * Excuse of what subclasses outside of the repository can name, where a label above members says who can: it, or a type around it, is
 * protected, and none is private. `lines`: those of the file, at least up to its name.
 */
export function excuseOfAccess(graph: Graph, node: number, lines: readonly string[]): Excuse | null {
  const { accessLabel } = conventionsOf(graph.tables.files[graph.fileOf(node)].language);
  if (accessLabel === undefined) return null;
  let isProtected = false;
  let at = node;
  for (let owner = graph.container(at); !graph.isFile(owner); at = owner, owner = graph.container(at)) {
    if (!isType(graph, owner)) break;
    const access = accessOf(graph, at, { lines, accessLabel });
    if (access === 'private') return null;
    isProtected ||= access === 'protected';
  }
  return isProtected && graph.isExported(at) ? PROTECTED : null;
}

/** Access that the nearest label above a member gives it; without one, members of a class are private. A nested type has labels of its own. */
function accessOf(
  graph: Graph,
  member: number,
  { lines, accessLabel }: { lines: readonly string[]; accessLabel: RegExp },
): string {
  const owner = graph.container(member);
  const nested = [...directMembers(graph, owner)].filter((each) => each !== member && isType(graph, each));
  for (let line = graph.startLine(member); line > graph.startLine(owner); line--) {
    const label = accessLabel.exec(lines[line - 1] ?? '')?.[1];
    const isOwn = !nested.some((each) => line >= graph.startLine(each) && line <= graph.endLine(each));
    if (label !== undefined && isOwn) return label;
  }
  return graph.kind(owner) === 'class' ? 'private' : 'public';
}

/** Calls and attributes of code that takes memory for a type, or a type for memory. */
const LAYOUT =
  /\bunsafe\.(?:Pointer|Sizeof|Offsetof)\b|\bbinary\.(?:Read|Write|Size)\b|\b(?:StructLayout|DllImport|LibraryImport|MemoryLayout|transmute)\b|\bMarshal\.\w/;

/** Why a value counts although nothing names it: by its place among others. `first`: index of its line. */
export function placeExcuse(text: string, lines: readonly string[], first: number, isField: boolean): Excuse | null {
  if (isField && LAYOUT.test(text))
    return { verdict: 'indirect', reason: 'its file handles memory, in which each field has its place' };
  if (!isField && isNumbered(lines, first))
    return { verdict: 'indirect', reason: 'its place in a list gives others their numbers' };
  return null;
}

/** Comments above a definition that give it to a linker: `//go:linkname local other`, `//export name`. */
const DIRECTIVE = /^\s*\/\/(?:go:linkname|export)\s/;

/** Does a comment right above the definition give it to code of another language or package? */
export function isGiven(lines: readonly string[], first: number): boolean {
  for (let at = first - 1; at >= Math.max(0, first - HEAD_LINES) && /^\s*\/\//.test(lines[at]); at--)
    if (DIRECTIVE.test(lines[at])) return true;
  return false;
}

/** Is the line in a list of constants that are numbered by their places: `const ( a = iota`? */
function isNumbered(lines: readonly string[], first: number): boolean {
  let isCounting = false;
  for (let at = first; at >= Math.max(0, first - MAX_ABOVE); at--) {
    if (/^\s*const\s*\(/.test(lines[at])) return isCounting;
    if (/^\s*\)/.test(lines[at])) return false;
    if (/\biota\b/.test(lines[at])) isCounting = true;
  }
  return false;
}

interface Declaration {
  /** The whole definition, if it is short. */
  text: string;
  before: string;
  /** The enclosing type up to its name, '' for none. */
  container: string;
  after: string;
  isTopLevel: boolean;
  isValue: boolean;
}

/** Reason to spare a definition by its declaration, null without one. `lines`: those of the definition. */
export function excuseOfDeclaration(
  lines: readonly string[],
  name: string,
  { isTopLevel, container, isValue }: Pick<Declaration, 'isTopLevel' | 'container' | 'isValue'>,
): Excuse | null {
  const text = lines.slice(0, MAX_LINES).join('\n');
  // Of the same length, so that a place in it is one in the text.
  const plain = text.replace(/^\s*#\[.*$/gm, (line) => line.replace(/[^\n]/g, ' '));
  const at = nameIn(plain, name);
  const head: Declaration = {
    // The end of a longer one is not read.
    text: lines.length > MAX_LINES ? '' : plain,
    before: plain.slice(0, Math.max(0, at)),
    after: plain.slice(at + name.length),
    isTopLevel,
    container,
    isValue,
  };
  // Attributes come before the name; those in the body are about something else.
  const own = at < 0 ? text : text.slice(0, at);
  for (const [, attribute] of own.matchAll(ATTRIBUTE)) {
    if (INERT_ATTRIBUTES.test(attribute)) continue;
    if (TEST_ATTRIBUTE.test(attribute))
      return { verdict: 'entry-point', reason: 'test runners find it by its attribute' };
    return { verdict: 'framework', reason: `it is marked with ${attribute}, which may use it` };
  }
  const sign = SIGNS.find(({ fits }) => fits(head));
  return sign === undefined ? null : { verdict: sign.verdict, reason: sign.reason };
}
