/**
 * Places of names in one file: where each stands, and as what. The graph has lines alone, which is too little for a program that changes
 * text. Offsets are UTF-16 units of the text without its byte order mark.
 */
import { addTo, firstFrom } from '../base/lists.js';
import { languageIn } from '../languages/detect.js';
import { languageOf, rulesOf } from '../languages/registry.js';
import type { StatedImport } from '../languages/roles/relation-facts.js';
import { inDocumentOrder } from './collect-drafts.js';
import { decode } from './content.js';
import { type Draft, FUNCTION_KINDS } from './draft.js';
import { parse, textFacts } from './extract.js';
import type { SymbolKind } from './facts.js';
import type { RawRelations } from './relations/fact-sink.js';
import type { SyntaxTree } from './syntax-tree.js';

/** A use as the facts state it: its kind, and the access path before the name. */
export type StatedUse = readonly [kind: string, receiver: string, name: string];

export interface PlaceOfName {
  name: string;
  start: number;
  end: number;
  line: number;
  /** `text`: in a string. */
  in: 'code' | 'comment' | 'text';
  /** It stands behind a value or a type: `cart.total`. */
  member?: true;
  /** Indexes of the symbols of the file whose name it is. */
  defines?: number[];
  uses?: StatedUse[];
  /** It stands in an import: lines of the statement, and the role of the name there. */
  imports?: { from: number; to: number; as: 'name' | 'alias' | 'path' };
  /** Local names of the symbols that the file exports there. */
  exports?: string[];
  /** Range in which it declares a local or a parameter. */
  binds?: [start: number, end: number];
  /** One word for a key and its value: `{ total }`. */
  shorthand?: true;
  /** It stands in a text or a symbol of the language, and defines or uses something. */
  quoted?: true;
  /** A name before `:` or `=` in a list of arguments or keys. */
  label?: true;
}

export interface NamePlaces {
  places: PlaceOfName[];
  /** Characters that the grammar could not read. */
  mistakes: number;
  /** Ranges of the symbols whose names were asked for, with their documentation, by index. */
  ranges: Record<number, [start: number, end: number, doc: number]>;
  imports: StatedImport[];
  /** Symbols that stand in no other one, by index. */
  tops: [index: number, name: string, kind: SymbolKind, start: number, end: number][];
}

/** Most places of a file: more occur in generated files. */
const MAX_PLACES = 5_000;

/** `loadRules` must be awaited before. */
export function namePlaces(bytes: Uint8Array, stated: string, names: readonly string[]): NamePlaces {
  const language = languageIn(stated, bytes);
  const { text } = decode(bytes);
  const { drafts, relations } = textFacts(text, language, languageOf(language)?.plain ?? 'text');
  drafts.sort(inDocumentOrder);
  const tree = rulesOf(language).template === undefined ? (parse(text, language)?.tree ?? null) : null;
  const words = names.flatMap((name) => occurrences(text, name)).sort((a, b) => a.start - b.start);
  const reader = new PlaceReader({ text, language, drafts, relations, tree }, new Set(names));
  const places = words.filter((place) => reader.describe(place));
  const ranges: NamePlaces['ranges'] = {};
  for (const index of places.flatMap(({ defines = [] }) => defines)) {
    const { start, end, doc } = drafts[index];
    ranges[index] = [start, end, doc === null ? start : Math.min(start, doc.start)];
  }
  const tops = [...drafts.entries()].flatMap(([index, { name, kind, container, start, end, doc }]) =>
    container === null
      ? [[index, name, kind, Math.min(start, doc?.start ?? start), end] as NamePlaces['tops'][number]]
      : [],
  );
  const imports = relations.imports.filter(({ kind }) => kind !== 'declare');
  return { places, imports, tops, mistakes: tree?.mistakes(rulesOf(language).definitions?.misread) ?? 0, ranges };
}

/** A name without the marks that some languages write before it, and behind a name that is assigned. */
export const bareName = (name: string): string => name.replace(/^[~#$@]+|=$/g, '');

const WORD = /[\p{L}\p{N}_]/u;

/** Whole words of a text that are the name. `$` is no part of a word: in some languages it marks a variable. */
export function occurrences(text: string, name: string): PlaceOfName[] {
  const found: PlaceOfName[] = [];
  let [line, from] = [1, 0];
  for (let at = text.indexOf(name); at >= 0 && found.length < MAX_PLACES; at = text.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (WORD.test(text[at - 1] ?? ' ') || WORD.test(text[end] ?? ' ')) continue;
    for (let next = text.indexOf('\n', from); next >= 0 && next < at; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    found.push({ name, start: at, end, line, in: 'code' });
  }
  return found;
}

interface ParsedText {
  text: string;
  language: string;
  drafts: readonly Draft[];
  relations: RawRelations;
  /** Null where a file has parts in several languages. */
  tree: SyntaxTree | null;
}

/** Says what each place is, from the facts of its file. */
class PlaceReader {
  private readonly uses = new Map<number, StatedUse[]>();
  private readonly defined = new Map<number, number[]>();
  private readonly bound = new Map<number, [start: number, end: number]>();
  private readonly exported = new Map<string, { at: number; local: string }[]>();
  private readonly comments: ReadonlySet<string>;
  private readonly opaque: ReadonlySet<string>;
  private readonly code: ReadonlySet<string>;

  constructor(
    private readonly file: ParsedText,
    names: ReadonlySet<string>,
  ) {
    const { language, drafts, relations } = file;
    const { definitions, relations: rules } = rulesOf(language);
    this.comments = new Set(definitions?.comments);
    this.opaque = new Set(rules?.names?.opaque);
    this.code = new Set(rules?.names?.code);
    for (const { at, kind, receiver, name } of relations.references) addTo(this.uses, at, [kind, receiver, name]);
    for (const [index, { nameStart }] of drafts.entries()) addTo(this.defined, nameStart, index);
    for (const { at, place, name } of relations.bindings)
      if (names.has(name) && (place === 'local' || place === 'variable')) this.bind(at, name);
    for (const { at, name, local } of relations.exports)
      for (const each of new Set([name, local])) addTo(this.exported, each, { at, local });
  }

  /** Returns whether it is the name: `total` of `total?` is a part of another one. */
  describe(place: PlaceOfName): boolean {
    const { text, tree } = this.file;
    const { start } = place;
    const leaf = tree === null ? -1 : innermost(tree, start);
    const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
    if (MEMBER.test(before)) place.member = true;
    if (!this.addFacts(place)) return false;
    place.in = this.regionOf(leaf, start);
    const hasFacts = place.defines !== undefined || (place.uses?.length ?? 0) > 0;
    // A symbol in quotes, or behind a colon, may be one that the language defines or uses by it.
    if (place.in === 'text' && hasFacts) {
      place.quoted = true;
      place.in = 'code';
    }
    if (place.in !== 'code') {
      delete place.defines;
      delete place.uses;
      return true;
    }
    const bound = this.bound.get(start) ?? this.bound.get(start - 1);
    if (bound !== undefined) place.binds = bound;
    if (this.isShorthand(leaf)) place.shorthand = true;
    if (LABEL.test(text.slice(place.end, place.end + MAX_BEFORE)) && OPENED.test(before)) place.label = true;
    this.addImport(place);
    const exports = this.exportsAt(place);
    if (exports.length > 0) place.exports = exports;
    return true;
  }

  /** Adds the definitions and uses that start there under that name; false if all of them have another one. */
  private addFacts(place: PlaceOfName): boolean {
    const { text, drafts } = this.file;
    const { start, name } = place;
    // `~Cart` and `#total` begin with a mark.
    const starts = MARKS.test(text[start - 1] ?? '') ? [start, start - 1] : [start];
    const defined = starts.flatMap((at) => this.defined.get(at) ?? []);
    const used = starts.map((at) => this.uses.get(at)).find((each) => each !== undefined);
    const defines = defined.filter((index) => bareName(drafts[index].name) === name);
    const uses = used?.filter(([, , each]) => bareName(each) === name);
    if (defines.length > 0) place.defines = defines;
    if (uses !== undefined) place.uses = uses;
    const hasOthers = uses === undefined ? defined.length > 0 : uses.length === 0;
    return defines.length > 0 || !hasOthers;
  }

  private isShorthand(leaf: number): boolean {
    const { tree } = this.file;
    const isShort = (node: number) => tree?.nameOf(node).startsWith('shorthand') === true;
    return leaf > 0 && (isShort(leaf) || isShort(tree?.parent[leaf] ?? 0));
  }

  private regionOf(leaf: number, start: number): PlaceOfName['in'] {
    const { tree } = this.file;
    if (tree === null || leaf < 0) return 'code';
    for (let at = leaf; at > 0; at = tree.parent[at]) {
      const kind = tree.nameOf(at);
      if (this.comments.has(kind)) return 'comment';
      if (this.code.has(kind) && tree.start[at] < start) return 'code';
      if (this.opaque.has(kind)) return /comment/i.test(kind) ? 'comment' : 'text';
    }
    return 'code';
  }

  /** A function can say that it assigns a name of the file around it. */
  private bind(at: number, name: string): void {
    const [start, end] = this.scopeOf(at);
    const outer = rulesOf(this.file.language).definitions?.outerNames;
    const stated = outer === undefined ? [] : [...this.file.text.slice(start, end).matchAll(outer)];
    if (!stated.some(([, names]) => names.split(/\W+/).includes(name))) this.bound.set(at, [start, end]);
  }

  /** The function around a binding, or the file. A local of a body means nothing in the function's head. */
  private scopeOf(at: number): [start: number, end: number] {
    const { drafts, relations, text } = this.file;
    let [start, end] = [0, text.length];
    const enter = (from: number, to: number) => {
      if (from <= at && at < to && to - from < end - start) [start, end] = [from, to];
    };
    for (const { kind, start: from, end: to, signatureEnd } of drafts)
      if (FUNCTION_KINDS.has(kind)) enter(at >= signatureEnd ? signatureEnd : from, to);
    for (const closure of relations.closures) enter(closure.start, closure.end);
    return [start, end];
  }

  private addImport(place: PlaceOfName): void {
    const { text, relations } = this.file;
    const { start, end, name } = place;
    const found = relations.imports.filter((each) => each.kind !== 'declare' && each.at <= start && end <= each.end);
    if (found.length === 0) return;
    const names = found.flatMap((each) => each.names);
    const isAliased = /\b(?:as|AS|=>)\s+$/.test(text.slice(Math.max(0, start - MAX_BEFORE), start));
    const isName = names.some((each) => each.name === name) && !isAliased;
    const as = isName ? 'name' : names.some((each) => each.alias === name) ? 'alias' : 'path';
    const lineAt = (offset: number) => place.line + lineBreaks(text, start, offset);
    place.imports = {
      from: Math.min(...found.map(({ at }) => lineAt(at))),
      to: Math.max(...found.map((each) => lineAt(Math.max(each.at, each.end - 1)))),
      as,
    };
  }

  /** Exports that the place states: those nearest before it, in the same statement. */
  private exportsAt({ name, start, end }: PlaceOfName): string[] {
    const { text } = this.file;
    const near = (this.exported.get(name) ?? []).filter(({ at }) => {
      const [from, to] = at <= start ? [at, start] : [end, at];
      return to - from < MAX_EXPORT && !/[;}]/.test(text.slice(from, to));
    });
    return [...new Set(near.map(({ local }) => local))];
  }
}

/** UTF-16 units that are read before a name. */
const MAX_BEFORE = 40;
/** Longest list of exports. */
const MAX_EXPORT = 4_000;
/** Several dots are a range, or spread a list; a type of a result stands apart from its arrow. */
const MEMBER = /(?:(?:(?<!\.)\.|::|\\|&\.)\s*|->)$/;
/** Signs behind the name of a key or of an argument, and before it. */
const LABEL = /^\s*(?::(?!:)|=(?![=>~]))/;
const OPENED = /[{,(]\s*$/;
/** Marks that are parts of some names. */
const MARKS = /[~#$@]/;

/** The innermost node around an offset, -1 for none. Nodes are in the order of their starts, outer ones first. */
function innermost(tree: SyntaxTree, at: number): number {
  const behind = firstFrom(tree.count, (node) => tree.start[node] <= at);
  for (let node = behind - 1; node >= 0; node = node === 0 ? -1 : tree.parent[node])
    if (tree.end[node] > at) return node;
  return -1;
}

/** Line breaks from one offset to another, less than 0 if that comes first. */
function lineBreaks(text: string, from: number, to: number): number {
  const count = (text.slice(Math.min(from, to), Math.max(from, to)).match(/\n/g) ?? []).length;
  return to < from ? -count : count;
}
