/** `push`, `pull` and `share`: send notes of records to a remote, or fetch them; and `knowledge status`. */
import { isSocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { groupDigits, shellWord } from '../../base/printable.js';
import { canonicalJson } from '../../config/resolve.js';
import { Remote } from '../../git/remote.js';
import { NOTES_PREFIX } from '../../git/repository.js';
import { KNOWLEDGE_KINDS } from '../../knowledge/kinds.js';
import { selectorsInUse, sharedRepository, withMeter } from '../../session/records/bring-records.js';
import { checkedAbout, countKnowledge, currentConfig } from '../../session/records/profiles.js';
import type { Session } from '../../session/session.js';
import { INDEX, KNOWLEDGE } from '../../share/notes-refs.js';
import {
  addressKey,
  chooseRemote,
  compare,
  disable,
  enable,
  type NotesSelector,
  pullNotes,
  RemoteMemory,
  readNotesFetchConfig,
} from '../../share/pull.js';
import { type Pushed, pushNotes } from '../../share/push.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import type { KnowledgeStatus, KnowledgeStatusValues } from '../knowledge/question.js';
import type { PullReport, PushReport, ShareReport, ShareValues, TransferValues } from './question.js';
import type { Verified } from './verify.js';

interface ShareOptions {
  /** Name of a configured remote; default: the current branch's, else `origin`, else the only one. */
  remote?: string;
  /** Every profile, not only the current ones. */
  all?: boolean;
  /** Only what people and agents wrote. */
  knowledge?: boolean;
  signal?: AbortSignal;
}

interface PushOptions extends ShareOptions {
  /** Sends nothing. */
  dryRun?: boolean;
  /** For pushes after a hook: a remote's denial is reported once, and not asked for again. */
  quiet?: boolean;
}

const version = { schemaVersion: 1 } as const;

const pushes =
  (knowledge: boolean) =>
  async ({ session, signal }: Asker, values: TransferValues) => ({
    ...version,
    ...(await pushIndex(session, { ...values, knowledge, signal })),
  });

const pulls =
  (knowledge: boolean) =>
  async ({ session, signal }: Asker, values: TransferValues) => ({
    ...version,
    ...(await pullIndex(session, { ...values, knowledge, signal })),
  });

/** Answers of `push` and `pull`, and of `knowledge push` and `knowledge pull`. */
export const [answerPush, answerPull] = [pushes(false), pulls(false)];
export const [answerKnowledgePush, answerKnowledgePull] = [pushes(true), pulls(true)];

const answerAction =
  (action: ShareAction) =>
  async ({ session }: Asker, { remote }: ShareValues) => ({
    ...version,
    ...(await shareIndex(session, action, remote)),
  });

/** Answers of `share enable`, `share disable` and `share status`. */
export const answerShare = {
  enable: answerAction('enable'),
  disable: answerAction('disable'),
  status: answerAction('status'),
};

const ALL: readonly NotesSelector[] = [...INDEX, ...KNOWLEDGE];

async function selectorsFor(session: Session, { all, knowledge }: ShareOptions, direction: 'push' | 'fetch') {
  if (knowledge) return KNOWLEDGE;
  return all ? ALL : [...(await selectorsInUse(session, direction)), ...KNOWLEDGE];
}

/** Throws NO_REMOTE, REMOTE_DENIED, REMOTE_UNREACHABLE, REMOTE_BUSY, GIT_FAILED, DISK or CANCELLED; no local record is lost. */
export async function pushIndex(session: Session, options: PushOptions = {}): Promise<PushReport> {
  const shared = sharedRepository(session);
  const name = await chooseRemote(shared, options.remote, 'push');
  const memory = new RemoteMemory(session.repository);
  const key = addressKey(new Remote(session.repository, session.gitConfig, name).url);
  const denied: PushReport = {
    ...{ remote: name, status: 'denied', refs: [], sent: 0, withheld: 0 },
    ...{ unseen: 0, received: 0, bytes: 0, attempts: 0 },
  };
  if (options.quiet && memory.isDenied(key)) return denied;
  try {
    const selectors = await selectorsFor(session, options, 'push');
    const pushed = await withMeter(`pushing to ${name}`, (onProgress) =>
      pushNotes(shared, name, selectors, {
        ...{ signal: options.signal, onProgress, automatic: options.quiet, dryRun: options.dryRun, describe },
      }),
    );
    if (options.dryRun) return { remote: name, ...pushed, status: pushed.sent > 0 ? 'would-send' : 'up-to-date' };
    memory.setDenied(key, false);
    // The worker of the hooks writes its own line.
    if (!options.quiet) logShared('push', name, pushed);
    return reportOf(name, pushed);
  } catch (error) {
    if (!isSocraticodeError(error, 'REMOTE_DENIED')) throw error;
    memory.setDenied(key, true);
    if (!options.quiet) throw error;
    log.warn(`${error.message}; the index stays local (git socraticode push tries again)`);
    return denied;
  }
}

/** Describes a profile from its checked fields, since a JSON text can say more than its fingerprint proves. */
function describe(profile: string, text: string): string | null {
  const about = checkedAbout(profile, text);
  return about === null ? null : canonicalJson(about);
}

function reportOf(remote: string, pushed: Pushed): PushReport {
  return { remote, status: pushed.sent > 0 ? 'sent' : 'up-to-date', ...pushed };
}

/** Throws NO_REMOTE, REMOTE_DENIED, REMOTE_UNREACHABLE, GIT_FAILED, DISK or CANCELLED. */
async function pullIndex(session: Session, options: ShareOptions = {}): Promise<PullReport> {
  const shared = sharedRepository(session);
  const remote = await chooseRemote(shared, options.remote, 'fetch');
  const selectors = await selectorsFor(session, options, 'fetch');
  const count = options.knowledge ? 0 : (await currentConfig(session)).share.verify;
  const verify = count === 0 ? null : await import('./verify.js');
  const before = await verify?.listRecords(session);
  const pulled = await withMeter(`pulling from ${remote}`, (onProgress) =>
    pullNotes(shared, remote, selectors, { signal: options.signal, onProgress }),
  );
  logShared('pull', remote, { sent: 0, ...pulled });
  const verified =
    before && pulled.received > 0 ? await verify?.verifyNew(session, before, count, options.signal) : null;
  return { remote, ...pulled, verified: verified ?? null };
}

function logShared(
  event: 'push' | 'pull',
  remote: string,
  { sent, received }: Pick<Pushed, 'sent' | 'received'>,
): void {
  if (sent + received === 0) return;
  log.event(event, `${event}: ${remote}, ${sent} records sent, ${received} received`, { remote, sent, received });
}

type ShareAction = 'enable' | 'disable' | 'status';

/** Throws NO_REMOTE or GIT_FAILED. */
async function shareIndex(session: Session, action: ShareAction, named?: string): Promise<ShareReport> {
  const shared = sharedRepository(session);
  const remote = await chooseRemote(shared, named, 'fetch');
  const change = { enable, disable, status: async () => false }[action];
  const changed = await change(shared, remote);
  const { enabled, refspec, isMirrored } = readNotesFetchConfig(shared, remote);
  const refs = await compare(shared, remote, ALL);
  return {
    ...{ remote, enabled: changed ? action === 'enable' : enabled, changed, refspec, mirrored: isMirrored },
    refs: refs.map(({ hasLocal, hasRemote, ...counts }) => ({ ...counts, local: hasLocal, tracked: hasRemote })),
  };
}

/** Nouns for one and many sent entries, and messages for a remote that has none, and for a push where there are none here. */
const RECORDS = [
  ...(['record', 'records', 'it has no index for this version and these settings'] as const),
  'nothing to send, as nothing is indexed here yet: git socraticode index, then push again',
] as const;
const ENTRIES = [
  ...(['entry', 'entries', 'it has no notes, tasks or tags'] as const),
  'nothing to send, as there are no notes, tasks or tags here',
] as const;
type Nouns = typeof RECORDS | typeof ENTRIES;

/** `origin: 3,764 records sent, 1.2 MB; 12 withheld, as no branch or tag of origin has what they are about` */
const pushTextOf =
  ([one, many, , nothing]: Nouns) =>
  ({ remote, status, sent, bytes, withheld, unseen, received, attempts }: PushReport): string => {
    // The remote is not even asked where nothing here could be sent.
    if (status === 'up-to-date' && attempts === 0) return `${remote}: ${nothing}\n`;
    const verb = status === 'would-send' ? 'would be sent' : 'sent';
    const clauses = [
      sent > 0
        ? `${formatCount(sent, one, many)} ${verb}, ${formatBytes(bytes)}`
        : unseen > 0
          ? 'nothing sent'
          : 'up to date',
    ];
    if (received > 0) clauses.push(`${groupDigits(received)} received`);
    if (withheld > 0) {
      const known = unseen > 0 ? 'known ' : '';
      const about = withheld === 1 ? 'what it is about' : 'what they are about';
      clauses.push(`${groupDigits(withheld)} withheld, as no ${known}branch or tag of ${remote} has ${about}`);
      if (unseen > 0)
        clauses.push(
          `this clone lacks ${groupDigits(unseen)} of its branches and tags: git fetch ${shellWord(remote)}, then push again`,
        );
    }
    if (attempts > 1) clauses.push(`${attempts} attempts, as others were pushing`);
    return `${remote}: ${clauses.join('; ')}\n`;
  };

const pullTextOf =
  ([one, many, none]: Nouns) =>
  ({ remote, received, refs, verified }: PullReport): string => {
    const news = received > 0 ? `${formatCount(received, one, many)} received` : refs.length > 0 ? 'nothing new' : none;
    return `${remote}: ${news}${verified === null ? '' : verifiedClause(verified)}\n`;
  };

function verifiedClause({ equal, different, notComparable }: Verified): string {
  const of = equal + different.length + notComparable;
  return `; ${formatCount(of, 'record')} derived again, ${different.length === 0 ? 'none differs' : `${groupDigits(different.length)} false`}`;
}

export const [pushText, pullText] = [pushTextOf(RECORDS), pullTextOf(RECORDS)];
export const [entriesPushText, entriesPullText] = [pushTextOf(ENTRIES), pullTextOf(ENTRIES)];

export function shareText({ remote, enabled, changed, mirrored, refs }: ShareReport): string {
  const effect = `${changed ? 'now ' : ''}${enabled ? 'brings the index' : 'leaves the index alone'}`;
  // Joined, since this is no command to type.
  const lines = [[`${remote}: git fetch`, effect].join(' ')];
  if (mirrored) {
    lines.push(`  it maps the notes of ${remote} onto the local ones: fetching drops records that were not pushed`);
  }
  for (const { ref, ahead, behind, local, tracked } of refs) {
    const where = local ? (tracked ? 'on both sides' : 'only here') : `only on ${remote}`;
    const counts = `${formatCount(ahead, 'record')} to push, ${groupDigits(behind)} to pull`;
    lines.push(`  ${ref}: ${where}, ${counts}`);
  }
  return `${lines.join('\n')}\n`;
}

type Counts = KnowledgeStatus['kinds'][number];

/** Throws NO_REMOTE for an unknown remote. */
export async function answerKnowledgeStatus(
  { session }: Asker,
  values: KnowledgeStatusValues,
): Promise<KnowledgeStatus> {
  const shared = sharedRepository(session);
  const choosing = chooseRemote(shared, values.remote, 'fetch');
  const remote = values.remote === undefined ? await choosing.catch(() => null) : await choosing;
  const kinds = new Map<string, Counts>();
  const countsOf = (kind: string): Counts => {
    const counts = kinds.get(kind) ?? { kind, shared: 0, own: 0, ahead: 0, behind: 0 };
    kinds.set(kind, counts);
    return counts;
  };
  for (const { kind, shared: sent, own } of await countKnowledge(session))
    Object.assign(countsOf(kind), { shared: sent, own });
  for (const { ref, ahead, behind } of remote === null ? [] : await compare(shared, remote, KNOWLEDGE)) {
    const counts = countsOf(ref.slice(NOTES_PREFIX.length + 1).split('/')[0]);
    counts.ahead += ahead;
    counts.behind += behind;
  }
  const known = [...kinds.values()].sort((a, b) => KNOWLEDGE_KINDS.indexOf(a.kind) - KNOWLEDGE_KINDS.indexOf(b.kind));
  return { schemaVersion: 1, remote, kinds: known };
}

export function knowledgeStatusText({ remote, kinds }: KnowledgeStatus): string {
  if (kinds.length === 0) return 'nobody has written anything yet\n';
  const lines = kinds.map(({ kind, shared, own, ahead, behind }) => {
    const here = `${formatCount(shared, 'shared entry', 'shared entries')}, ${groupDigits(own)} only in this clone`;
    const there = remote === null ? '' : `; ${groupDigits(ahead)} to push, ${groupDigits(behind)} to pull`;
    return `${kind}: ${here}${there}`;
  });
  if (remote !== null) lines.push(`compared with ${remote} as of the last fetch`);
  return `${lines.join('\n')}\n`;
}
