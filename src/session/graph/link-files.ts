/** Linking, for snapshots of every origin. Loaded where something is linked: that takes longer than to read what was. */
import { isSocraticodeError } from '../../base/errors.js';
import { linkSnapshot, missingFacts } from '../../graph/link/index.js';
import {
  factsKey,
  type LinkedSnapshot,
  type LinkFacts,
  type LinkInput,
  type SourceFile,
} from '../../graph/link-input.js';

export type Collect = (missing: readonly SourceFile[]) => Promise<ReadonlyMap<string, LinkFacts>>;

/** Links files; those whose facts cannot be collected are unreadable. `previous` is only ever a shorter way. */
export async function linkFiles(
  input: Omit<LinkInput, 'facts'>,
  collect: Collect,
  previous: LinkedSnapshot | null,
): Promise<LinkedSnapshot> {
  try {
    const missing = missingFacts(input.files, previous);
    const facts = await collect(missing);
    return linkSnapshot({ ...input, files: withoutFacts(input.files, missing, facts), facts }, previous);
  } catch (error) {
    // What the snapshot before held may be from anywhere.
    if (previous === null || !isSocraticodeError(error, 'RECORD_CORRUPT')) throw error;
    return linkFiles(input, collect, null);
  }
}

/** Files with those marked unreadable whose facts were missing and not found. */
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
