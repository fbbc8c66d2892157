/** `explain`: looks each path up in the snapshot and says what the index has of it, or why it has nothing. */
import { ignoreRule } from '../../git/ignored.js';
import { isUnsafePath } from '../../git/snapshot.js';
import { nearestPaths } from '../../graph/query/paths.js';
import { prefixOf } from '../../session/prefix.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import type { ExplainedFile, ExplainResponse } from './output.js';
import type { ExplainValues } from './question.js';
import { nextStep } from './reasons.js';
import { type FileReader, openFiles } from './sources/indexed.js';
import { findPlace, folderTest, type Place } from './sources/places.js';
import type { LeftOut } from './sources/rules.js';
import { openSnapshotPaths, type SnapshotPaths } from './sources/snapshot-paths.js';

/** Throws UNKNOWN_REF, BAD_CONFIG, and BAD_ARGUMENT for a path outside of the repository. */
export function answerExplain(at: Asker, values: ExplainValues): Promise<ExplainResponse> {
  return retried(at.session, values.ref, () => explainPaths(at, values));
}

async function explainPaths({ session, directory, signal }: Asker, values: ExplainValues): Promise<ExplainResponse> {
  const paths = await openSnapshotPaths(session, values);
  const prefix = prefixOf(session, directory);
  const places = values.paths.map((text) => findPlace(text, prefix, paths));
  const selected = places.filter(({ kind, path }) => isSelected(kind, path, paths)).map(({ path }) => path);
  const files = await openFiles(session, paths, { selected, signal });
  try {
    const explained: ExplainedFile[] = [];
    for (const place of places) explained.push(await explain(place, paths, files));
    const { ref, commit } = paths.origin.resolved;
    return { schemaVersion: 1, ref, commit, files: explained };
  } finally {
    await files.close();
  }
}

function isSelected(kind: Place['kind'], path: string, paths: SnapshotPaths): boolean {
  if (kind !== 'change' && kind !== 'entry') return false;
  return paths.rules.byName({ path, type: paths.typeOf(path) }) === null;
}

async function explain({ path, kind }: Place, paths: SnapshotPaths, files: FileReader): Promise<ExplainedFile> {
  const { rules } = paths;
  const leftOut = (found: LeftOut) => unindexed(path, found, paths.ref);
  switch (kind) {
    case 'folder':
      return { ...unexplained(path), state: 'folder', folder: folderOf(path, paths) };
    case 'change':
    case 'entry': {
      const found = rules.byName({ path, type: paths.typeOf(path) }) ?? files.leftOut(path);
      const marked = kind === 'change' ? { uncommitted: true as const } : {};
      if (found !== null) return { ...leftOut(found), ...marked };
      return { ...unexplained(path), state: 'indexed', file: await files.details(path), ...marked };
    }
    case 'linked':
      return leftOut({ reason: 'symlink', rule: null });
    case 'nested':
      return leftOut({ reason: 'submodule', rule: null });
    case 'file':
    case 'other': {
      const rule = await ignoreRule(paths.git, path);
      if (rule !== null) return leftOut({ reason: 'git-ignored', rule });
      return leftOut({ reason: isUnsafePath(path) ? 'unsafe-path' : 'not-a-file', rule: null });
    }
    case 'absent': {
      const near = nearestPaths(paths.entries.keys(), path);
      return { ...leftOut({ reason: 'absent', rule: null }), state: 'absent', ...(near.length > 0 && { near }) };
    }
  }
}

const unexplained = (path: string) => ({ path, reason: null, rule: null, next: null });

/** A file that is not indexed, with the next step of its reason. */
function unindexed(path: string, { reason, rule, bytes = 0 }: LeftOut, ref: string | undefined): ExplainedFile {
  const state = reason === 'pending' ? 'pending' : 'left-out';
  return { path, state, reason, rule, next: nextStep(reason, { path, bytes, ref }) };
}

function folderOf(path: string, { entries, changes, rules, typeOf }: SnapshotPaths): ExplainedFile['folder'] {
  const below = folderTest(path);
  const leftOut: Record<string, number> = {};
  let files = 0;
  for (const each of new Set([...entries.keys(), ...changes.keys()].filter(below))) {
    const reason = rules.byName({ path: each, type: typeOf(each) })?.reason;
    if (reason === undefined) files++;
    else leftOut[reason] = (leftOut[reason] ?? 0) + 1;
  }
  return { files, leftOut };
}
