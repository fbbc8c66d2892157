/** The shards of the manifest: are they the files that were published, and do they say what the records say? */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isLink, plainFileAt, readPlainFile } from '../../../base/atomic.js';
import type { Progress } from '../../../base/progress.js';
import { needsRecord } from '../../../indexer/plan.js';
import { DOCUMENT_COLUMNS } from '../../../shard/columns.js';
import { LexicalShard } from '../../../shard/lexical.js';
import type { Manifest, ShardEntry } from '../../../shard/manifest.js';
import { type Check, placeOf } from '../check.js';
import type { CheckedNotes } from './check-notes.js';
import { checkSnapshots, checkVectorFiles } from './check-snapshots.js';
import { compareShard } from './compare-shard.js';

export interface CheckedShards {
  manifest: Manifest;
  /** Shards that can be used, in the order of the manifest. */
  sound: LexicalShard[];
  /** Absolute paths of files that must not be used any more. */
  bad: string[];
  /** The manifest contradicts the notes. */
  isWrongAboutNotes: boolean;
  /** Keys of snapshots that are not complete. */
  incomplete: string[];
  /** False where a link leads elsewhere: nothing there is ours. */
  isOurs: boolean;
}

/** `notes` are the checked notes of this version's own syntax records; null where there are none. */
export async function checkShards(
  check: Check,
  notes: CheckedNotes | null,
  progress: Progress,
): Promise<CheckedShards> {
  const { shards, repository } = check.session;
  const { directory } = shards;
  const { state, manifest } = shards.inspectManifest();
  const checked: CheckedShards = {
    ...{ manifest, sound: [], bad: [], isWrongAboutNotes: false, incomplete: [], isOurs: true },
  };
  for (const path of [join(repository.commonDir, 'socraticode'), directory]) {
    if (!isLink(path)) continue;
    const hint = `Remove it, then run again: ${path}`;
    check.findings.add('state-link', path, 'it is a symbolic link, which is not followed', { hint });
    return { ...checked, isOurs: false };
  }
  if (state === 'damaged') {
    check.findings.add('manifest-damaged', 'manifest.json', 'it is damaged, or was not written here by this user');
    checked.bad.push(join(directory, 'manifest.json'));
  }
  let done = 0;
  for (const entry of manifest.shards) {
    check.signal?.throwIfAborted();
    const shard = openShard(check, directory, entry, checked);
    progress.update(++done, manifest.shards.length);
    if (shard === null) continue;
    const isSame = await compareShard(check, shard, notes);
    if (isSame) checked.sound.push(shard);
    else checked.bad.push(join(directory, entry.file));
  }
  checkVectorFiles(check, checked);
  checked.isWrongAboutNotes = checkUnrecorded(check, checked, notes);
  // Shards that are wrong are missed by every snapshot: nothing new is said of those.
  if (checked.sound.length === manifest.shards.length) checked.incomplete = await checkSnapshots(check, checked);
  return checked;
}

/** Null for a file that cannot be used; it is named in `checked.bad` if there is one. */
function openShard(
  check: Check,
  directory: string,
  entry: ShardEntry,
  checked: Pick<CheckedShards, 'bad'>,
): LexicalShard | null {
  const { findings, counts } = check;
  const path = join(directory, entry.file);
  const stat = plainFileAt(path);
  if (stat === null) {
    findings.add('shard-missing', entry.file, 'the manifest names it, and there is no such file');
    return null;
  }
  checked.bad.push(path);
  if (stat.size !== entry.bytes) {
    findings.add('shard-damaged', entry.file, `it has ${stat.size} bytes instead of ${entry.bytes}`);
    return null;
  }
  const bytes = readPlainFile(path, entry.bytes);
  if (bytes === null || createHash('sha256').update(bytes).digest('hex') !== entry.sha256) {
    findings.add('shard-damaged', entry.file, 'it fails its checksum');
    return null;
  }
  const shard = tryOpen(bytes, entry.file);
  const fault = typeof shard === 'string' ? shard : countFault(shard, entry);
  if (typeof shard === 'string' || fault !== null) {
    findings.add('shard-counts', entry.file, fault ?? 'it cannot be opened');
    return null;
  }
  const twice = unitTwice(shard);
  if (twice !== null) {
    findings.add('unit-twice', entry.file, 'it lists a blob twice', placeOf(check, twice));
    return null;
  }
  checked.bad.pop();
  counts.shards++;
  return shard;
}

function tryOpen(bytes: Buffer, name: string): LexicalShard | string {
  try {
    return new LexicalShard(bytes, name);
  } catch (error) {
    return (error as Error).message;
  }
}

/** The first inconsistency as a sentence, or null: no loop below may run further than the columns do. */
function countFault(shard: LexicalShard, entry: ShardEntry): string | null {
  const { units, documents, oidBytes } = shard.meta;
  if (units !== entry.units || documents !== entry.documents)
    return `it says ${units} units and ${documents} chunks, the manifest ${entry.units} and ${entry.documents}`;
  const perUnit = [shard.unitFlags, shard.unitSize, shard.unitFirst, shard.unitDocuments];
  const isWhole =
    (oidBytes === 20 || oidBytes === 32) &&
    perUnit.every((column) => column.length === units) &&
    DOCUMENT_COLUMNS.every((name) => shard.columns[name].length === documents);
  if (!isWhole) return 'its columns have different lengths';
  let sum = 0;
  for (let unit = 0; unit < units; unit++) {
    sum += shard.unitDocuments[unit];
    if (shard.unitFirst[unit] + shard.unitDocuments[unit] > documents) return 'a unit reaches beyond the last chunk';
  }
  return sum === documents ? null : `its units have ${sum} chunks, ${documents} are there`;
}

/** Units are in the order of their blobs and languages. */
function unitTwice(shard: LexicalShard): string | null {
  const nameOf = (unit: number) => `${shard.unitOid(unit)} ${shard.unitLanguageId(unit)}`;
  const seen = new Set<string>();
  for (let unit = 0; unit < shard.meta.units; unit++) {
    if (seen.has(nameOf(unit))) return shard.unitOid(unit);
    seen.add(nameOf(unit));
  }
  return null;
}

/** If the manifest vouches for the notes, each unit has its record, or is listed as one without. */
function checkUnrecorded(check: Check, { manifest, sound }: CheckedShards, notes: CheckedNotes | null): boolean {
  if (manifest.notes === null || manifest.notes !== notes?.commit) return false;
  // Of bad notes enough is said already.
  const listed = new Set([...(manifest.unrecorded ?? []), ...notes.bad.map(({ target }) => target)]);
  let isWrong = false;
  for (const shard of sound) {
    for (let unit = 0; unit < shard.meta.units; unit++) {
      const oid = shard.unitOid(unit);
      if (!needsRecord(shard.unitState(unit)) || notes.good.has(oid) || listed.has(oid)) continue;
      check.findings.add(
        'unit-unrecorded',
        shard.name,
        'a blob has no record, and the manifest does not say so',
        placeOf(check, oid),
      );
      isWrong = true;
    }
  }
  return isWrong;
}
