/**
 * Reads what one document mentions: bytes and a language in, facts out. Samples of code are read by patterns, without a
 * grammar: most are fragments, which no grammar parses. Only names that a sample imports and their uses count: other
 * names in a sample are made up. Every pattern is bounded, so that reading is linear.
 */
import { posix } from 'node:path';
import { lineAt, lineStarts } from '../base/lists.js';
import { insideBrackets, splitList } from '../graph/query/signatures.js';
import { detectLanguage } from '../languages/detect.js';
import { conventionsOf, hasRelations, languageOf, loadRules, rulesOf } from '../languages/registry.js';
import type { DocumentPart } from '../languages/roles/definitions.js';
import type { LexicalConventions } from '../languages/roles/relations.js';

/** Raise when other facts are read of a document: facts cached under another version are read anew. */
export const READER_VERSION = 8;

/** Most mentions of one document: a hostile one could have millions. */
const MAX_MENTIONS = 20_000;
export const MAX_SECTIONS = 5_000;
/** Characters of a document that are read. */
const MAX_DOCUMENT = 2 << 20;
/** Most links on one line that are compared with its names. */
const MAX_LINKS = 20;

export interface Section {
  /** Line of its heading. */
  line: number;
  level: number;
  title: string;
}

/**
 * - `name`: words set as code that look like a name.
 * - `reference`: a cross-reference of the markup, which always names code.
 * - `path`: words set as code that look like a path.
 * - `link`: a relative link.
 * - `import`: a name that a sample imports.
 * - `use`: a member of such a name, or a call of it, in a sample.
 */
export const MENTION_KINDS = ['name', 'reference', 'path', 'link', 'import', 'use'] as const;
type MentionKind = (typeof MENTION_KINDS)[number];

export interface Mention {
  kind: MentionKind;
  /** `Cart.total`, `src/cart.ts`: without brackets, arguments and other decoration. */
  text: string;
  line: number;
  /** Index into `sections`, -1 before the first heading. */
  section: number;
  /** Is it written with the brackets of a call, or the mark of a decorator? */
  isCall?: boolean;
  /** Number of positional arguments of a call in a sample; absent where they cannot be counted. */
  args?: number;
  /** Number of its named arguments. */
  named?: number;
  /** Language of the sample, for calls whose arguments are counted. */
  language?: string;
  /** Source of a name in a sample, as its import spells it; for a link to a forge, owner and name of the repository. */
  from?: string;
  /** Does a link to a forge name a version or a commit? */
  isPinned?: boolean;
  /** Does a link on its line lead to a page of that name on another site? */
  isOutside?: boolean;
  /** Last line that a link points to; `line` is where the link stands. */
  to?: number;
}

export interface DocumentFacts {
  sections: Section[];
  mentions: Mention[];
  /** Names that its samples define: elsewhere in the document a reader takes them for these. */
  defined: string[];
  /** Names that the document describes by a directive of its own: code need not declare them. */
  described: string[];
}

/** Is a file of that language a document, with sections and mentions? */
export const isDocument = (language: string): boolean => languageOf(language)?.document !== undefined;

/** Reads a document of a language that has a reader. Linear in its length; pure. */
export async function readDocument(bytes: Uint8Array, language: string): Promise<DocumentFacts> {
  const read = await languageOf(language)?.document?.();
  if (read === undefined) throw new Error(`files of ${language} are no documents`);
  const parts = read(new TextDecoder().decode(bytes.subarray(0, MAX_DOCUMENT)));
  const languages = [...new Set(parts.flatMap((part) => (part.is === 'block' ? languageOfSample(part.language) : [])))];
  await Promise.all(languages.map(loadRules));
  return factsOf(parts);
}

/** Collects the facts of parts that are in the order of lines. The rules of the samples' languages must be loaded. */
export function factsOf(parts: readonly DocumentPart[]): DocumentFacts {
  const facts: DocumentFacts = { sections: [], mentions: [], defined: [], described: [] };
  const bindings = new Bindings();
  for (const part of parts) if (part.is === 'block') bindPackages(part.text, bindings.imported);
  const outside = outsideLinks(parts);
  for (const part of parts) {
    if (part.is === 'heading') {
      if (facts.sections.length < MAX_SECTIONS)
        facts.sections.push({ line: part.line, level: part.level, title: part.text });
      continue;
    }
    if (facts.mentions.length >= MAX_MENTIONS) break;
    if (part.is === 'code' && part.isDescribed === true) facts.described.push(part.text);
    const section = facts.sections.length - 1;
    for (const found of mentionsIn(part, bindings)) {
      const isOutside = found.kind === 'name' && outside.get(found.line)?.some((target) => target.includes(found.text));
      facts.mentions.push({ ...found, ...(isOutside && { isOutside }), section });
    }
  }
  facts.defined = [...bindings.defined];
  return facts;
}

/** Links to other sites, by line: a name that is linked to its page there need not be of this repository. */
function outsideLinks(parts: readonly DocumentPart[]): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const part of parts) {
    if (part.is !== 'link' || !/^https?:/.test(part.target) || FORGE.test(part.target)) continue;
    const known = found.get(part.line);
    if (known === undefined) found.set(part.line, [part.target]);
    else if (known.length < MAX_LINKS) known.push(part.target);
  }
  return found;
}

function mentionsIn(part: DocumentPart, bindings: Bindings): Omit<Mention, 'section'>[] {
  if (part.is === 'block') {
    const lexical = lexicalOf(part.language);
    if (lexical === null) return [];
    const { imports, uses } = readSample(part.text, lexical, bindings);
    return [
      ...imports.map((use) => sampled('import', use, part.line)),
      ...uses.map((use) => ({
        ...sampled('use', use, part.line),
        ...(use.args !== undefined && { language: languageOfSample(part.language)[0] }),
      })),
    ];
  }
  if (part.is === 'link') {
    const link = linkOf(part.target);
    return link === null ? [] : [{ kind: 'link', line: part.line, ...link }];
  }
  if (part.is === 'heading') return [];
  const found = mentionOf(part.text, part.isReference);
  return found === null ? [] : [{ ...found, line: part.line }];
}

function sampled(kind: 'import' | 'use', { text, from, line, isCall, args }: SampleUse, first: number) {
  return {
    kind,
    text,
    line: first + line,
    ...(from !== undefined && { from }),
    ...(isCall && { isCall }),
    ...args,
  };
}

/** Titles from the outermost section to this one. */
export function headingPath(sections: readonly Section[], section: number): string[] {
  const titles: string[] = [];
  let level = Number.POSITIVE_INFINITY;
  for (let at = section; at >= 0 && level > 1; at--) {
    if (sections[at].level >= level) continue;
    titles.push(sections[at].title);
    level = sections[at].level;
  }
  return titles.reverse();
}

const CHANGES =
  /(?:^|[/_.-])(?:change-?(?:s|log)|history|news|releases?(?:[-_ ]?notes)?|migrat\w*|upgrad\w*|deprecat\w*|what-?s-?new|adr|rfcs?|sep|blog|versioned[_-]docs|docs?-v\d+|version-\d+|archived?)(?:$|[/_.\d-])/i;

/**
 * Does the document describe changes or an older version, as changelogs, migration guides and guides of old versions do? It may name code
 * that is gone, and comes last in lists.
 */
export const isRecordOfChanges = (path: string): boolean => CHANGES.test(path);

// Names and paths that are set as code.

const IDENTIFIER = String.raw`[A-Za-z_$\u00c0-\uffff][\w$\u00c0-\uffff]*`;
const NAME = new RegExp(String.raw`^(@)?(?:new |await )?(${IDENTIFIER}(?:(?:\.|::|#|->)${IDENTIFIER}){0,8})(.*)$`, 's');
/** Text that may follow a name without changing it: arguments, type arguments, brackets of a list, the mark of a macro. */
const TAIL = /^(?:<[^<>()]{0,100}>)?(!?\(.{0,200}\)|\[\])?[;?!]?$/s;
const PATH = /^(?:\.{0,2}\/)?(?:[\w@.+-]+\/)+[\w@.+-]*$/;
/** Path with a line: `src/cart.ts:42`, `src/cart.ts#L42`. */
const PLACE = /(?::|#L)(\d{1,7})(?:[-:]\d{1,7})?$/;
/** Words of languages, command lines and data, which look like names but name nothing here. */
const ORDINARY = new Set(
  'true false null undefined none nil self this super any void unknown never string number boolean object function class int str float bool list dict set tuple array map async await return yield if else for while try catch import export from default new typeof keyof extends const let var enum type interface public private protected static readonly get post put delete patch head options error exception index main test name id key value data type types args kwargs'.split(
    ' ',
  ),
);

/** Reads words set as code; null for commands, values, punctuation and text. `isReference`: the markup says that they name code. */
export function mentionOf(text: string, isReference = false): Pick<Mention, 'kind' | 'text' | 'isCall' | 'to'> | null {
  const place = PLACE.exec(text);
  const path = place === null ? text : text.slice(0, place.index);
  if (PATH.test(path) && path.length > 3)
    return { kind: 'path', text: path, ...(place !== null && { to: Number(place[1]) }) };
  const match = NAME.exec(text);
  if (match === null) return null;
  const [, mark, name, rest] = match;
  const tail = TAIL.exec(rest);
  if (tail === null || name.length < 2) return null;
  if (!isReference && ORDINARY.has(name.toLowerCase())) return null;
  const isCall = mark !== undefined || tail[1] !== undefined;
  return { kind: isReference ? 'reference' : 'name', text: name, ...(isCall && { isCall }) };
}

/** Parts of a name, whatever is between them. */
export const partsOf = (text: string): string[] => text.split(/\.|::|#|->/);

/** Does it look like a name in code, unlike any word of a sentence? `getItem`, `get_item`, `DataSource`. */
export function isDistinctive(word: string): boolean {
  return /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Z]{2}[a-z]/.test(word);
}

/** `Repository`: the name of a type by its form, or a word at the beginning of a sentence. */
export const isCapitalized = (word: string): boolean => /^[A-Z][a-z]/.test(word);

/** `c`, `ctx` and `context` of `Context`: its first letter, and others in their order. */
export function abbreviates(variable: string, type: string): boolean {
  const [short, long] = [variable.toLowerCase(), type.toLowerCase()];
  if (short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length;
}

// Links to files: relative, on a forge, and in Antora.

/** Link to a file on a forge, `https://forge/owner/name/blob/main/src/cart.ts`: owner with name, ref, path. */
const FORGE = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:-\/)?(?:blob|tree)\/([^/]+)\/(.+)$/;
/** A version or a commit: such a link stays right whatever becomes of the file. */
const PINNED = /^v?\d|^[0-9a-f]{7,64}$/;

/** Reads a relative link, or one to a file on a forge: `https://…/blob/main/src/cart.ts#L10`. Null for all others. */
function linkOf(target: string): Pick<Mention, 'text' | 'to' | 'from' | 'isPinned'> | null {
  const [, repository, ref, inside] = FORGE.exec(target) ?? [];
  const [path, anchor = ''] = (inside ?? target).split('#', 2);
  if (/^[a-z][a-z\d+.-]*:|^\/\/|^$/i.test(path) && !isModuleLink(path)) return null;
  const line = /^L(\d{1,7})/.exec(anchor);
  const clean = decoded(path.replace(/\?.*$/, ''));
  if (clean === '' || clean.includes('\0')) return null;
  const to = line === null ? {} : { to: Number(line[1]) };
  if (inside === undefined) return { text: clean, ...to };
  return { text: `/${clean}`, from: repository, ...(PINNED.test(ref) && { isPinned: true }), ...to };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Path of a file in Antora: folder of the component, module, and the rest (pages, files that they share, navigation). */
const PAGE = /^((?:.*\/)?modules\/)([^/]+)\/(?:(?:pages|partials|examples)\/|[^/]+$)/;
/** Resource in Antora: `module:`, `partial$`, and the path within. */
const RESOURCE = /^(?:([\w.-]*):)?(?:(page|partial|example|image|attachment)\$)?([^:$@]+)$/;
const FOLDERS: Readonly<Record<string, string>> = {
  page: 'pages',
  partial: 'partials',
  example: 'examples',
  image: 'images',
  attachment: 'attachments',
};

/** Is it a link to a module, which looks like an address? */
export const isModuleLink = (target: string): boolean => /^[\w.-]*:(?:[a-z]+\$)?[\w][\w./-]*\.adoc$/.test(target);

/**
 * Path that a link in the Antora document `from` leads to. A path that begins with a dot is relative to the page. Null if Antora does not
 * read that document, or if the link leads to another component.
 */
export function antoraPath(from: string, target: string): string | null {
  const page = from.endsWith('.adoc') ? PAGE.exec(from) : null;
  const resource = RESOURCE.exec(target);
  if (page === null || resource === null || target.startsWith('.')) return null;
  const [, modules, own] = page;
  const [, module = own, family = 'page', path] = resource;
  return posix.normalize(`${modules}${module === '' ? own : module}/${FOLDERS[family]}/${path}`);
}

// Samples of code.

/** Language in which the names of a sample are resolved, from its mark: `ts`, `python`, `rust,no_run`, `js title="x"`. */
function languageOfSample(word: string): string[] {
  const name = /^[\w+#-]+/.exec(word)?.[0] ?? '';
  const id = languageOf(name) !== undefined ? name : name === '' ? null : detectLanguage(`sample.${name}`);
  return id !== null && hasRelations(id) ? [id] : [];
}

function lexicalOf(word: string): LexicalConventions | null {
  const [id] = languageOfSample(word);
  return id === undefined || conventionsOf(id).pathClass !== undefined
    ? null
    : (rulesOf(id).relations?.lexical ?? null);
}

interface SampleUse {
  /** Exported name, with members: `DataSource.initialize`. */
  text: string;
  /** Source of the import; absent for a call of a name that nothing in the document imports. */
  from?: string;
  /** Line within the sample, from 0. */
  line: number;
  isCall: boolean;
  args?: Arguments;
}

interface Arguments {
  /** Number of positional arguments. */
  args: number;
  /** Number of named arguments. */
  named?: number;
}

/** Names that the samples of one document have bound so far: a later sample continues an earlier one. */
class Bindings {
  /** Imported names, by the name in the sample. */
  readonly imported = new Map<string, { name: string; from: string }>();
  /** Variables that hold an instance of an imported type. */
  readonly instances = new Map<string, { name: string; from: string }>();
  readonly defined = new Set<string>();
}

interface Sample {
  uses: SampleUse[];
  imports: SampleUse[];
}

const MAX_SAMPLE = 50_000;
const MAX_BINDINGS = 2_000;
const MAX_USES = 2_000;

/** `import a, { b as c } from 'd'`; `export { b } from 'd'` */
const BRACED = /^[ \t]*(?:import|export)\s+(?:type\s+)?([^;'"\s][^;'"]{0,1500}?)\sfrom\s+['"]([^'"\n]{1,200})['"]/gm;
/** `const { a } = require('d')` */
const REQUIRED =
  /^[ \t]*(?:const|let|var)\s+([\w${},:][\w${},\s:]{0,500}?)=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"\n]{1,200})['"]/gm;
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
function readSample(source: string, lexical: LexicalConventions, bindings: Bindings): Sample {
  const whole = withoutPrompts(source.slice(0, MAX_SAMPLE));
  const lines = lineStarts(whole);
  const lineOf = (at: number) => lineAt(lines, at) - 1;
  const imports = importsOf(whole, bindings, lineOf);
  const text = IMPORTS.reduce((rest, form) => rest.replace(form, (found) => found.replace(/[^\n]/g, ' ')), whole);
  for (const [, name] of EXPORTED.test(whole) ? [] : text.matchAll(DEFINED))
    if (!bindings.imported.has(name) && bindings.defined.size < MAX_BINDINGS) bindings.defined.add(name);
  for (const { 0: assigned, 1: variable, index } of text.matchAll(ASSIGNED)) {
    const made = instanceAt(text, index + assigned.length, bindings);
    if (made === null) bindings.instances.delete(variable);
    else if (bindings.instances.size < MAX_BINDINGS) bindings.instances.set(variable, made);
  }
  return { imports, uses: usesIn({ text, lexical, bindings, lineOf }) };
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

/** A name that a sample imports; `name` is null for a whole module, or its default export, whose members are what it exports. */
interface ImportedName {
  name: string | null;
  /** Source, as the import spells it. */
  from: string;
  /** Name in the sample. */
  local: string;
  /** Offset of the import. */
  at: number;
}

/** Binds the names that a sample imports, and returns those that are no whole modules. */
function importsOf(text: string, { imported }: Bindings, lineOf: (at: number) => number): SampleUse[] {
  const found: SampleUse[] = [];
  for (const { name, from, local, at } of importedNames(text)) {
    if (name === null) imported.set(local, { name: '', from });
    else if (/^[\w$]+$/.test(name) && imported.size < MAX_BINDINGS) {
      imported.set(local, { name, from });
      found.push({ text: name, from, line: lineOf(at), isCall: false });
    }
  }
  bindPackages(text, imported);
  return found;
}

function* importedNames(text: string): Generator<ImportedName> {
  for (const form of [BRACED, REQUIRED])
    for (const { 1: clause, 2: from, index } of text.matchAll(form)) yield* namesOfClause(clause, from, index);
  for (const { 1: from, 2: long, 3: short = long, index } of text.matchAll(FROM))
    yield* namesOfList(short.replace(/#.*$/gm, ''), from, index);
  for (const { 1: path, 2: local, index } of text.matchAll(PLAIN)) yield nameOfPath(path, local, index);
  for (const { 1: written, 2: names, 3: local, index } of text.matchAll(USED)) {
    const path = written.replaceAll('\\', '::');
    if (names !== undefined) yield* namesOfList(names, path, index);
    else yield nameOfPath(path, local, index, '::');
  }
}

/** Names of `a, b as c`. */
function namesOfList(names: string, from: string, at: number, as = /\s+as\s+/): ImportedName[] {
  return names.split(',').map((part) => {
    const [name, local = name] = part
      .trim()
      .replace(/^type\s+/, '')
      .split(as);
    return { name, from, local, at };
  });
}

/** Names of `a, { b as c }`, `{ b: c }` and `* as a`. */
function namesOfClause(clause: string, from: string, at: number): ImportedName[] {
  const braces = /\{([^{}]*)\}/.exec(clause);
  const listed = braces === null ? [] : namesOfList(braces[1], from, at, /\s+as\s+|\s*:\s*/);
  const rest = clause.replace(/\{[^{}]*\}/, '').replace(/^[\s,]+|[\s,]+$/g, '');
  const whole = /^(?:\*\s+as\s+)?([\w$]+)$/.exec(rest)?.[1];
  return whole === undefined ? listed : [...listed, { name: null, from, local: whole, at }];
}

/** Name of `a.b.C`, which is `C` of `a.b`, or the whole module of `a.b`. */
function nameOfPath(path: string, local: string | undefined, at: number, between = '.'): ImportedName {
  const end = path.lastIndexOf(between);
  const last = path.slice(end < 0 ? 0 : end + between.length);
  if (end >= 0 && /^[A-Z]/.test(last)) return { name: last, from: path.slice(0, end), local: local ?? last, at };
  if (local !== undefined || between !== '.') return { name: null, from: path, local: local ?? last, at };
  const [first] = path.split('.');
  return { name: null, from: first, local: first, at };
}

/**
 * Binds the names that packages go by where a language imports them whole. All samples are read for it first: a document may use a package
 * before the sample that imports it.
 */
function bindPackages(text: string, imported: Bindings['imported']): void {
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

/** Text of a sample without its imports, and what its names are resolved by. */
interface SampleText {
  text: string;
  lexical: LexicalConventions;
  bindings: Bindings;
  lineOf: (at: number) => number;
}

function usesIn(sample: SampleText): SampleUse[] {
  const found: SampleUse[] = [];
  for (const match of sample.text.matchAll(CHAIN)) {
    if (found.length >= MAX_USES) break;
    const use = boundUse(match, sample) ?? unboundCall(match, sample);
    if (use !== null) found.push(use);
  }
  return found;
}

/** Call of a name that nothing in the document imports. */
function unboundCall({ 0: whole, 1: head, 2: chain, 3: open, index }: RegExpExecArray, sample: SampleText) {
  const { bindings, text, lexical, lineOf } = sample;
  if (open === undefined || bindings.imported.has(head) || bindings.instances.has(head)) return null;
  const args = unboundArguments(text, index + whole.length - 1, lexical);
  return args === undefined
    ? null
    : { text: head + chain.replace(/::|->/g, '.'), line: lineOf(index), isCall: true, args };
}

/** Use of an imported name, of a member of it, or of a member of an instance of it. */
function boundUse(match: RegExpExecArray, { text, lexical, bindings, lineOf }: SampleText): SampleUse | null {
  const { 0: whole, 1: head, 2: chain, 3: open, index } = match;
  const imported = bindings.imported.get(head);
  const bound = imported ?? bindings.instances.get(head);
  if (bound === undefined) return null;
  const members = chain.split(/\.|::|->/).slice(1);
  const isInstance = imported === undefined;
  // The type of `member` in `instance.member.other` is not known.
  const names = [bound.name, ...(isInstance || bound.name !== '' ? members.slice(0, 1) : members)].filter(Boolean);
  if (names.length === 0 || (isInstance && members.length === 0)) return null;
  const isNamed = bound.name !== '';
  const isCall = open !== undefined && names.length >= Number(isNamed) + members.length;
  // A method that is called through its type may take the instance as an argument.
  const isPlain = isInstance || !isNamed || members.length === 0;
  const args = isCall && isPlain ? argumentsAt(text, index + whole.length - 1, lexical) : undefined;
  const use = { text: names.join('.'), from: bound.from, line: lineOf(index), isCall };
  return args === undefined ? use : { ...use, args };
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
