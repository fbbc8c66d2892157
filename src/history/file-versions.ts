/**
 * Definitions in versions of a file: finding them in one, comparing two, and pairing removed and added symbols as renames (`findRenames`).
 * Versions are read through a `BlobSource`.
 */
import { createHash } from 'node:crypto';
import { addTo, groupBy, lineOf } from '../base/lists.js';
import { nameWithOwner } from '../extract/collect-drafts.js';
import type { BlobFacts, CodeSymbol } from '../extract/facts.js';
import type { PlacedChange } from './symbol-diff.js';
import type { Version } from './trace.js';

/**
 * Definition of a name in one version of a file. Overloads with bodies of their own are several definitions; declarations of one name
 * that share a body are one with several ranges, and so are definitions under conditions.
 */
export interface Definition {
  /** Identifies the definition in all versions of the file. */
  key: string;
  name: string;
  /** Name with those of its containers before it. */
  symbol: string;
  kind: string;
  exported: boolean;
  startLine: number;
  endLine: number;
  /** Byte range of each part, and its first line. */
  ranges: { start: number; end: number; line: number }[];
  /** End of what stands before its body, where it has one range. */
  head?: number;
  /** Hash of all bytes (`raw`), and hashes without white space of everything (`text`) and of the signatures. */
  raw: string;
  text: string;
  signature: string;
}

/** Code that is traced through the versions of files. */
export interface Traced {
  /** Finds its definitions in a version. `near` is another version of the file whose definitions are known already. */
  at(version: FileVersion, near?: FileVersion): Promise<Definition[]>;
}

export function definitionKey(symbol: string, kind: string): string {
  return `${kind} ${symbol}`;
}

/** Key without the parameters: equal for all overloads. */
export const baseOf = (key: string): string => key.split('\n', 1)[0];

const OVERLOADED: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);

/** Parameters of a function as they are written, without white space; '' without any, or for anything else. */
function parametersOf(bytes: Buffer, { name, kind, signature }: CodeSymbol): string {
  if (!OVERLOADED.has(kind)) return '';
  const text = bytes.toString('latin1', signature.start, signature.end);
  const word = Buffer.from(name)
    .toString('latin1')
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const open = new RegExp(`(?<![\\w$])${word}\\s{0,9}(?:<[^()]{0,200}>|\\[[^()]{0,200}\\])?\\s{0,9}\\(`).exec(text);
  if (open === null) return '';
  let depth = 1;
  let at = open.index + open[0].length;
  const start = at;
  for (; at < text.length && depth > 0; at++) depth += '([{'.includes(text[at]) ? 1 : ')]}'.includes(text[at]) ? -1 : 0;
  return text.slice(start, depth === 0 ? at - 1 : at).replace(/\s+/g, '');
}

/** Does more than a semicolon follow the declaration? */
function hasBody(bytes: Buffer, { signature, end }: CodeSymbol): boolean {
  return !/^[\s;]*$/.test(bytes.toString('latin1', signature.end, end));
}

/** Keys of the definitions of a version, by their indexes in its symbols. */
export function definitionKeys(
  bytes: Buffer,
  { symbols }: BlobFacts,
  wanted: (name: string) => boolean = () => true,
): Map<number, string> {
  const byName = new Map<string, number[]>();
  for (const [i, { name, kind }] of symbols.entries()) {
    if (!wanted(name)) continue;
    const base = definitionKey(nameWithOwner(bytes, symbols, i), kind);
    addTo(byName, base, i);
  }
  const keys = new Map<number, string>();
  for (const [base, all] of byName) {
    const bodies = all.filter((i) => hasBody(bytes, symbols[i]));
    const shared = bodies.length === 1 && bodies[0] === all[all.length - 1] ? bodies[0] : -1;
    for (const i of all) {
      const parameters = parametersOf(bytes, symbols[shared < 0 ? i : shared]);
      keys.set(i, parameters === '' ? base : `${base}\n${parameters}`);
    }
  }
  return keys;
}

/** All definitions whose names `wanted` accepts, in order of appearance. */
function definitionsOf(bytes: Buffer, facts: BlobFacts, wanted: (name: string) => boolean = () => true): Definition[] {
  const groups = new Map<string, { symbol: string; parts: CodeSymbol[] }>();
  for (const [i, key] of [...definitionKeys(bytes, facts, wanted)].sort(([a], [b]) => a - b)) {
    const group = groups.get(key);
    const part = facts.symbols[i];
    if (group === undefined) groups.set(key, { symbol: nameWithOwner(bytes, facts.symbols, i), parts: [part] });
    else group.parts.push(part);
  }
  return [...groups].map(([key, { symbol, parts }]) => {
    const pieces = parts.map(({ start, end }) => bytes.subarray(start, end));
    const signatures = parts.map(({ signature }) => bytes.subarray(signature.start, signature.end));
    return {
      ...{ key, symbol, name: parts[0].name, kind: parts[0].kind, exported: parts[0].exported },
      ...{ startLine: parts[0].startLine, endLine: parts[parts.length - 1].endLine },
      ranges: parts.map(({ start, end, startLine }) => ({ start, end, line: startLine })),
      ...(parts.length === 1 ? { head: parts[0].signature.end } : {}),
      raw: hashOf(pieces.map((piece) => piece.toString('latin1'))),
      text: hashOf(pieces.map(condense)),
      signature: hashOf(signatures.map(condense)),
    };
  });
}

export function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64').slice(0, 16);
}

/** Removes white space: a formatter changes nothing else. */
export function condense(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\s+/g, '');
}

/** Keywords that make a definition out of what looks like a use: `def self.find(`, `function M.find(`. */
const DEFINERS = /\b(?:defp?|func?|fun|fn|function|sub|proc|method)\b/;

/**
 * Might this text define the name? Checks each line with the name, so that files that only use it are not parsed. A
 * line only uses the name if it is part of a longer name, or follows a dot without being assigned.
 */
export function mayDefine(bytes: Buffer, name: string, ignoreCase = false): boolean {
  if (ignoreCase) return mayDefine(Buffer.from(bytes.toString('utf8').toLowerCase()), name.toLowerCase());
  const latin = Buffer.from(name).toString('latin1');
  const literal = latin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![\\w$\\x80-\\xff])${literal}(?![\\w$\\x80-\\xff])`, 'g');
  return linesWith(bytes, name)
    .split('\n')
    .some((line) => {
      for (const { index } of line.matchAll(word)) {
        const isMember = /(?:\.|->)\s*$/.test(line.slice(0, index));
        const isAssigned = /^\s*[=:]/.test(line.slice(index + latin.length));
        if (!isMember || isAssigned || DEFINERS.test(line.slice(0, index))) return true;
      }
      return false;
    });
}

/** Minimum size of a text that proves a definition unchanged. Shorter texts can occur by chance. */
const TELLING_BYTES = 24;

/** Traces the definitions of one name. Parses a version only if its text does not show that they are unchanged. */
export class TracedName implements Traced {
  private readonly known = new Map<string, Definition[]>();

  constructor(
    private readonly source: BlobSource,
    readonly name: string,
    private readonly ignoreCase = false,
  ) {}

  wanted = (name: string): boolean =>
    name === this.name || (this.ignoreCase && name.toLowerCase() === this.name.toLowerCase());

  /** Records the definitions of a version from its facts, so that it is not derived again. */
  learn(version: FileVersion, facts: BlobFacts | null, bytes: Buffer | null): Definition[] {
    const found = facts === null || bytes === null ? [] : definitionsOf(bytes, facts, this.wanted);
    this.known.set(keyOf(version), found);
    return found;
  }

  async at(version: FileVersion, near?: FileVersion): Promise<Definition[]> {
    const known = this.known.get(keyOf(version));
    if (known !== undefined) return known;
    const bytes = await this.source.bytes(version.oid);
    if (bytes === null || !this.mentions(bytes)) return this.learn(version, null, null);
    const same = near === undefined ? null : await this.sameAs(bytes, near);
    if (same === null) {
      const facts = await this.source.facts(version);
      // Not learnt: the next version may have the same lines, and would be taken to define as little.
      return this.source.unreadable.has(version.oid) ? [] : this.learn(version, facts, bytes);
    }
    this.known.set(keyOf(version), same);
    return same;
  }

  private mentions(bytes: Buffer): boolean {
    return mayDefine(bytes, this.name, this.ignoreCase);
  }

  /** Definitions of the neighbouring version, if this one has the same text or head of them and no other line with the name. */
  private async sameAs(bytes: Buffer, near: FileVersion): Promise<Definition[] | null> {
    const definitions = this.known.get(keyOf(near));
    if (definitions === undefined || this.ignoreCase) return null;
    const other = await this.source.bytes(near.oid);
    if (other === null || linesWith(bytes, this.name) !== linesWith(other, this.name)) return null;
    const moved = definitions.map((definition) => shifted(definition, other, bytes) ?? grown(definition, other, bytes));
    return moved.every((definition) => definition !== null) ? (moved as Definition[]) : null;
  }
}

function keyOf({ oid, path }: FileVersion): string {
  return `${oid} ${path}`;
}

/** All lines that contain the name, without indentation. */
function linesWith(bytes: Buffer, name: string): string {
  const lines: string[] = [];
  for (let at = bytes.indexOf(name); at >= 0; ) {
    const from = bytes.lastIndexOf(NEWLINE, at) + 1;
    const found = bytes.indexOf(NEWLINE, at);
    const end = found < 0 ? bytes.length : found;
    lines.push(bytes.toString('latin1', from, end).trim());
    at = bytes.indexOf(name, end);
  }
  return lines.join('\n');
}

const NEWLINE = 0x0a;
const SPACE = 0x20;

/** Moves a definition to the place of its bytes in another version; null if that version lacks them. */
function shifted(definition: Definition, from: Buffer, to: Buffer): Definition | null {
  const ranges: Definition['ranges'] = [];
  let at = 0;
  for (const { start, end } of definition.ranges) {
    const text = from.subarray(start, end);
    const found = text.length < TELLING_BYTES ? -1 : to.indexOf(text, at);
    if (found < 0) return null;
    ranges.push({ start: found, end: found + text.length, line: lineOf(to, found) });
    at = found;
  }
  const last = ranges[ranges.length - 1];
  const endLine = lineOf(to, Math.max(last.start, last.end - 1));
  const head =
    definition.head === undefined ? {} : { head: definition.head + ranges[0].start - definition.ranges[0].start };
  return { ...definition, ...head, ranges, startLine: ranges[0].line, endLine };
}

/** Longest line that ends a definition: a bracket, or a word such as `end`. */
const MAX_CLOSING = 8;

/**
 * The definition in a version that differs inside of its body. A large type changes with nearly every version of its file, and parsing
 * each takes a tenth of a second. In both versions it has to stand from the same head to the first line that is not indented and reads
 * like its last line, with the same text behind it. Null where that is not so, and for what may have another container.
 */
function grown(definition: Definition, from: Buffer, to: Buffer): Definition | null {
  const { head = 0, ranges, symbol, name } = definition;
  const [{ start, end }] = ranges;
  const lineStart = from.lastIndexOf(NEWLINE, start) + 1;
  const text = from.subarray(lineStart, head);
  const closing = from.subarray(from.lastIndexOf(NEWLINE, end - 1), end);
  if (symbol !== name || ranges.length > 1 || text.length < TELLING_BYTES || !isClosing(closing)) return null;
  const found = to.indexOf(text);
  if (found < 0 || text[0] <= SPACE || (found > 0 && to[found - 1] !== NEWLINE)) return null;
  const last = to.indexOf(closing, found + text.length);
  const stop = last + closing.length;
  if (last < 0 || from.indexOf(closing, head) + closing.length !== end || to.includes(text, found + 1)) return null;
  if (!to.subarray(stop).equals(from.subarray(end))) return null;
  const first = found + start - lineStart;
  const piece = to.subarray(first, stop);
  const line = lineOf(to, first);
  return {
    ...definition,
    ...{ ranges: [{ start: first, end: stop, line }], head: found + text.length },
    ...{ startLine: line, endLine: lineOf(to, stop - 1) },
    ...{ raw: hashOf([piece.toString('latin1')]), text: hashOf([condense(piece)]) },
  };
}

/** Is it a line break with a short line that is not indented? */
const isClosing = (line: Buffer): boolean =>
  line.length <= MAX_CLOSING && line[0] === NEWLINE && /^\n[^\s/*#]/.test(line.toString('latin1'));

/** Traces a chunk that belongs to no definition. It exists in a version as long as its exact text does. */
export class TracedText implements Traced {
  readonly key: string;

  constructor(
    private readonly source: BlobSource,
    private readonly text: Buffer,
    private readonly kind: string,
  ) {
    this.key = definitionKey(hashOf([text.toString('latin1')]), kind);
  }

  async at({ oid }: FileVersion): Promise<Definition[]> {
    const bytes = await this.source.bytes(oid);
    const start = bytes === null ? -1 : bytes.indexOf(this.text);
    if (bytes === null || start < 0) return [];
    const end = start + this.text.length;
    const ranges = [{ start, end, line: lineOf(bytes, start) }];
    const place = { startLine: ranges[0].line, endLine: lineOf(bytes, end - 1), ranges };
    const hashes = { raw: this.key, text: this.key, signature: this.key };
    return [{ key: this.key, name: '', symbol: '', kind: this.kind, exported: false, ...place, ...hashes }];
  }
}

/** Blob at a path. The path decides its language. */
export interface FileVersion {
  oid: string;
  path: string;
}

export interface BlobSource {
  /** Blobs that were requested but are missing here: nothing may be concluded from them. */
  readonly unreadable: ReadonlySet<string>;
  /** Returns null for a blob that is missing here, or too large to be indexed. */
  bytes(oid: string): Promise<Buffer | null>;
  /** Returns the facts from the index, or derives and caches them. Null for a blob that is unreadable or excluded by its content. */
  facts(version: FileVersion): Promise<BlobFacts | null>;
}

/** Similarity of two definitions: 2 for equal texts, else the share of common words; 0 for different kinds. */
export async function likeness(from: Version | null, to: Version | null, source: BlobSource): Promise<number> {
  if (from === null || to === null || from.definition.kind !== to.definition.kind) return 0;
  if (from.definition.text === to.definition.text) return 2;
  const [a, b] = [await textOf(from, source), await textOf(to, source)];
  return a === null || b === null ? 0 : similarity(countWords(a), countWords(b));
}

/** Bytes of a version's definition; null if its blob can no longer be read. */
export async function textOf({ oid, definition }: Version, source: BlobSource): Promise<Buffer | null> {
  const bytes = await source.bytes(oid);
  if (bytes === null) return null;
  return Buffer.concat(definition.ranges.map(({ start, end }) => bytes.subarray(start, end)));
}

/** Similarity from which removed and added code count as moved. git's renames have the same threshold. */
export const MOVED_SIMILARITY = 0.5;
/** Maximum number of words counted of one text, which is enough to compare it. */
const MAX_WORDS = 20_000;

export type WordCounts = ReadonlyMap<string, number>;

export function countWords(bytes: Buffer): WordCounts {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of bytes.toString('utf8').matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    if (++total >= MAX_WORDS) break;
  }
  return counts;
}

/** Dice coefficient of two texts: 0 for no common word, 1 for the same words equally often. */
export function similarity(a: WordCounts, b: WordCounts): number {
  let common = 0;
  let total = 0;
  for (const [word, count] of a) {
    common += Math.min(count, b.get(word) ?? 0);
    total += count;
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 1 : (2 * common) / total;
}

export interface Rename {
  from: PlacedChange;
  to: PlacedChange;
}

/** Share of common words from which a symbol at the same place counts as renamed, although its text changed too. */
const RENAMED_SIMILARITY = 0.75;
/** Shorter symbols are alike by chance: two getters of a line each. */
const MIN_BYTES = 48;
/** Most pairs compared by words. */
const MAX_COMPARED = 4_000;

/** Pairs removed and added symbols, each in one pair at most. Equal texts come first, those of one file and container before others. */
export async function findRenames(all: readonly PlacedChange[], source: BlobSource): Promise<Rename[]> {
  const [removed, added] = await Promise.all(
    (['removed', 'added'] as const).map((type) =>
      Promise.all(all.filter(({ change }) => change.type === type).map((placed) => withText(placed, source))),
    ),
  );
  const pairs = new Map<Texted, Texted>();
  const taken = new Set<Texted>();
  const left = () => removed.filter((from) => !pairs.has(from));
  const partners = (from: Texted, among: readonly Texted[] = []) =>
    among.filter((to) => !taken.has(to) && kindOf(to) === kindOf(from));
  const join = (from: Texted, to: Texted) => {
    pairs.set(from, to);
    taken.add(to);
  };
  const byHash = groupBy(added, ({ hash }) => hash);
  for (const isNear of [true, false]) {
    // An equal text elsewhere must be long enough to be no accident.
    for (const from of left().filter(({ size }) => isNear || size >= MIN_BYTES)) {
      const twins = partners(from, byHash.get(from.hash)).filter((to) => areNear(from, to) === isNear);
      if (twins.length === 1) join(from, twins[0]);
    }
  }
  const byPlace = groupBy(added, placeOf);
  let compared = 0;
  for (const from of left().filter(({ size }) => size >= MIN_BYTES)) {
    let best: Texted | null = null;
    let most = RENAMED_SIMILARITY;
    for (const to of partners(from, byPlace.get(placeOf(from)))) {
      if (haveOtherMembers(from, to) || ++compared > MAX_COMPARED) continue;
      const score = similarity(from.words(), to.words());
      if (score >= most) [best, most] = [to, score];
    }
    if (best !== null) join(from, best);
  }
  return [...pairs].map(([from, to]) => ({ from: from.placed, to: to.placed }));
}

interface Texted {
  placed: PlacedChange;
  /** Hash of its text without white space and without its own name. */
  hash: string;
  size: number;
  words: () => WordCounts;
}

async function withText(placed: PlacedChange, source: BlobSource): Promise<Texted> {
  const { start, end, name } = placed.change.symbol;
  const bytes = (await source.bytes(placed.oid))?.subarray(start, end) ?? Buffer.alloc(0);
  let words: WordCounts | null = null;
  const nameless = condense(bytes).replaceAll(Buffer.from(name).toString('latin1'), '\0');
  return {
    placed,
    hash: hashOf([nameless]),
    size: end - start,
    words: () => {
      words ??= countWords(bytes);
      return words;
    },
  };
}

const kindOf = ({ placed }: Texted): string => placed.change.symbol.kind;
const areNear = (a: Texted, b: Texted): boolean => placeOf(a) === placeOf(b);

/** Have two types no member in common? Then similar text is no rename: code of a member of one may be all of the other. */
function haveOtherMembers({ placed: a }: Texted, { placed: b }: Texted): boolean {
  const names = new Set(a.change.memberNames);
  const others = b.change.memberNames ?? [];
  return names.size > 0 && others.length > 0 && !others.some((name) => names.has(name));
}

/** The file, and the container in it. */
function placeOf({ placed: { path, change } }: Texted): string {
  const { symbol, name } = change.symbol;
  return `${path} ${symbol.slice(0, symbol.length - name.length)}`;
}
