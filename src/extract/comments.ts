/** Finds the comments of a text by its grammar: two versions that differ in these alone behave alike. */
import { languageOf } from '../languages/registry.js';
import { rulesOf } from '../languages/rules.js';
import { blocksOf } from './embedded.js';
import type { ByteRange } from './facts.js';
import { parseWithGrammar } from './grammar.js';
import { decode } from './text.js';

/** Ranges in the order of their starts; none for a language without a grammar. `loadRules` has to be awaited before. */
export function commentsIn(bytes: Uint8Array, language: string): ByteRange[] {
  const { text, toByte } = decode(bytes);
  return spansIn(text, language).map(({ start, end }) => ({ start: toByte(start), end: toByte(end) }));
}

/** In UTF-16 units. */
function spansIn(text: string, language: string): ByteRange[] {
  const { template, definitions: rules } = rulesOf(language);
  if (template !== undefined) {
    const scripts = blocksOf(text, template).filter((block) => block.language !== null);
    return scripts.flatMap((block) =>
      spansIn(text.slice(block.start, block.end), block.language as string).map(({ start, end }) => ({
        start: start + block.start,
        end: end + block.start,
      })),
    );
  }
  const grammar = languageOf(language)?.grammar;
  if (rules === undefined || grammar === undefined) return [];
  const tree = parseWithGrammar(grammar.name, rules.parsed?.(text) ?? text, text);
  if (tree === null) return [];
  const kinds = new Set(rules.comments.flatMap((kind) => tree.names.numbers.get(kind) ?? []));
  const spans: ByteRange[] = [];
  for (let i = 0; i < tree.count; i++)
    if (kinds.has(tree.kind[i])) spans.push({ start: tree.start[i], end: tree.end[i] });
  return spans;
}
