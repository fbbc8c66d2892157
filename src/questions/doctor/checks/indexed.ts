/** Checks of the index: files of the snapshot, the manifest, the notes refs with their records; and the embedder. */

import { TIMED_OUT, waitFor } from '../../../base/abortable.js';
import { groupDigits } from '../../../base/digits.js';
import { shellWord } from '../../../base/hygiene.js';
import type { Config } from '../../../config/types.js';
import { listNotes } from '../../../git/notes.js';
import { readAbout } from '../../../git/notes-history.js';
import { type KnownRef, listRefs } from '../../../git/ref-check.js';
import { NOTES_PREFIX } from '../../../git/repository.js';
import { kindOfRef } from '../../../knowledge/kinds.js';
import { commandText, optionText } from '../../../params/command-line.js';
import { countKnowledge } from '../../../session/knowledge/count.js';
import { checkedAbout, currentConfig, useOf } from '../../../session/records/profile-use.js';
import type { Session } from '../../../session/session.js';
import { readCoverage } from '../../../session/snapshot/known-coverage.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import { createEmbedder, vectorSource } from '../../../session/vectors/vector-source.js';
import type { ProfilesReport } from '../../profiles/output.js';
import { knowledgeLine } from '../../status/text.js';
import { attempt, type Check, count, type Finding, fine, wrong } from '../check.js';

/** An embedder that does not answer in this time keeps everybody waiting. */
const EMBEDDER_MS = 2_000;

const USES: Readonly<Record<ProfilesReport['profiles'][number]['use'], string>> = {
  ...{ current: 'in use', readable: 'not in use: of another embedder', newer: 'not in use: of a newer version' },
  ...{ older: 'not in use: of an older version', other: 'not in use: of another version', unknown: 'not in use' },
};

export async function checkCoverage(session: Session, origin: SnapshotOrigin): Promise<Check> {
  if (origin.resolved.commit === null) return fine('no commit yet');
  const { covered, total } = await readCoverage(session, origin);
  const text = `${groupDigits(covered)} of ${groupDigits(total)} files of HEAD`;
  // The next question brings in the rest.
  if (covered < total) return fine(`${text}; the next search or \`git socraticode index\` brings in the rest`);
  return fine(text);
}

/** `heals` of the shards is off: nothing is touched. */
export function checkManifest({ shards }: Session): Check {
  const { state, manifest } = shards.inspectManifest();
  if (state === 'none') return fine('nothing is built here yet');
  if (state === 'older') return fine('built by an older version: the next search builds it anew');
  if (state === 'damaged')
    return wrong(
      'the list of shards is damaged, or was not written here by this user',
      'git socraticode index builds them anew from the records.',
    );
  const lost = manifest.unreadable.length;
  const text = count(manifest.shards.length, 'shard');
  if (!shards.hasShards(manifest))
    return wrong(`${text}, of which some are gone`, 'git socraticode index builds them anew.');
  if (lost === 0) return fine(text);
  return wrong(
    `${text}; ${count(lost, 'file')} could not be read`,
    'git fsck says what is missing; in a partial clone git fetch --refetch --no-filter brings it.',
  );
}

export async function checkEmbedder(session: Session, config: Config, signal?: AbortSignal): Promise<Check> {
  const { embedder, model, costly } = vectorSource(session, config);
  if (!costly) return fine(`built in, ${model}`);
  const where = config.embedder.endpoint ?? 'its usual address';
  const ready = createEmbedder(config, { brisk: true }).then((made) => made.prepare(signal));
  if ((await waitFor(ready, { ms: EMBEDDER_MS, signal })) !== TIMED_OUT)
    return fine(`${embedder} ${model} at ${where}`);
  const seconds = EMBEDDER_MS / 1_000;
  return wrong(
    `${embedder} at ${where} has not answered within ${seconds} s`,
    'Start it; searches use words meanwhile.',
  );
}

/** Describes the embedder without sending it a request. */
export function describeEmbedder(session: Session, config: Config): Check {
  const { embedder, model, costly } = vectorSource(session, config);
  if (!costly) return fine(`built in, ${model}`);
  return fine(
    `${embedder} ${model} at ${config.embedder.endpoint ?? 'its usual address'}; ${optionText('online')} asks whether it is there`,
  );
}

/** One finding a ref of ours; those of remotes are `checkSharing`'s. */
export async function checkRefs(session: Session): Promise<Finding[]> {
  const { git } = session.repository;
  const { refs, broken } = await listRefs(git, NOTES_PREFIX);
  // The list of refs does not depend on settings.
  const settings = await attempt(() => currentConfig(session));
  const config = 'failed' in settings ? null : settings.value;
  const described = await Promise.all(refs.map((ref) => describeRef(session, config, ref)));
  // Entries that can be read are told in one line: a repository may have thousands of tasks, each with a ref.
  const found = described.filter(({ ok }, i) => !ok || kindOfRef(refs[i].ref) === null);
  const bad = broken.map((ref) => ({
    ...wrong(
      'git finds no commit in it',
      `git update-ref -d ${shellWord(ref)}, then git socraticode index; or ${commandText('fsck', { repair: true })}`,
    ),
    name: nameOf(ref),
  }));
  const none =
    found.length + bad.length === 0 ? [{ ...fine('no records yet: git socraticode index'), name: 'records' }] : [];
  const entries = await attempt(() => countKnowledge(session));
  // A ref that cannot be read is in the list already.
  const told = 'failed' in entries ? '' : knowledgeLine(entries.value);
  return [...none, ...found, ...bad, ...(told === '' ? [] : [{ ...fine(told), name: 'knowledge' }])];
}

const nameOf = (ref: string): string => ref.slice(NOTES_PREFIX.length + 1);

async function describeRef(
  session: Session,
  config: Config | null,
  { ref, oid, symbolic }: KnownRef,
): Promise<Finding> {
  const name = nameOf(ref);
  const facts = { ref, tip: oid };
  if (symbolic !== null)
    return { ...wrong(`it stands for ${symbolic}, which is not followed`, `git symbolic-ref -d ${ref}`), name, facts };
  const { git } = session.repository;
  const [kind = '', profile = ''] = name.split('/');
  const listed = await attempt(async () => [await listNotes(git, oid), await readAbout(git, oid)] as const);
  if ('failed' in listed) {
    const hint = `git fsck says what is damaged; ${commandText('fsck', { repair: true })} keeps the records that can be read.`;
    return { ...wrong(`${oid.slice(0, 9)} cannot be read: ${listed.failed.detail}`, hint), name, facts };
  }
  const [{ notes }, text] = listed.value;
  const own = profile === session.profile ? session.about : text;
  const use = config === null ? null : useOf(session, config, { kind, profile }, checkedAbout(profile, own));
  const detail = `${use === null ? 'use not known' : USES[use]}, ${count(notes.size, 'record')}, tip ${oid.slice(0, 9)}`;
  return { ...fine(detail), name, facts: { ...facts, use, records: notes.size } };
}
