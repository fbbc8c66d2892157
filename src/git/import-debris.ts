/** What a `fast-import` of ours leaves behind that was killed, or failed: git itself removes some of it, after weeks. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { plainFileAt, readPlainFile, removeQuietly } from '../base/atomic.js';
import type { Repository } from './repository.js';

/** A failed fast-import leaves a crash report; a pack it did not finish is removed when it is old enough to be nobody's. */
export function removeImportDebris({ gitDir }: Repository, pid: number | undefined): void {
  if (pid !== undefined) removeQuietly(join(gitDir, `fast_import_crash_${pid}`));
}

/** No fast-import of ours takes that long. */
const DEBRIS_AGE_MS = 60 * 60 * 1000;
const KEPT_PACK = /^(pack-[0-9a-f]+)\.keep$/;
/** What fast-import writes into the file that protects its pack until the refs point into it; gc would never touch that pack again. */
const KEEP_MESSAGE = 'fast-import';

/** Removes what earlier, killed imports left: crash reports, half-written packs and objects, packs kept for ever. */
export function removeStaleImportDebris({ gitDir, commonDir }: Repository): void {
  const objects = join(commonDir, 'objects');
  const pack = join(objects, 'pack');
  removeOld(gitDir, /^fast_import_crash_\d+$/);
  removeOld(pack, /^tmp_(?:pack|idx|rev)_\w+$/);
  for (const name of namesIn(objects)) if (/^[0-9a-f]{2}$/.test(name)) removeOld(join(objects, name), /^tmp_obj_\w+$/);
  for (const name of namesIn(pack)) {
    const stem = KEPT_PACK.exec(name)?.[1];
    if (stem !== undefined) releasePack(join(pack, stem));
  }
}

/**
 * A pack without an index is none: it goes with its `.keep`. An empty `.keep` can be anybody's, but where there is no pack
 * it is of a fast-import that had just begun to protect one.
 */
function releasePack(stem: string): void {
  const keep = `${stem}.keep`;
  try {
    if (!isOld(keep)) return;
    const content = readPlainFile(keep, KEEP_MESSAGE.length)?.toString('latin1');
    const isCutOff = content === '' && plainFileAt(`${stem}.pack`) === null;
    if (content !== KEEP_MESSAGE && !isCutOff) return;
    if (plainFileAt(`${stem}.idx`) === null) rmSync(`${stem}.pack`, { force: true });
    rmSync(keep, { force: true });
  } catch {
    // Someone else's cleaning was faster.
  }
}

/** A temporary file that is linked already under its last name is done with; that name is used, so it does not age. */
function removeOld(directory: string, pattern: RegExp): void {
  for (const name of namesIn(directory)) {
    if (!pattern.test(name)) continue;
    const path = join(directory, name);
    if (isOld(path) || (plainFileAt(path)?.nlink ?? 0) > 1) removeQuietly(path);
  }
}

function isOld(path: string): boolean {
  const stat = plainFileAt(path);
  return stat !== null && Date.now() - stat.mtimeMs > DEBRIS_AGE_MS;
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
