/** Style sheets with nesting and variables, by their braces: the CSS grammar can't read them. */

import type { TextFacts } from './extract.js';
import type { PlainChunkKind } from './facts.js';

export function hasStructure(_language: string): boolean {
  return false;
}
export function findStructure(_text: string, _language: string, _plain: PlainChunkKind): TextFacts {
  throw new Error('x');
}
