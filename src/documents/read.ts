/** Reads what one document mentions: bytes and a language in, facts out. */
import { detectLanguage } from '../languages/detect.js';
import { conventionsOf, hasRelations, languageOf } from '../languages/registry.js';
import type { DocumentPart } from '../languages/roles/documents.js';
import type { LexicalConventions } from '../languages/roles/relations.js';
import { loadRules, rulesOf } from '../languages/rules.js';
import { isModuleLink } from './antora.js';
import { type DocumentFacts, MAX_DOCUMENT, MAX_MENTIONS, MAX_SECTIONS, type Mention } from './facts.js';
import { mentionOf } from './names.js';
import { Bindings, bindPackages, readSample, type SampleUse } from './samples.js';

/** Changes with what is read of a document: facts that were kept under another version are read anew. */
export const READER_VERSION = 8;

/** Is a file of that language a document, with sections and mentions? */
export const isDocument = (language: string): boolean => languageOf(language)?.document !== undefined;

/** A document of a language that has a reader. Linear in its length; pure. */
export async function readDocument(bytes: Uint8Array, language: string): Promise<DocumentFacts> {
  const read = await languageOf(language)?.document?.();
  if (read === undefined) throw new Error(`files of ${language} are no documents`);
  const parts = read(new TextDecoder().decode(bytes.subarray(0, MAX_DOCUMENT)));
  const languages = [...new Set(parts.flatMap((part) => (part.is === 'block' ? languageOfSample(part.language) : [])))];
  await Promise.all(languages.map(loadRules));
  return factsOf(parts);
}

/** Pieces in the order of lines. Rules of the languages of samples have to be loaded. */
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

/** Links to sites, by line: a name that is linked to its page there need not be of this repository. */
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

/** Links on one line that are compared with its names. */
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

/** `https://forge/owner/name/blob/main/src/cart.ts`: owner with name, ref, path. */
const FORGE = /^https?:\/\/[^/]+\/([^/]+\/[^/]+)\/(?:-\/)?(?:blob|tree)\/([^/]+)\/(.+)$/;
/** A version or a commit: what it has stays, whatever becomes of the file. */
const PINNED = /^v?\d|^[0-9a-f]{7,64}$/;

/** Relative links, and those to a file on a forge: `https://…/blob/main/src/cart.ts#L10`. Null for all others. */
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

/** `ts`, `python`, `rust,no_run`, `js title="x"`: a language that names are resolved in. */
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
