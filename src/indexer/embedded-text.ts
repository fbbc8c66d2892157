/**
 * The text that a provider embeds for a chunk: the chunk's own text, after one line with the name of its definition.
 */
import { cutText } from '../embed/slices.js';

/** Change it when the same chunk gives another text; part of the vectors profile. */
export const EMBEDDED_TEXT_VERSION = 1;

/**
 * Returns the text of a chunk for an embedder that sees `maxCharacters` UTF-16 code units. `symbol` is the qualified
 * name of the definition that the chunk is about or lies in, null outside of definitions. No path goes in, so that a
 * blob has the same vectors wherever it is.
 */
export function embeddedText(symbol: string | null, body: string, maxCharacters: number): string {
  return cutText(symbol === null ? body : `${symbol}\n${body}`, maxCharacters);
}
