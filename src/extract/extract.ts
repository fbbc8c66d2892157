/**
 * The one entrance: bytes and a language id in, chunks and symbols out. `loadRules` has to be awaited once a language
 * before.
 */

import { languageOf } from '../languages/registry.js';
import type { RelationRules } from '../languages/roles/relations.js';
import { rulesOf } from '../languages/rules.js';
import { assignedMembers, assignedOnce } from './assigned-members.js';
import { chunkLines, chunksOf, type TextChunk } from './chunk.js';
import { isGenerated, skipReason } from './content.js';
import type { Draft } from './draft.js';
import { embeddedParts } from './embedded.js';
import type { BlobFacts, Chunk, DegradedReason, Extraction, PlainChunkKind } from './facts.js';
import { parseWithGrammar } from './grammar.js';
import { mainDrafts } from './main-symbol.js';
import { piecesOf } from './pieces.js';
import { findNodes } from './query.js';
import { collectRelations } from './relations/collect.js';
import { toRelations } from './relations/finish.js';
import { noRawRelations, type RawRelations } from './relations/raw.js';
import { findSections } from './sections.js';
import { findStructure } from './structure.js';
import { findDefinitions, inDocumentOrder, toSymbols } from './symbols.js';
import { decode, type SourceText } from './text.js';

export interface ExtractOptions {
  /** Don't parse, cut by lines, and report this reason: for blobs whose parse crashed or took too long. */
  degrade?: DegradedReason;
}

/** Chunks, definitions and relations of one text, in UTF-16 offsets. */
export interface TextFacts {
  chunks: TextChunk[];
  drafts: Draft[];
  relations: RawRelations;
  degraded?: DegradedReason;
}

/** Facts of one blob. Pure: the same bytes, language and grammars give the same facts. An unknown language is text. */
export function extract(bytes: Uint8Array, language: string, options: ExtractOptions = {}): Extraction {
  const skip = skipReason(bytes);
  if (skip !== null) return { skip };
  const source = decode(bytes);
  const plain = languageOf(language)?.plain ?? 'text';
  const generated = isGenerated(source.text, source.lines, plain === 'text' || plain === 'data');
  const { chunks, drafts, relations, degraded } = textFacts(source.text, language, plain, options.degrade);
  const facts: BlobFacts = {
    lines: source.lines,
    chunks: toChunks(chunks, drafts, source),
    symbols: toSymbols(drafts, source),
    generated,
    // Last: it counts on the order that `toChunks` gave the drafts.
    relations: toRelations(relations, drafts, source.text, namesOf(language)),
  };
  return degraded === undefined ? { facts } : { facts, degraded };
}

/** Rules whose lists of names count in a whole file of that language. */
function namesOf(language: string): RelationRules | undefined {
  const { template, relations } = rulesOf(language);
  return template?.names ?? relations;
}

function textFacts(text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason): TextFacts {
  const { template, braces, sections } = rulesOf(language);
  if (template !== undefined) return embeddedParts(text, plain, degrade, parsedFacts, template);
  if (degrade === undefined && braces !== undefined) return findStructure(text, plain, braces);
  if (degrade === undefined && sections !== undefined) return findSections(text, plain, sections);
  return parsedFacts(text, language, plain, degrade);
}

function parsedFacts(text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason): TextFacts {
  const lines = (degraded?: DegradedReason): TextFacts => ({
    chunks: chunkLines(text, 0, text.length, plain),
    drafts: [],
    relations: noRawRelations(),
    degraded,
  });
  const { definitions: rules, relations: relationRules } = rulesOf(language);
  const grammar = languageOf(language)?.grammar;
  if (rules === undefined || grammar === undefined) return lines();
  if (degrade !== undefined) return lines(degrade);
  const tree = parseWithGrammar(grammar.name, rules.parsed?.(text) ?? text, text);
  if (tree === null) return lines('grammar-missing');
  const { root } = tree;
  const found = findNodes(tree, rules, relationRules);
  const drafts = findDefinitions(root, found.definitions, { text, rules });
  const chunks = chunksOf(piecesOf({ root, text, rules, drafts }), text, plain);
  const whole = [...assignedOnce(drafts, rules), ...assignedMembers(text, drafts, rules)].sort(inDocumentOrder);
  const relations =
    relationRules === undefined
      ? noRawRelations()
      : collectRelations(found.relations, text, relationRules, whole, tree);
  return { drafts: whole, chunks, relations };
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
