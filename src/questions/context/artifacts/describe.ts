/** Description of one artifact: its state, numbers, and the next step. */
import type { Artifact } from '../../../config/context-artifacts.js';
import type { ContextArtifact } from '../output.js';
import type { InsideArtifact } from './inside.js';
import type { Refusal } from './outside.js';
import type { OutsideFiles } from './outside-files.js';
import type { OutsideState } from './outside-store.js';

const NOTES = {
  absent: 'nothing is there in this snapshot',
  nothing: 'nothing of it can be searched',
  unindexed: 'a search indexes the rest first',
  changed: 'it has changed since it was indexed; a search brings it up to date',
  gone: 'nothing is there on this machine',
};

function base({ name, path, description, inside }: Artifact) {
  return { name, path, description, outside: inside === null };
}

export function describeInside(artifact: Artifact, { oid, files }: InsideArtifact): ContextArtifact {
  const skipped: Record<string, number> = {};
  for (const { reason } of files) if (reason !== null) skipped[reason] = (skipped[reason] ?? 0) + 1;
  const usable = files.filter(({ reason }) => reason === null);
  const indexed = usable.filter(({ chunks }) => chunks !== null);
  const uncommitted = usable.filter((file) => file.oid === null).length;
  const isMissing = usable.length === 0;
  const isReady = indexed.length + uncommitted === usable.length;
  return {
    ...base(artifact),
    state: isMissing ? 'missing' : isReady ? 'ready' : 'partial',
    oid,
    files: usable.length,
    indexed: indexed.length,
    uncommitted,
    bytes: usable.reduce((sum, { size }) => sum + (size ?? 0), 0),
    chunks: indexed.reduce((sum, { chunks }) => sum + (chunks ?? 0), 0),
    skipped,
    note: isMissing ? (files.length === 0 ? NOTES.absent : NOTES.nothing) : isReady ? null : NOTES.unindexed,
  };
}

export function describeOutside(
  artifact: Artifact,
  { list, leftOut }: OutsideFiles,
  state: OutsideState,
): ContextArtifact {
  const all = { ...leftOut };
  for (const [reason, count] of Object.entries(state.leftOut)) all[reason] = (all[reason] ?? 0) + count;
  const files = list.length - Object.values(state.leftOut).reduce((sum, count) => sum + count, 0);
  const { oid, indexedOid, bytes, indexed, chunks } = state;
  const now = files === 0 ? 'missing' : indexedOid === null ? 'partial' : oid === indexedOid ? 'ready' : 'stale';
  const notes = { missing: NOTES.nothing, partial: NOTES.unindexed, ready: null, stale: NOTES.changed };
  return {
    ...base(artifact),
    ...{ state: now, oid, indexedOid, files, indexed, uncommitted: 0, bytes, chunks },
    ...{ skipped: all, note: notes[now] },
  };
}

/** `allow`: the command with which the user would allow it. */
export function describeRefused(artifact: Artifact, refusal: Refusal, allow: string, most: number): ContextArtifact {
  const notes = {
    missing: NOTES.gone,
    'not-allowed': `it lies outside of the repository; only the user may allow it, knowing why it is named: ${allow}`,
    'too-many': `at most ${most} artifacts may lie outside of the repository`,
  };
  return {
    ...base(artifact),
    ...{ state: refusal === 'missing' ? 'missing' : 'not-allowed', oid: null, indexedOid: null },
    ...{ files: 0, indexed: 0, uncommitted: 0, bytes: 0, chunks: 0, skipped: {}, note: notes[refusal] },
  };
}
