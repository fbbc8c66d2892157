/** State that all parts of one fsck share. */
import type { Config } from '../../config/types.js';
import { CatFileReader } from '../../git/objects.js';
import { isPartialClone } from '../../git/worktree.js';
import { currentConfig } from '../../session/records/profile-use.js';
import type { Session } from '../../session/session.js';
import type { SnapshotFiles } from '../../session/snapshot/snapshot.js';
import { type VectorSource, vectorSource } from '../../session/vectors/vector-source.js';
import { Findings } from './findings.js';
import type { FsckReport } from './output.js';

/** A path of each blob at HEAD. */
interface HeadFile {
  path: string;
  /** Languages by the catalog; null if the content decides. */
  languages: (string | null)[];
}

/** One look at everything: reads only. */
export interface Check {
  readonly session: Session;
  /** Reader of this check alone, so that objects it finds missing stay unknown to the session's reader. */
  readonly objects: CatFileReader;
  readonly findings: Findings;
  readonly counts: FsckReport['checked'];
  readonly config: Config;
  readonly vectors: VectorSource;
  /** Null before the first commit, and where the tree of HEAD cannot be read. */
  readonly head: SnapshotFiles | null;
  readonly headFiles: ReadonlyMap<string, HeadFile>;
  readonly isPartial: boolean;
  /** Only this profile's notes. */
  readonly profile: string | null;
  /** Only what people and agents wrote. */
  readonly knowledge: boolean;
  readonly signal?: AbortSignal;
}

interface CheckOptions {
  profile?: string;
  knowledge?: boolean;
  signal?: AbortSignal;
}

/** The caller closes `objects`. Throws BAD_CONFIG. */
export async function beginCheck(session: Session, { profile, knowledge, signal }: CheckOptions): Promise<Check> {
  const config = await currentConfig(session);
  const head = await session.files().catch(() => null);
  return {
    ...{ session, config, head, signal, profile: profile ?? null, knowledge: knowledge === true },
    objects: new CatFileReader(session.repository.git),
    findings: new Findings(),
    counts: freshCounts(),
    vectors: vectorSource(session, config),
    headFiles: filesOf(head),
    isPartial: isPartialClone(session.gitConfig),
  };
}

export function freshCounts(): FsckReport['checked'] {
  return {
    ...{
      refs: 0,
      records: 0,
      vectors: 0,
      compiler: 0,
      knowledge: 0,
      noteBytes: 0,
      shards: 0,
      units: 0,
      snapshots: 0,
      files: 0,
      fileBytes: 0,
    },
  };
}

function filesOf(scope: SnapshotFiles | null): Map<string, HeadFile> {
  const files = new Map<string, HeadFile>();
  for (const { oid, path, language } of scope?.catalog.files ?? []) {
    const known = files.get(oid);
    if (known === undefined) files.set(oid, { path, languages: [language] });
    else if (!known.languages.includes(language)) known.languages.push(language);
  }
  return files;
}

/** A blob and its path at HEAD, for a finding. */
export function placeOf(check: Check, blob: string): { blob: string; path: string | null } {
  return { blob, path: check.headFiles.get(blob)?.path ?? null };
}
