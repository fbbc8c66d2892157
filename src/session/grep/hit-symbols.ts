/** Finds the symbol around each hit, from the facts of its file: indexed ones, or those of a parse in a child process. */
import { qualifiedName } from '../../extract/collect-drafts.js';
import type { BlobFacts } from '../../extract/facts.js';
import { blobOid, type ObjectReader, readable } from '../../git/objects.js';
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import type { GrepMatch, GrepResult } from './grep.js';

/** Returns the qualified name of the innermost symbol around a line; null at top level, and for a file without facts. */
export type SymbolAt = (line: number) => string | null;

/** Looks up the symbols of each file that has hits to show. */
export async function symbolsOf(
  session: Session,
  { origin, matches }: GrepResult,
  signal?: AbortSignal,
): Promise<Map<GrepMatch, SymbolAt>> {
  const shown = matches.filter(({ hits }) => hits.length > 0);
  if (shown.length === 0) return new Map();
  const { languages, maxFileBytes } = (await session.configOfOrigin(origin)).config;
  const format = session.repository.objectFormat;
  const edited = new Map<string, Buffer>();
  const versions = shown.map(({ file, text }) => {
    if (file.oid !== null) return { oid: file.oid, path: file.path };
    const bytes = Buffer.from(text);
    const oid = blobOid(bytes, format);
    edited.set(oid, bytes);
    return { oid, path: file.path };
  });
  const objects = withBytes(session.objects, edited);
  const source = new BlobFactsSource(session, { languages, maxFileBytes, objects, count: versions.length, signal });
  try {
    const facts = new Map<string, BlobFacts | null>();
    await source.prefetch(versions, undefined, ({ oid, path }, found) => facts.set(`${oid} ${path}`, found));
    return new Map(
      shown.map((match, i) => [match, symbolAt(facts.get(`${versions[i].oid} ${versions[i].path}`) ?? null)]),
    );
  } finally {
    await source.close();
  }
}

export function symbolAt(facts: BlobFacts | null): SymbolAt {
  return (line) => {
    let inner = -1;
    // A container comes before its members.
    for (const [i, { startLine, endLine }] of (facts?.symbols ?? []).entries()) {
      if (startLine > line) break;
      if (endLine >= line) inner = i;
    }
    return facts === null || inner < 0 ? null : qualifiedName(facts.symbols, inner);
  };
}

/** Serves some blobs from memory. */
export function withBytes(objects: ObjectReader, known: ReadonlyMap<string, Buffer>): ObjectReader {
  return {
    async read(name) {
      const content = known.get(name);
      return content === undefined ? objects.read(name) : readable({ oid: name, type: 'blob', content });
    },
    async info(name) {
      const content = known.get(name);
      return content === undefined ? objects.info(name) : { oid: name, type: 'blob', size: content.length };
    },
    close() {},
  };
}
