/** What a provider is given of a chunk: its text, and one line that says where it stands. */
import { cutText } from '../embed/slices.js';

/** Bump when the same chunk gives another text: part of the vectors profile. */
export const EMBEDDED_TEXT_VERSION = 1;

/**
 * The text of a chunk for an embedder that sees `maxCharacters` UTF-16 code units. `symbol` is the qualified name of the
 * definition that the chunk is about or stands in, null outside of any. Nothing in it comes from a path: the same blob
 * has the same vectors wherever it lies.
 */
export function embeddedText(symbol: string | null, body: string, maxCharacters: number): string {
  return cutText(symbol === null ? body : `${symbol}\n${body}`, maxCharacters);
}
