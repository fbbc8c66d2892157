/** Snapshots that the manifest calls complete: are they? */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { snapshotKey } from '../../../session/indexing/known-snapshot.js';
import { countUnits } from '../../../session/snapshot/coverage.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import type { CompleteSnapshot } from '../../../shard/manifest.js';
import { hnswPath, vectorPath } from '../../../shard/vector-files.js';
import type { Check } from '../check.js';
import type { CheckedShards } from './check-shards.js';

/** The manifest remembers keys, not trees: these are the places where a tree with such a key is looked for. */
const LATEST_BRANCHES = 24;
const LATEST_HEADS = 24;

/** Keys of snapshots that are not what the manifest says. */
export async function checkSnapshots(check: Check, shards: CheckedShards): Promise<string[]> {
  const { manifest } = shards;
  const claims = new Map(manifest.complete.map((snapshot) => [snapshot.key, snapshot]));
  const wrong: string[] = [];
  for (const ref of claims.size === 0 ? [] : [undefined, ...(await candidates(check))]) {
    check.signal?.throwIfAborted();
    const origin = await check.session.origin(ref).catch(() => null);
    const claim = origin && claims.get(snapshotKey(origin));
    if (!origin || !claim) continue;
    claims.delete(claim.key);
    const fault = await faultOf(check, origin, claim, shards);
    if (fault === null) continue;
    check.findings.add('snapshot-incomplete', 'manifest.json', `${ref ?? 'HEAD'} is said to be complete: ${fault}`);
    wrong.push(claim.key);
  }
  return wrong;
}

/** Tips of branches, the latest first, and what HEAD was lately. */
async function candidates({ session }: Check): Promise<string[]> {
  const { git } = session.repository;
  const format = ['--sort=-committerdate', `--count=${LATEST_BRANCHES}`, '--format=%(objectname)'];
  const tips = await git.run(['for-each-ref', ...format, '--end-of-options', 'refs/heads/'], { allow: [128] });
  const walk = ['log', '--walk-reflogs', `--max-count=${LATEST_HEADS}`, '--format=%H', '--end-of-options', 'HEAD'];
  const heads = await git.run(walk, { allow: [128] });
  const lines = `${tips.stdout.toString('latin1')}\n${heads.stdout.toString('latin1')}`.split('\n');
  return [...new Set(lines.filter((line) => line !== ''))];
}

async function faultOf(
  check: Check,
  origin: SnapshotOrigin,
  claim: CompleteSnapshot,
  { sound, manifest }: CheckedShards,
): Promise<string | null> {
  const scope = await check.session.filesOf(origin).catch(() => null);
  if (scope === null) return null;
  check.counts.snapshots++;
  const counts = countUnits(scope, sound, manifest);
  if (counts.missing > 0) return `${counts.missing} of its files are in no shard`;
  const { files, chunks, skipped, degraded } = counts;
  const said = [claim.files, claim.chunks, claim.blobs, claim.skipped, claim.degraded];
  const isSo = isDeepStrictEqual(said, [files, chunks, scope.catalog.blobs, skipped, degraded]);
  return isSo ? null : `it says ${claim.files} files and ${claim.chunks} chunks, ${files} and ${chunks} are there`;
}

/** Vectors of the profile in use that complete snapshots need. */
export function checkVectorFiles(check: Check, { manifest, sound }: CheckedShards): void {
  for (const snapshot of manifest.complete) checkVectorsOf(check, snapshot, new Set(sound.map(({ name }) => name)));
}

function checkVectorsOf(check: Check, snapshot: CompleteSnapshot, sound: ReadonlySet<string>): void {
  const { profile } = check.vectors;
  const { directory } = check.session.shards;
  const known = snapshot.vectors?.[profile];
  if (known === undefined) return;
  // Shards that were merged since have their vectors elsewhere.
  const live = (names: readonly string[]) => names.filter((name) => sound.has(name));
  const paths = [
    ...live(known.shards).map((name) => vectorPath(directory, profile, name)),
    ...live(known.graphs).map((name) => hnswPath(directory, profile, name)),
  ];
  for (const path of paths.filter((each) => !existsSync(each)))
    check.findings.addOnce(
      'vector-file-missing',
      path.slice(join(directory, '/').length),
      'a complete snapshot needs it',
    );
}
