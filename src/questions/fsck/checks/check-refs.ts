/** The refs of our notes: which there are, and which cannot be used. */

import { relative } from 'node:path';
import { shellWord } from '../../../base/hygiene.js';
import { type KnownRef, listRefs, refLocks } from '../../../git/ref-check.js';
import { NOTES_PREFIX } from '../../../git/repository.js';
import { kindOfRef, PRIVATE_PREFIX } from '../../../knowledge/kinds.js';
import { SYNTAX_KIND } from '../../../record/codec.js';
import { COMPILER_KIND } from '../../../record/limits.js';
import { VECTORS_KIND } from '../../../record/vector-codec.js';
import { COMPILER_PROFILE } from '../../../session/session.js';
import { isIndex } from '../../../share/notes-refs.js';
import type { Check } from '../check.js';
import type { NotesTarget } from './check-notes.js';

const NOTES_REF = new RegExp(`^(?:${NOTES_PREFIX}|${PRIVATE_PREFIX})/([^/]+)/([^/]+)$`);
/** Git holds such a lock for as long as writing a line takes. */
const STALE_LOCK_MS = 10 * 60_000;

interface CheckedRefs {
  targets: NotesTarget[];
  /** Refs whose files hold no oid. */
  broken: string[];
  /** Files that lock refs for no one: absolute paths. */
  locks: string[];
}

/** Reads the local notes refs. Refs that track a remote's are left out: the remote repairs its own. */
export async function checkRefs(check: Check): Promise<CheckedRefs> {
  const { repository } = check.session;
  const listed = [await listRefs(repository.git, NOTES_PREFIX), await listRefs(repository.git, PRIVATE_PREFIX)];
  const [refs, broken] = [listed.flatMap((each) => each.refs), listed.flatMap((each) => each.broken)];
  const targets: NotesTarget[] = [];
  for (const known of refs) {
    if (check.knowledge && kindOfRef(known.ref) === null) continue;
    check.counts.refs++;
    const target = await targetOf(check, known);
    if (target !== null && (check.profile === null || target.profile === check.profile)) targets.push(target);
  }
  for (const ref of broken) check.findings.add('ref-broken', ref, 'the file of the ref holds no object id');
  return { targets, broken: broken.filter((ref) => NOTES_REF.test(ref)), locks: checkLocks(check) };
}

async function targetOf(check: Check, { ref, oid, symbolic }: KnownRef): Promise<NotesTarget | null> {
  const { findings, session } = check;
  const [, kind, profile] = NOTES_REF.exec(ref) ?? [];
  if (kind === undefined) {
    const hint = `Rename or delete it: git update-ref -d ${shellWord(ref)}`;
    findings.add('ref-in-the-way', ref, 'no notes can be kept below a ref of that name', { hint });
    return null;
  }
  if (symbolic !== null) {
    const hint = `Delete it, its target stays: git symbolic-ref -d ${ref}`;
    findings.add('ref-symbolic', ref, `it stands for ${symbolic}, which writing to it would change`, { hint });
    return null;
  }
  const commit = await check.objects.info(oid).catch(() => null);
  if (commit?.type !== 'commit') {
    reportUnreadable(check, ref, commit === null ? `its commit ${oid} is missing` : `it points at a ${commit.type}`);
    return null;
  }
  if (!isIndex({ kind }) && kindOfRef(ref) === null) {
    findings.add('notes-of-later-version', ref, 'a later version keeps notes here, which this one cannot check');
    return null;
  }
  const own: Readonly<Record<string, string>> = {
    [SYNTAX_KIND]: session.profile,
    [VECTORS_KIND]: check.vectors.profile,
    [COMPILER_KIND]: COMPILER_PROFILE,
  };
  const isOwn = own[kind] === profile || kindOfRef(ref) !== null;
  return { ref, commit: oid, kind, profile, isOwn };
}

/** Objects are git's to look after. */
export function reportUnreadable(check: Check, ref: string, message: string): void {
  const hint = `git fsck; if nothing brings the objects back: git update-ref -d ${shellWord(ref)}, then git socraticode index`;
  check.findings.add('ref-unreadable', ref, message, { hint });
}

function checkLocks(check: Check): string[] {
  const { repository } = check.session;
  const locks = [NOTES_PREFIX, PRIVATE_PREFIX].flatMap((prefix) => refLocks(repository, prefix));
  const stale = locks.filter(({ ageMs }) => ageMs > STALE_LOCK_MS);
  for (const { path, ageMs } of stale) {
    const about = relative(repository.commonDir, path);
    check.findings.add(
      'ref-lock-stale',
      about,
      `it has been there for ${Math.round(ageMs / 60_000)} minutes, and stops every writer`,
    );
  }
  return stale.map(({ path }) => path);
}
