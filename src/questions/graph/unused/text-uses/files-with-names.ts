/** Files whose text holds a name, from the index of words: only those are read. */
import { identifierTerms } from '../../../../extract/terms.js';
import type { PreparedGraph } from '../../../../session/graph/prepare.js';
import type { Session } from '../../../../session/session.js';
import { SnapshotPreparer } from '../../../../session/snapshot/prepare.js';
import type { LiveSet } from '../../../../shard/live.js';

/** Finds the paths of files that may hold a name, in any case and with any joiners; null for one that is too short to be indexed. */
export type NameIndex = (name: string) => ReadonlySet<string> | null;

/** Uncommitted files may hold any name. */
export async function openNameIndex(
  session: Session,
  { origin, uncommitted }: PreparedGraph,
  signal?: AbortSignal,
): Promise<NameIndex> {
  const { corpus } = await new SnapshotPreparer(session).prepare(origin, signal);
  return (name) => {
    // Of several terms the last is the whole name, which is the rarest.
    const term = identifierTerms(name).at(-1);
    if (term === undefined) return null;
    const paths = new Set(uncommitted);
    for (const path of pathsWith(corpus.live, term)) paths.add(path);
    return paths;
  };
}

function* pathsWith({ shards, bases, fileOf, files }: LiveSet, term: string): Generator<string> {
  for (const [i, shard] of shards.entries()) {
    const index = shard.findTerm(term);
    if (index < 0) continue;
    const { documents, count } = shard.postings(index);
    let last = -1;
    for (const document of documents.subarray(0, count)) {
      const file = fileOf[bases[i] + document];
      if (file < 0 || file === last) continue;
      last = file;
      yield* files.paths(file);
    }
  }
}
