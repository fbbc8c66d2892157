import type { TextFacts } from './extract.js';
import type { DegradedReason, PlainChunkKind } from './facts.js';
export type Parse = (text: string, language: string, plain: PlainChunkKind, degrade?: DegradedReason) => TextFacts;
export function embeddedParts(
  text: string,
  plain: PlainChunkKind,
  degrade: DegradedReason | undefined,
  parse: Parse,
): TextFacts {
  return parse(text, 'text', plain, degrade);
}
