/**
 * Finds chunks that define a queried name, estimates how likely each is the intended definition, and chooses the name under which a chunk
 * of several definitions is shown.
 */
import { eachIdentifier, nameKey, textTerms } from '../extract/terms.js';
import { CHUNK_KINDS, DEFINITION_CAPITAL, DEFINITION_EXPORTED, DEFINITION_TOP_LEVEL } from '../shard/lexical-format.js';
import type { LexicalShard } from '../shard/lexical-shard.js';
import type { LiveSet } from '../shard/live-set.js';
import { DEFINITION, SAME_FILE_BONUS } from './weights.js';

const TYPE_LIKE = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'type',
  'module',
  'namespace',
  'object',
  'function',
]);

/** Kinds of names in data, documents and styles, which mention a thing rather than define it. */
const DATA_LIKE = new Set(['key', 'section', 'selector', 'field', 'property', 'enum-member', 'variable']);

/** Kinds of chunks that are no definition. */
export const LOOSE: ReadonlySet<string> = new Set(['imports', 'code']);

export interface Definition {
  /** From 0 to 1, plus the bonus for a file of the same name. */
  strength: number;
  /** Name as in the query; null if the definition's name differs in case. */
  name: string | null;
}

/** Definitions of the given names, by global document. */
export function findDefinitions(live: LiveSet, names: readonly string[]): Map<number, Definition> {
  const found = new Map<number, Definition>();
  for (const name of names) {
    const key = nameKey(name);
    for (const [i, shard] of live.shards.entries()) {
      const index = shard.names.find(key);
      if (index < 0) continue;
      for (const definition of shard.definitions(index)) {
        const document = live.bases[i] + definition.document;
        const file = live.fileOf[document];
        if (file < 0) continue;
        const otherCase = isOtherCase(definition, name);
        const strength =
          definitionStrength(definition, otherCase) + (isNamesake(live.files.path(file), key) ? SAME_FILE_BONUS : 0);
        if (strength > (found.get(document)?.strength ?? 0)) {
          found.set(document, { strength, name: otherCase ? null : name });
        }
      }
    }
  }
  return found;
}

/** Returns whether a capitalised query, which means a type, meets a lower-case name. */
function isOtherCase({ flags }: { flags: number }, name: string): boolean {
  return /^\p{Lu}/u.test(name) && (flags & DEFINITION_CAPITAL) === 0;
}

function definitionStrength(definition: { kind: number; flags: number; lines: number }, otherCase: boolean): number {
  const size = Math.min(1, Math.log1p(definition.lines) / Math.log1p(DEFINITION.fullSizeLines));
  const kind = CHUNK_KINDS[definition.kind];
  const factor = (otherCase ? DEFINITION.otherCase : 1) * (DATA_LIKE.has(kind) ? DEFINITION.dataLike : 1);
  const strength =
    DEFINITION.base +
    (TYPE_LIKE.has(kind) ? DEFINITION.typeLike : 0) +
    (definition.flags & DEFINITION_TOP_LEVEL ? DEFINITION.topLevel : 0) +
    (definition.flags & DEFINITION_EXPORTED ? DEFINITION.exported : 0) +
    DEFINITION.size * size;
  return strength * factor;
}

function isNamesake(path: string, name: string): boolean {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const stem = file.slice(0, file.indexOf('.') > 0 ? file.indexOf('.') : undefined);
  return nameKey(stem.replaceAll('-', '_')) === name;
}

const CONTAINERS = new Set(['class', 'interface', 'trait', 'struct', 'enum', 'module', 'namespace', 'object', 'impl']);

/** Symbol to show: of several definitions in a chunk the one that the query named. */
export function shownSymbol(
  own: { symbol: string | null; kind: string },
  defined: readonly Named[],
  requested: string,
): { symbol: string | null; kind: string } {
  const at = defined.findIndex(({ name }) => nameKey(name) === nameKey(requested));
  return at < 0 ? own : labelled(own, defined.slice(0, at + 1));
}

/** A definition whose name is in a chunk, and its line in the chunk. */
interface Named {
  name: string;
  line: number;
  kind: string;
  isTopLevel: boolean;
  /** White space before the line. */
  indent?: number;
}

/** Definitions of a chunk by name. The first line of code with the name counts as the definition. */
export function definitionsIn(shard: LexicalShard, document: number, content: string): Named[] {
  const found = new Map<string, Named>();
  for (const [line, text] of content.split('\n').entries()) {
    if (COMMENT.test(text)) continue;
    const indent = text.length - text.trimStart().length;
    eachIdentifier(text, (name) => {
      const key = nameKey(name);
      const index = found.has(key) ? -1 : shard.names.find(key);
      if (index < 0) return;
      shard.eachDefinition(index, (own, kind, flags) => {
        if (own === document)
          found.set(key, {
            name,
            line,
            kind: CHUNK_KINDS[kind],
            isTopLevel: (flags & DEFINITION_TOP_LEVEL) !== 0,
            indent,
          });
        return own < document;
      });
    });
  }
  return [...found.values()];
}

const COMMENT = /^\s*(?:$|\/?\*|\/\/|#|--|;|"""|''')/;

export const codeLines = (text: string, count: number): string[] =>
  text
    .split('\n')
    .filter((line) => !COMMENT.test(line) && !/^\s*@/.test(line))
    .slice(0, count);

/**
 * Of several definitions in a chunk, returns the one around the line with most words of the query; else the one that the chunk is about.
 */
export function focused(
  own: { symbol: string | null; kind: string },
  defined: readonly Named[],
  { content, terms }: { content: string; terms: readonly string[] },
): { symbol: string | null; kind: string } {
  if (defined.length < 2 || terms.length === 0) return own;
  const wanted = new Set(terms);
  const lines = content.split('\n').map((text) => ({ text, terms: termsIn(text, wanted) }));
  const focus = focusOf(lines);
  if (focus < 0) return own;
  // A comment belongs to the definition below it.
  let code = focus;
  while (code < lines.length - 1 && COMMENT.test(lines[code].text)) code++;
  const around = defined.filter(({ line }) => line <= code);
  return labelled(own, defined.slice(0, 1 + settingOf(lines, defined, around.length - 1)));
}

interface Line {
  text: string;
  /** Words of the query in the line. */
  terms: readonly string[];
}

/**
 * In a list of fields, each field's comment may have some words of the query. Among the fields whose best line has as many of them as
 * that of the field `at`, returns the first with most words in all its lines. A class or a function is not replaced: its lines are about
 * many things.
 */
function settingOf(lines: readonly Line[], defined: readonly Named[], at: number): number {
  const partOf = (i: number) =>
    lines.slice(startOf(lines, defined[i].line), startOf(lines, defined[i + 1]?.line ?? lines.length));
  const most = (part: readonly Line[]) => Math.max(0, ...part.map(({ terms }) => terms.length));
  const wordsOf = (part: readonly Line[]) => new Set(part.flatMap(({ terms }) => terms)).size;
  const isField = (i: number) => DATA_LIKE.has(defined[i].kind);
  if (at < 0 || !isField(at)) return at;
  let best = at;
  for (let i = at + 1; i < defined.length; i++)
    if (isField(i) && most(partOf(i)) === most(partOf(at)) && wordsOf(partOf(i)) > wordsOf(partOf(best))) best = i;
  return best;
}

/** Returns the first line of the comment above a line; the line itself without one. */
function startOf(lines: readonly Line[], line: number): number {
  let start = line;
  while (start > 0 && lines[start - 1].text.trim() !== '' && COMMENT.test(lines[start - 1].text)) start--;
  return start;
}

/** Returns the last of some definitions of a chunk, with the name of what it belongs to. */
function labelled(
  own: { symbol: string | null; kind: string },
  defined: readonly Named[],
): { symbol: string | null; kind: string } {
  const main = defined.at(-1);
  if (main === undefined) return own;
  const { name, kind, isTopLevel } = main;
  const parts = own.symbol?.split('.') ?? [];
  if (nameKey(parts.at(-1) ?? '') === nameKey(name)) return own;
  if (isTopLevel) return { symbol: name, kind };
  const [outer, ...inner] = containersAround(defined);
  const path = [...inner.map((each) => each.name), name];
  if (outer?.isTopLevel) return { symbol: [outer.name, ...path].join('.'), kind };
  if (outer !== undefined && nameKey(outer.name) === nameKey(parts.at(-1) ?? ''))
    return { symbol: [...parts, ...path].join('.'), kind };
  const owner = defined.filter((each) => each.isTopLevel && CONTAINERS.has(each.kind)).at(-1);
  if (owner !== undefined) return { symbol: `${owner.name}.${name}`, kind };
  // A small class contains the name; a small function is its sibling.
  return { symbol: [...(CONTAINERS.has(own.kind) ? parts : parts.slice(0, -1)), name].join('.'), kind };
}

/** Containers whose lines stand further left above the last of some definitions, outermost first. */
function containersAround(defined: readonly Named[]): Named[] {
  const around: Named[] = [];
  let indent = defined.at(-1)?.indent ?? 0;
  for (const each of [...defined].reverse()) {
    if (each.indent === undefined || each.indent >= indent || !CONTAINERS.has(each.kind)) continue;
    around.unshift(each);
    indent = each.indent;
  }
  return around;
}

const termsIn = (text: string, wanted: ReadonlySet<string>): string[] => [
  ...new Set(textTerms(text).filter((term) => wanted.has(term))),
];

/** Returns the first line with most of the terms; -1 if none has one. */
function focusOf(lines: readonly Line[]): number {
  let best = -1;
  let most = 0;
  for (const [i, { terms }] of lines.entries()) if (terms.length > most) [best, most] = [i, terms.length];
  return best;
}
