/** Links files of any snapshot. Imported only when something is linked: the import takes longer than reading a graph. */
import { isSocraticodeError } from '../../base/errors.js';
import { linkSnapshot, missingFacts } from '../../graph/link/index.js';
import {
  factsKey,
  type LinkedSnapshot,
  type LinkFacts,
  type LinkInput,
  type SourceFile,
} from '../../graph/link-input.js';
import { loadImports } from '../../languages/resolver.js';

type Collect = (missing: readonly SourceFile[]) => Promise<ReadonlyMap<string, LinkFacts>>;

/** Links files and marks those without facts as unreadable. `previous` saves time and never changes the result. */
export async function linkFiles(
  input: Omit<LinkInput, 'facts'>,
  collect: Collect,
  previous: LinkedSnapshot | null,
): Promise<LinkedSnapshot> {
  try {
    const missing = missingFacts(input.files, previous);
    const [facts] = await Promise.all([collect(missing), loadImports(input.files.map(({ language }) => language))]);
    return linkSnapshot({ ...input, files: withoutFacts(input.files, missing, facts), facts }, previous);
  } catch (error) {
    // The previous graph comes from a cache file that may be damaged: link without it.
    if (previous === null || !isSocraticodeError(error, 'RECORD_CORRUPT')) throw error;
    return linkFiles(input, collect, null);
  }
}

/** Marks the files unreadable whose facts could not be collected. */
function withoutFacts(
  files: readonly SourceFile[],
  missing: readonly SourceFile[],
  facts: ReadonlyMap<string, unknown>,
): readonly SourceFile[] {
  const lost = new Set(missing.map(factsKey).filter((key) => !facts.has(key)));
  if (lost.size === 0) return files;
  return files.map((file) => {
    const hasFacts = file.state === 'linked' || file.state === 'degraded';
    return hasFacts && lost.has(factsKey(file)) ? { ...file, state: 'unreadable' } : file;
  });
}
