/**
 * Extraction: bytes and a language id in; chunks, symbols and relations out. `loadRules` must be awaited once a language before. Pure; its
 * only I/O is loading each grammar once.
 */
import { languageIn } from '../languages/detect.js';
import { languageOf, rulesOf, sameFamily } from '../languages/registry.js';
import type { CodeOfCells, DefinitionRules, StatedName } from '../languages/roles/definitions.js';
import type { FormatFacts, InlineScripts, RelationRules, TemplateRules } from '../languages/roles/relations.js';
import { chunkLines, chunksOf, mainDrafts, piecesOf, type TextChunk } from './chunk.js';
import { findDefinitions, inDocumentOrder, toSymbols } from './collect-drafts.js';
import { decode, isGenerated, type SourceText, skipReason } from './content.js';
import { type Draft, docBefore, FUNCTION_KINDS, type Source, TYPE_KINDS, trimEnd } from './draft.js';
import type { BlobFacts, ByteRange, Chunk, DegradedReason, Extraction, PlainChunkKind, SymbolKind } from './facts.js';
import {
  append,
  MAX_REFERENCES,
  type Move,
  noRawRelations,
  type RawReference,
  type RawRelations,
} from './relations/fact-sink.js';
import { toRelations } from './relations/finish.js';
import { collectRelations } from './relations/name-uses.js';
import { withRouteClosures } from './relations/scopes.js';
import { findSections, findStructure } from './sections.js';
import { findNodes, parseByRules, type SyntaxTree } from './syntax-tree.js';
import { findTags, tagQuery, withTags } from './tags.js';
import { parseTokens } from './token-tree.js';
import { isHopeless, toParseErrors, type UnreadPart, unreadParts } from './unread.js';
import { SIZES } from './version.js';

export interface ExtractOptions {
  /** Cuts by lines without parsing and reports this reason: for blobs whose parse crashed or took too long. */
  degrade?: DegradedReason;
}

/** Chunks, definitions and relations of one text, in UTF-16 offsets. */
export interface TextFacts {
  chunks: TextChunk[];
  drafts: Draft[];
  relations: RawRelations;
  degraded?: DegradedReason;
  /** Parts that the grammar could not read. */
  unread?: readonly UnreadPart[];
}

/** Facts of one blob. Pure: the same bytes, language and grammars give the same facts. An unknown language is text. */
export function extract(bytes: Uint8Array, stated: string, options: ExtractOptions = {}): Extraction {
  const skip = skipReason(bytes);
  if (skip !== null) return { skip };
  const language = languageIn(stated, bytes);
  const source = decode(bytes);
  const plain = languageOf(language)?.plain ?? 'text';
  const generated = isGenerated(source.text, source.lines, plain === 'text' || plain === 'data');
  const found = textFacts(source.text, language, plain, options.degrade);
  const { chunks, drafts, relations, degraded } = found;
  const facts: BlobFacts = {
    lines: source.lines,
    chunks: toChunks(chunks, drafts, source),
    symbols: toSymbols(drafts, source),
    generated,
    // Comes last: it counts on the order that `toChunks` gave the drafts.
    relations: toRelations(relations, drafts, source.text, relationRulesOf(language)),
    parseErrors: toParseErrors(found.unread ?? [], source),
  };
  return degraded === undefined ? { facts } : { facts, degraded };
}

/** Rules whose lists of names apply to a whole file of that language. */
function relationRulesOf(language: string): RelationRules | undefined {
  const { template, inline, relations } = rulesOf(language);
  return (template ?? inline)?.names ?? relations;
}

/** Facts of a text, read as its language is: as a template, by braces, by sections, or by a grammar. */
export function textFacts(text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason): TextFacts {
  const { template, braces, sections, inline } = rulesOf(language);
  if (template !== undefined) return embeddedParts(text, plain, degrade, parsedFacts, template);
  if (degrade === undefined && braces !== undefined) return findStructure(text, plain, braces);
  if (degrade === undefined && sections !== undefined) {
    const found = findSections(text, plain, sections);
    const code = sections.code?.(text) ?? null;
    if (code !== null) addCells(found, code, sameFamily(language, code.language));
    return found;
  }
  const facts = parsedFacts(text, language, plain, degrade);
  if (inline !== undefined && facts.degraded === undefined) addScripts(text, facts, inline);
  return facts;
}

/** Adds the definitions of a notebook's code, and what it uses if its language is linked like that of notebooks. */
function addCells(facts: TextFacts, { text, language, offsets, ends }: CodeOfCells, isLinked: boolean): void {
  const part = parsedFacts(text, language, 'code');
  if (!isLinked) part.relations = noRawRelations();
  addPart(facts, part, (at, isEnd) => (isEnd && at > 0 ? ends[at - 1] : offsets[at]));
}

/** Adds definitions and relations of the scripts in a page. Its chunks stay as they are. */
function addScripts(text: string, facts: TextFacts, inline: InlineScripts): void {
  const unread = [...(facts.unread ?? [])];
  const parsed = inline.parsed?.(text) ?? text;
  for (const { start, end, language } of blocksOf(text, inline, ANYWHERE)) {
    if (language === null) continue;
    const part = parsedFacts(parsed.slice(start, end), language, 'code');
    addPart(facts, part, (at) => at + start);
    unread.push(...moved(part.unread, start));
  }
  facts.unread = unread.sort((a, b) => a.start - b.start);
}

const moved = (parts: readonly UnreadPart[] = [], by: number): UnreadPart[] =>
  parts.map(({ start, end, lost }) => ({ start: start + by, end: end + by, lost }));

function parsedFacts(text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason): TextFacts {
  const lines = (degraded?: DegradedReason): TextFacts => ({
    chunks: chunkLines(text, 0, text.length, plain),
    drafts: [],
    relations: noRawRelations(),
    degraded,
  });
  const { definitions, formats } = rulesOf(language);
  if (definitions === undefined || (definitions.tokens ?? languageOf(language)?.grammar) === undefined) return lines();
  if (degrade !== undefined) return lines(degrade);
  const { lexical } = rulesOf(language).relations ?? {};
  if (isHopeless(text, lexical, (sample) => parse(sample, language)?.tree))
    return { ...lines(), unread: [{ start: 0, end: text.length, lost: true }] };
  const parsed = parse(text, language);
  if (parsed === null) return lines('grammar-missing');
  const format = formats?.(parsed.tree.root, text) ?? null;
  // Data of no format and without a grammar has nothing but lines.
  if (format === null && parsed.rules.tokens !== undefined && plain === 'data') return lines();
  return factsOf(parsed, format, text, language, plain);
}

/** Definitions come first, chunks are cut by them, definitions that have no chunk join them, and relations are read around all. */
function factsOf(
  { tree, rules, relations: relationRules }: Parsed,
  format: FormatFacts | null,
  text: string,
  language: string,
  plain: PlainChunkKind,
): TextFacts {
  const { root } = tree;
  const tagged = rules.tags === undefined ? null : findTags(tree, tagQuery(rules.tags));
  const found = tagged === null ? findNodes(tree, rules, relationRules) : NO_NODES;
  const written = findDefinitions(root, found.definitions, { text, rules }, tagged?.definitions);
  const drafts = format === null ? written : withFormat(written, format, { text, rules });
  const chunks = chunksOf(piecesOf({ root, text, rules, drafts }), text, plain);
  const apart = [
    ...assignedMembers(text, drafts, rules),
    ...macroLines(tree, drafts, rules),
    ...otherNames(rules.otherNames?.(text) ?? [], drafts, rules),
    ...otherNames(format?.names ?? [], drafts, rules, PARTS),
  ];
  const whole = [...assignedOnce(drafts, rules), ...apart].sort(inDocumentOrder);
  const statedRules =
    rulesOf(language).formats === undefined ? relationRules : format && withFormatFacts(relationRules, format);
  const relations =
    statedRules == null
      ? noRawRelations()
      : collectRelations(found.relations, text, withTags(statedRules, tree, tagged?.references), whole, tree);
  const shown = whole.filter(({ shadowed }) => !shadowed);
  return {
    drafts: withRouteClosures(text, shown, relations, language),
    chunks,
    relations,
    unread: unreadParts(tree, whole, rules, plain === 'code'),
  };
}

/** Definitions of a format, and keys at places where there are none of these. */
function withFormat(keys: readonly Draft[], { definitions }: FormatFacts, { text, rules }: Source): Draft[] {
  const drafts = definitions.map(({ name, kind, start, end, nameStart }): Draft => {
    const lineEnd = text.indexOf('\n', nameStart);
    return {
      ...{ name, kind, container: null, exported: true, start },
      ...{ end: trimEnd(text, end, start), headStart: start, nameStart },
      signatureEnd: Math.min(end, lineEnd === -1 ? text.length : lineEnd),
      ...{ doc: docBefore(text, start, rules.docs), bodied: true, opens: true, owner: null },
    };
  });
  drafts.sort(inDocumentOrder);
  let last = 0;
  const apart = keys.filter(({ start, end }) => {
    while (last < drafts.length && drafts[last].end <= start) last++;
    return last === drafts.length || drafts[last].start >= end;
  });
  return [...drafts, ...apart].sort(inDocumentOrder);
}

const withFormatFacts = (rules: RelationRules | undefined, format: FormatFacts): RelationRules | undefined =>
  rules && { ...rules, text: (sink) => format.state(sink) };

/** Nodes of a language whose definitions queries find. */
const NO_NODES = { definitions: [], relations: [] };

interface Parsed {
  tree: SyntaxTree;
  rules: DefinitionRules;
  relations?: RelationRules;
}

/** The tree of a text with the rules that read it: those of its language, or those of a dialect that fits better. Null without a grammar. */
export function parse(text: string, language: string): Parsed | null {
  const { dialect } = rulesOf(language);
  if (dialect === undefined) return parseOne(text, language);
  const isStated = dialect.stated.test(text);
  const first = isStated ? parseOne(text, dialect.language, dialect.parsed) : parseOne(text, language);
  if (first?.tree.mistakes() === 0) return first;
  const second = isStated ? parseOne(text, language) : parseOne(text, dialect.language, dialect.parsed);
  return second !== null && (first === null || second.tree.mistakes() < first.tree.mistakes()) ? second : first;
}

function parseOne(text: string, language: string, written?: (text: string) => string): Parsed | null {
  const { definitions: rules, relations, dialect } = rulesOf(language);
  const grammar = languageOf(language)?.grammar;
  if (rules?.tokens !== undefined) return { tree: parseTokens(text, rules.tokens), rules, relations };
  if (rules === undefined || grammar === undefined) return null;
  // A dialect's grammar alone is tried with brackets closed.
  const lexical = dialect === undefined ? relations?.lexical : undefined;
  const tree = parseByRules(grammar.name, text, { ...rules, parsed: written ?? rules.parsed, lexical });
  return tree === null ? null : { tree, rules, relations };
}

function toChunks(chunks: readonly TextChunk[], drafts: Draft[], source: SourceText): Chunk[] {
  drafts.sort(inDocumentOrder);
  const indexes = new Map(drafts.map((draft, index) => [draft, index]));
  const mains = mainDrafts(chunks, drafts);
  let start = 0;
  return chunks.map((chunk, index) => {
    const end = index === chunks.length - 1 ? source.byteLength : source.toByte(chunk.end);
    const main = mains[index];
    const startLine = source.lineOf(start);
    const result: Chunk = {
      start,
      end,
      startLine,
      endLine: source.lineOf(Math.max(start, end - 1)),
      kind: main?.kind ?? chunk.plain,
      symbol: main === null ? -1 : (indexes.get(main) ?? -1),
    };
    start = end;
    return result;
  });
}

// Members that methods declare by assigning them (`self.total = 0`): symbols that have no chunk and do not influence chunks

/** Most such members of one type; more are of no use to anyone. */
const MAX_MEMBERS = 500;
/** Characters of a line that are searched, backwards, for the start of a comment. */
const MAX_LINE_LENGTH = 200;

/** Drops symbols that are only assigned again: `total = 1` further down is a use of `total`. */
function assignedOnce(drafts: readonly Draft[], { assigned }: DefinitionRules): Draft[] {
  if (assigned === undefined) return [...drafts];
  const known = new Map<Draft | null, Set<string>>();
  return drafts.filter(({ kind, container, name }) => {
    if (!VALUE_KINDS.has(kind)) return true;
    const names = known.get(container) ?? new Set();
    known.set(container, names);
    const before = names.size;
    return names.add(name).size > before;
  });
}

const VALUE_KINDS: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'field']);

/** One member for each name and type, at its first assignment: in constructors, or else in other methods. */
function assignedMembers(text: string, drafts: readonly Draft[], rules: DefinitionRules): Draft[] {
  const { assigned } = rules;
  if (assigned === undefined) return [];
  const known = new Map<Draft, Set<string>>();
  for (const { container, name } of drafts) if (container !== null) namesOf(known, container).add(name);
  const methods = drafts.filter(({ kind, container }) => FUNCTION_KINDS.has(kind) && isType(container));
  const makers = methods.filter(({ kind }) => kind === 'constructor');
  const found: Draft[] = [];
  for (const method of [...makers, ...methods]) {
    const { container } = method;
    if (container === null) continue;
    const names = namesOf(known, container);
    let count = 0;
    for (const match of text.slice(method.signatureEnd, method.end).matchAll(assigned)) {
      const [whole, name] = match;
      const start = method.signatureEnd + match.index;
      if (names.has(name) || isOpaque(text, start, method, rules) || ++count > MAX_MEMBERS) continue;
      names.add(name);
      found.push(memberOf({ container, start, whole, name, rules }));
    }
  }
  return found;
}

/** Macros that a broken tree lacks, by their lines; those in comments are none. */
function macroLines(
  tree: SyntaxTree,
  drafts: readonly Draft[],
  { macroLines: form, comments }: DefinitionRules,
): Draft[] {
  if (form === undefined || tree.unread(comments).length === 0) return [];
  const { text } = tree;
  const known = new Set(drafts.map(({ nameStart }) => nameStart));
  const asides = tree.places(comments);
  const found: Draft[] = [];
  let next = 0;
  for (const { index, 0: line, 1: name } of text.matchAll(form)) {
    while (next < asides.length && asides[next][1] <= index) next++;
    const [end, start] = [index + line.length, index + line.search(/\S/)];
    if (known.has(end - name.length) || (next < asides.length && asides[next][0] <= index)) continue;
    found.push({
      ...{ name, kind: 'macro', container: null, start, end, headStart: start, signatureEnd: end, doc: null },
      ...{ nameStart: end - name.length, exported: true, bodied: false, opens: false, owner: null, assigned: true },
    });
  }
  return found;
}

/** Kinds of definitions that other code means by other names. */
const HAS_NAMES: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['class', 'method', 'function']);
const PARTS: ReadonlySet<SymbolKind> = new Set<SymbolKind>(['object']);

/** Names that a type has for other code, as its members. */
function otherNames(
  names: readonly StatedName[],
  drafts: readonly Draft[],
  rules: DefinitionRules,
  kinds = HAS_NAMES,
): Draft[] {
  return names.flatMap(({ name, at }) => {
    const container = drafts.filter(({ kind, start, end }) => kinds.has(kind) && start <= at && at < end).pop();
    if (container === undefined) return [];
    return [{ ...memberOf({ container, start: at, whole: name, name, rules }), exported: true, nameStart: at }];
  });
}

interface Assigned {
  container: Draft;
  start: number;
  whole: string;
  name: string;
  rules: DefinitionRules;
}

function memberOf({ container, start, whole, name, rules }: Assigned): Draft {
  const end = start + whole.trimEnd().length;
  return {
    ...{ name, kind: 'field', container, start, end, headStart: start, signatureEnd: end, doc: null },
    nameStart: start + whole.indexOf(name, whole.indexOf('.') + 1),
    exported: container.exported && (rules.exported.name?.test(name) ?? true),
    ...{ bodied: false, opens: false, owner: null, assigned: true },
  };
}

const isType = (draft: Draft | null): boolean => draft !== null && TYPE_KINDS.has(draft.kind);

function namesOf(known: Map<Draft, Set<string>>, container: Draft): Set<string> {
  let names = known.get(container);
  if (names === undefined) {
    names = new Set();
    known.set(container, names);
  }
  return names;
}

/** Is the offset in the documentation of the method, or in a comment? */
function isOpaque(text: string, at: number, { doc }: Draft, { docs }: DefinitionRules): boolean {
  if (doc !== null && doc.start <= at && at < doc.end) return true;
  const line = text.slice(Math.max(0, at - MAX_LINE_LENGTH), at);
  return docs.line?.test(line.slice(line.lastIndexOf('\n') + 1).trimStart()) ?? false;
}

/** Finds comments by the grammar, in order; versions that differ only in these behave alike. `loadRules` must be awaited before. */
export function commentsIn(bytes: Uint8Array, language: string): ByteRange[] {
  const { text, toByte } = decode(bytes);
  return spansIn(text, language).map(({ start, end }) => ({ start: toByte(start), end: toByte(end) }));
}

/** Comments of a decoded text, in UTF-16 units. */
function spansIn(text: string, language: string): ByteRange[] {
  const { template } = rulesOf(language);
  if (template !== undefined) {
    const scripts = blocksOf(text, template).filter((block) => block.language !== null);
    return scripts.flatMap((block) =>
      spansIn(text.slice(block.start, block.end), block.language as string).map(({ start, end }) => ({
        start: start + block.start,
        end: end + block.start,
      })),
    );
  }
  const parsed = parse(text, language);
  if (parsed === null) return [];
  const { tree, rules } = parsed;
  const kinds = new Set(rules.comments.flatMap((kind) => tree.names.numbers.get(kind) ?? []));
  const spans: ByteRange[] = [];
  for (let i = 0; i < tree.count; i++)
    if (kinds.has(tree.kind[i])) spans.push({ start: tree.start[i], end: tree.end[i] });
  return spans;
}

export { detectLanguage, isBinaryPath, needsContent } from '../languages/detect.js';
export { LANGUAGE_IDS, loadAllRules, loadRules } from '../languages/registry.js';
export { qualifiedName } from './collect-drafts.js';
export { decode } from './content.js';
export * from './facts.js';
export { GRAMMAR_HASHES, grammarStatus, PARSER_VERSION, SYNTAX_VERSION, syntaxFingerprint } from './version.js';

// Components (Vue, Svelte): scripts are files of their own language, markup is read for uses, the rest is cut by lines

type ReadScript = (text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason) => TextFacts;

interface Block {
  start: number;
  end: number;
  language: string | null;
  /** A script's tag, which belongs to the chunk after or before it. */
  tag?: 'open' | 'close';
}

/** A script of a page, which can stand anywhere in a line. */
const ANYWHERE = /<(script)\b([^>]{0,2000})>/gi;
const OPENING = /^<(script|style|template)\b([^>]*)>[^\S\n]*\n?/gim;

/** `read` reads one script block as a file of its own. */
function embeddedParts(
  text: string,
  plain: PlainChunkKind,
  degrade: DegradedReason | undefined,
  read: ReadScript,
  template: TemplateRules,
): TextFacts {
  const chunks: TextChunk[] = [];
  const drafts: Draft[] = [];
  const relations = noRawRelations();
  const unread: UnreadPart[] = [];
  let degraded: DegradedReason | undefined;
  let openTag = 0;
  const blocks = blocksOf(text, template);
  for (const block of blocks) {
    if (block.tag === 'open') {
      openTag = block.start;
      continue;
    }
    if (block.language === null) {
      if (!absorbTag(chunks, block)) chunks.push(...chunkLines(text, block.start, block.end, plain));
      continue;
    }
    const part = read(text.slice(block.start, block.end), block.language, 'code', degrade);
    degraded ??= part.degraded;
    const shifted = part.chunks.map((c) => ({ ...c, start: c.start + block.start, end: c.end + block.start }));
    if (shifted[0].end - openTag <= SIZES.cap) shifted[0].start = openTag;
    else chunks.push({ start: openTag, end: block.start, plain });
    chunks.push(...shifted);
    addPart({ drafts, relations }, part, (at) => at + block.start);
    unread.push(...moved(part.unread, block.start));
  }
  const names = usable(relations, drafts);
  for (const { start, end, language } of blocks) {
    if (language === null && degraded === undefined) addMarkup(text, start, end, template, relations, names);
  }
  return { chunks, drafts, relations, degraded, unread };
}

/** Joins a closing tag to the script's last chunk, an opening tag to its first: a tag alone is no chunk. */
function absorbTag(chunks: TextChunk[], block: Block): boolean {
  const last = chunks[chunks.length - 1];
  if (block.tag !== 'close' || last === undefined || block.end - last.start > SIZES.cap) return false;
  last.end = block.end;
  return true;
}

/** Splits the text into the contents of scripts and everything between them, in order. */
function blocksOf(
  text: string,
  { scriptLanguage, first }: InlineScripts,
  // Scripts of a page that begins with one can stand anywhere in its markup.
  opening = first === undefined ? OPENING : ANYWHERE,
): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  const [whole, mark, script] = first?.[0].exec(text) ?? [''];
  if (first !== undefined && script !== undefined && script.trim() !== '') {
    const end = mark.length + script.length;
    blocks.push({ start: 0, end: mark.length, language: null, tag: 'open' });
    blocks.push({ start: mark.length, end, language: first[1] });
    blocks.push({ start: end, end: whole.length, language: null, tag: 'close' });
    from = whole.length;
  }
  for (const match of text.matchAll(opening)) {
    if (match[1].toLowerCase() !== 'script' || match.index < from) continue;
    const start = match.index + match[0].length;
    const close = text.indexOf('</script', start);
    if (close === -1) break;
    if (close === start || text.slice(start, close).trim() === '') continue;
    const closed = text.indexOf('\n', close) + 1 || text.length;
    blocks.push({ start: from, end: match.index, language: null });
    blocks.push({ start: match.index, end: start, language: null, tag: 'open' });
    blocks.push({ start, end: close, language: scriptLanguage(match[2]) });
    blocks.push({ start: close, end: closed, language: null, tag: 'close' });
    from = closed;
  }
  blocks.push({ start: from, end: text.length, language: null });
  return blocks.filter((block) => block.end > block.start);
}

/** Adds definitions and relations of a part of a file. */
function addPart({ drafts, relations }: Pick<TextFacts, 'drafts' | 'relations'>, part: TextFacts, move: Move): void {
  for (const draft of part.drafts) drafts.push(moveDraft(draft, move));
  append(relations, part.relations, move);
}

function moveDraft(draft: Draft, move: Move): Draft {
  draft.start = move(draft.start);
  draft.end = move(draft.end, true);
  draft.headStart = move(draft.headStart);
  draft.nameStart = move(draft.nameStart);
  draft.signatureEnd = move(draft.signatureEnd, true);
  if (draft.doc !== null) draft.doc = { start: move(draft.doc.start), end: move(draft.doc.end, true) };
  return draft;
}

const COMPONENT = /<([A-Za-z][\w.-]{0,100})(?=[\s/>])/g;
const TAG = /<(script|style|link)\b([^<>]{1,2000})>/gi;
const STYLE_IMPORT = /@(?:import|use|forward)\s[^;{}]{1,500};/g;

/** Adds to `raw` what the markup in [start, end) of a component loads, and uses of the names that it can use. */
function addMarkup(
  text: string,
  start: number,
  end: number,
  rules: TemplateRules,
  raw: RawRelations,
  names: ReadonlyMap<string, boolean>,
): void {
  const markup = text.slice(start, end);
  for (const match of markup.matchAll(TAG)) {
    const loaded = rules.loadedBy(match[1], match[2]);
    const at = start + match.index;
    if (loaded !== null)
      raw.imports.push({ at, end: at + match[0].length, kind: 'import', specifier: loaded, names: [] });
  }
  for (const match of markup.matchAll(STYLE_IMPORT))
    raw.imports.push(...rules.styleImports(match[0], start + match.index));
  if (names.size === 0) return;
  for (const match of markup.matchAll(COMPONENT)) {
    const name = componentName(match[1], rules.dashed);
    const at = start + match.index + 1;
    if (names.has(rootOf(name))) state(raw, at, at + match[1].length, 'new', name, -1);
  }
  const items = new Map<string, string>();
  for (const { groups: { each = '', of = '' } = {} } of markup.matchAll(rules.loops))
    if (names.has(rootOf(of))) items.set(each, `${of}[]`);
  // `$stock` is the value of a store.
  const named = (name: string) => (names.has(name) || name[0] !== '$' ? name : name.slice(1));
  const known = (name: string): string | null => items.get(name) ?? (names.has(named(name)) ? named(name) : null);
  for (const [from, to] of rules.expressions(markup)) {
    for (const { at, end: last, kind, path } of rules.uses(markup.slice(from, to), start + from, known))
      state(raw, at, last, kind === 'read' && names.get(path) === true ? 'value' : kind, path, -1);
  }
}

/** Names that markup can use, imports and definitions of the scripts, and whether they can be handed on: variables are read. */
function usable(raw: RawRelations, drafts: readonly Draft[]): Map<string, boolean> {
  const names = new Map<string, boolean>();
  for (const { name, kind, container } of drafts)
    if (FUNCTION_KINDS.has(kind) || container === null)
      names.set(name, FUNCTION_KINDS.has(kind) || TYPE_KINDS.has(kind));
  for (const fact of raw.imports) for (const { alias } of fact.names) names.set(alias, true);
  names.delete('');
  return names;
}

/** Name of the component that a tag means: `CartList` for `cart-list`. */
function componentName(tag: string, dashed: boolean): string {
  if (!dashed || !tag.includes('-')) return tag;
  return tag.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function rootOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? name : name.slice(0, dot);
}

function state(
  raw: RawRelations,
  at: number,
  end: number,
  kind: RawReference['kind'],
  accessPath: string,
  args: number,
): void {
  if (raw.references.length >= MAX_REFERENCES) return;
  const dot = accessPath.lastIndexOf('.');
  const receiver = dot === -1 ? '' : accessPath.slice(0, dot);
  raw.references.push({ at, end, kind, name: accessPath.slice(dot + 1), receiver, args, literal: '', of: '' });
}
