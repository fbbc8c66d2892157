/** `fsck`: is what the index says true? Reads only, unless it is told to repair. */
import { standingAt } from '../../base/atomic.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { type CheckedAll, type CheckRequest, checkAll, withCheck } from './check-all.js';
import type { FsckReport } from './output.js';
import type { FsckValues } from './question.js';
import type { Sample } from './rederive.js';
import { repairAll } from './repair/repair.js';

export interface FsckRequest {
  /** Number of records to derive again, or all of them. */
  rederive?: Sample;
  /** Only this profile; with `repair` its records may be taken out, too, if it is not the one in use. */
  profile?: string;
  repair?: boolean;
  /** Only what people and agents wrote. */
  knowledge?: boolean;
  signal?: AbortSignal;
}

/** Throws what `fsck` throws. */
export async function answerKnowledgeFsck({ session, signal }: Asker, { repair }: Pick<FsckValues, 'repair'>) {
  return { schemaVersion: 1 as const, ...(await fsck(session, { repair, knowledge: true, signal })) };
}

/** Throws what `fsck` throws. */
export async function answerFsck({ session, signal }: Asker, { rederive, profile, repair }: FsckValues) {
  const report = await fsck(session, { rederive: sampleSize(rederive), profile, repair, signal });
  return { schemaVersion: 1 as const, ...report };
}

function sampleSize(text: string | undefined): Sample | undefined {
  return text === undefined || text === 'all' ? text : Number(text);
}

/** A writer that publishes meanwhile makes files disappear that were just listed. */
const ATTEMPTS = 3;

/**
 * Throws GIT_FAILED, BAD_CONFIG, CANCELLED: then nothing is known. With `repair` also LOCKED and DISK; what was repaired
 * until then stays repaired.
 */
export async function fsck(session: Session, { repair, ...request }: FsckRequest = {}): Promise<FsckReport> {
  const started = performance.now();
  const first = repair ? await repairAll(session, request) : null;
  const all = await checkCalmly(session, first === null ? request : { ...request, rederive: undefined });
  const { findings, counts } = all.check;
  return {
    ok: findings.faults === 0,
    indexed: counts.refs > 0 || standingAt(session.shards.directory) !== undefined,
    checked: counts,
    rederived: first?.rederived ?? all.rederived,
    findings: [...findings.list],
    counts: findings.counts,
    repaired: first?.repaired ?? null,
    ms: Math.round(performance.now() - started),
  };
}

async function checkCalmly(session: Session, request: CheckRequest): Promise<CheckedAll> {
  for (let attempt = 1; ; attempt++) {
    const version = session.shards.version();
    const all = await withCheck(session, request, (check) => checkAll(check, request));
    const isMoved = session.shards.version() !== version;
    if (!isMoved || all.check.findings.faults === 0 || attempt >= ATTEMPTS) return all;
  }
}
