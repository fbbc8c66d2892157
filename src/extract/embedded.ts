/** Vue and Svelte files: scripts are read as TypeScript or JavaScript, the rest is cut by lines. */

import type { TemplateRules } from '../languages/roles/relations.js';
import type { TextChunk } from './chunk.js';
import { chunkLines } from './chunk.js';
import type { Draft } from './draft.js';
import type { TextFacts } from './extract.js';
import type { DegradedReason, PlainChunkKind } from './facts.js';
import { append, noRawRelations } from './relations/raw.js';
import { addMarkup } from './relations/template.js';
import { SIZES } from './sizes.js';

type Parse = (text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason) => TextFacts;

interface Block {
  start: number;
  end: number;
  language: string | null;
  /** A script's tag, which belongs to the chunk after or before it. */
  tag?: 'open' | 'close';
}

const OPENING = /^<(script|style|template)\b([^>]*)>[^\S\n]*\n?/gim;

/** `parse` reads one script block as a file of its own. */
export function embeddedParts(
  text: string,
  plain: PlainChunkKind,
  degrade: DegradedReason | undefined,
  parse: Parse,
  template: TemplateRules,
): TextFacts {
  const chunks: TextChunk[] = [];
  const drafts: Draft[] = [];
  const relations = noRawRelations();
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
    const part = parse(text.slice(block.start, block.end), block.language, 'code', degrade);
    degraded ??= part.degraded;
    const shifted = part.chunks.map((c) => ({ ...c, start: c.start + block.start, end: c.end + block.start }));
    if (shifted[0].end - openTag <= SIZES.cap) shifted[0].start = openTag;
    else chunks.push({ start: openTag, end: block.start, plain });
    chunks.push(...shifted);
    for (const draft of part.drafts) drafts.push(shift(draft, block.start));
    append(relations, part.relations, block.start);
  }
  for (const { start, end, language } of blocks) {
    if (language === null && degraded === undefined) addMarkup(text, start, end, template, relations, drafts);
  }
  return { chunks, drafts, relations, degraded };
}

/** A tag alone is no chunk: joins the closing tag to the script's last chunk, the opening tag to its first. */
function absorbTag(chunks: TextChunk[], block: Block): boolean {
  const last = chunks[chunks.length - 1];
  if (block.tag !== 'close' || last === undefined || block.end - last.start > SIZES.cap) return false;
  last.end = block.end;
  return true;
}

/** The text in order, as script contents and everything between them. */
export function blocksOf(text: string, { scriptLanguage }: TemplateRules): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const match of text.matchAll(OPENING)) {
    if (match[1].toLowerCase() !== 'script' || match.index < from) continue;
    const start = match.index + match[0].length;
    const close = text.indexOf('</script', start);
    if (close <= start || text.slice(start, close).trim() === '') continue;
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

function shift(draft: Draft, by: number): Draft {
  draft.start += by;
  draft.end += by;
  draft.headStart += by;
  draft.nameStart += by;
  draft.signatureEnd += by;
  if (draft.doc !== null) draft.doc = { start: draft.doc.start + by, end: draft.doc.end + by };
  return draft;
}
