/** Texts of definitions in old file versions, and how similar they are. */
import { countWords, similarity } from './similar-text.js';
import type { BlobSource } from './source.js';
import type { Version } from './trace.js';

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
