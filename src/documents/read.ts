/** Reads what one document mentions: bytes and a language in, facts out. */
import { posix } from 'node:path';
import { detectLanguage } from '../languages/detect.js';
import { conventionsOf, hasRelations, languageOf, loadRules, rulesOf } from '../languages/registry.js';
import type { DocumentPart } from '../languages/roles/documents.js';
import type { LexicalConventions } from '../languages/roles/relations.js';
import { Bindings, bindPackages, readSample, type SampleUse } from './samples.js';

/** Raise when other facts are read of a document: facts cached under another version are read anew. */
export const READER_VERSION = 8;

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

/** Most links on one line that are compared with its names. */
const MAX_LINKS = 20;

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

/** Most mentions of one document: a hostile one could have millions. */
const MAX_MENTIONS = 20_000;
const MAX_SECTIONS = 5_000;
/** Characters of a document that are read. */
const MAX_DOCUMENT = 2 << 20;

export { MAX_SECTIONS };

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

const RECORD =
  /(?:^|[/_.-])(?:change-?(?:s|log)|history|news|releases?(?:[-_ ]?notes)?|migrat\w*|upgrad\w*|deprecat\w*|what-?s-?new|adr|rfcs?|sep|blog|versioned[_-]docs|docs?-v\d+|version-\d+|archived?)(?:$|[/_.\d-])/i;

/**
 * Does the document describe changes or an older version, as changelogs, migration guides and guides of old versions do? It may name code
 * that is gone, and comes last in lists.
 */
export const isRecordOfChanges = (path: string): boolean => RECORD.test(path);
