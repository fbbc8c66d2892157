/**
 * `share.verify`: derives some of the pulled records again. Another writer's record can be valid and false; it then hides a file from
 * searches, or names symbols at the wrong lines.
 */
import { randomInt } from 'node:crypto';
import { log } from '../../base/log.js';
import { listNotes, readRef } from '../../git/notes.js';
import { CatFileReader } from '../../git/objects.js';
import { NOTES_PREFIX } from '../../git/repository.js';
import type { DerivedBlob } from '../../indexer/derive.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import type { PlannedBlob } from '../../indexer/run.js';
import { compareAgain, deriveAgain, inspectRecord } from '../../indexer/verify-records.js';
import { commandText } from '../../params/param.js';
import { MAX_RECORD_BYTES } from '../../record/format.js';
import { SYNTAX_KIND } from '../../record/syntax-codec.js';
import type { Session } from '../../session/session.js';
import type { PullReport } from './question.js';

export type Verified = NonNullable<PullReport['verified']>;
/** Blob ids and the ids of their notes. */
type Notes = ReadonlyMap<string, string>;

/** Records of the current profile. Throws GIT_FAILED and BAD_ARGUMENT. */
export async function listRecords({ repository, profile }: Session): Promise<Notes> {
  const commit = await readRef(repository.git, `${NOTES_PREFIX}/${SYNTAX_KIND}/${profile}`);
  return commit === null ? new Map() : (await listNotes(repository.git, commit)).notes;
}

/** Derives up to `count` random records that are new since `before`, and compares. Throws what `listRecords` throws. */
export async function verifyNew(
  session: Session,
  before: Notes,
  count: number,
  signal?: AbortSignal,
): Promise<Verified> {
  const now = await listRecords(session);
  const drawn = draw(
    [...now.keys()].filter((oid) => now.get(oid) !== before.get(oid)),
    count,
  );
  const objects = new CatFileReader(session.repository.git);
  const pool = new ParserPool();
  try {
    const verified: Verified = { equal: 0, different: [], notComparable: 0 };
    const blobs = await planAgain(objects, now, drawn);
    verified.notComparable += drawn.length - blobs.length;
    for await (const derived of deriveAgain({ objects, signal }, blobs, pool)) compare(session, now, derived, verified);
    if (verified.different.length > 0) log.warn(warning(verified));
    return verified;
  } finally {
    pool.stop();
    objects.close();
  }
}

/** Draws at random, so that no writer of a record knows whether it will be checked. */
function draw(oids: string[], count: number): string[] {
  for (let i = 0; i < Math.min(count, oids.length); i++) {
    const other = randomInt(i, oids.length);
    [oids[i], oids[other]] = [oids[other], oids[i]];
  }
  return oids.slice(0, count).sort();
}

/** Blobs with the languages of their records. Leaves out records that cannot be read, and blobs that are not here. */
async function planAgain(objects: CatFileReader, notes: Notes, oids: readonly string[]): Promise<PlannedBlob[]> {
  const blobs: PlannedBlob[] = [];
  for (const oid of oids) {
    const note = notes.get(oid) as string;
    const [info, blob] = [await objects.info(note), await objects.info(oid)];
    if (info?.type !== 'blob' || info.size > MAX_RECORD_BYTES || blob === null) continue;
    const content = (await objects.read(note))?.content;
    const found = content === undefined ? null : inspectRecord(SYNTAX_KIND, content, oid, true);
    if (!found?.ok) continue;
    const languages = [...(found.chunks?.keys() ?? [])];
    blobs.push({ oid, languages: languages.length > 0 ? languages : [null], path: '', sharded: false });
  }
  return blobs;
}

function compare({ repository }: Session, notes: Notes, derived: DerivedBlob, verified: Verified): void {
  const found = compareAgain(derived, notes.get(derived.oid), repository.objectFormat);
  if (found.isEqual === null) verified.notComparable++;
  else if (found.isEqual) verified.equal++;
  else verified.different.push(derived.oid);
}

function warning({ equal, different }: Verified): string {
  const what = `${different.length} of ${equal + different.length} pulled records that were derived again`;
  const next = commandText('fsck', { rederive: 'all', repair: true });
  return `${what} are not what their files give; ${next} looks at all of them and replaces the false ones`;
}
