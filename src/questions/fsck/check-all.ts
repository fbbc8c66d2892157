/** One look at the notes and the local state, and what it found of each. */
import { isSocraticodeError } from '../../base/errors.js';
import { createProgress } from '../../base/progress.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import { KNOWLEDGE_KINDS } from '../../knowledge/kinds.js';
import { SYNTAX_KIND } from '../../record/codec.js';
import type { Session } from '../../session/session.js';
import { beginCheck, type Check } from './check.js';
import { type CheckedFiles, checkFiles } from './checks/check-files.js';
import { type CheckedNotes, checkNotes } from './checks/check-notes.js';
import { checkRefs, reportUnreadable } from './checks/check-refs.js';
import { type CheckedShards, checkShards } from './checks/check-shards.js';
import { checkVectorShapes, compareTexts } from './checks/check-vectors.js';
import { type Rederived, rederive, type Sample } from './rederive.js';

export interface CheckRequest {
  rederive?: Sample;
  profile?: string;
  /** Only what people and agents wrote. */
  knowledge?: boolean;
  signal?: AbortSignal;
}

export interface CheckedAll {
  check: Check;
  /** Notes of the refs that can be read. */
  notes: CheckedNotes[];
  /** Null where another profile was asked for. */
  local: { shards: CheckedShards; files: CheckedFiles } | null;
  rederived: Rederived | null;
}

/** Reads only. `use` is given everything; afterwards nothing more can be read. */
export async function withCheck<T>(
  session: Session,
  request: CheckRequest,
  use: (check: Check) => Promise<T>,
): Promise<T> {
  const check = await beginCheck(session, request);
  try {
    return await use(check);
  } finally {
    check.objects.close();
  }
}

export async function checkAll(check: Check, request: CheckRequest): Promise<CheckedAll> {
  const notes = await checkAllNotes(check);
  const rederived = request.rederive === undefined ? null : await rederiveAll(check, notes, request.rederive);
  const local = isLocalAsked(check) ? await checkLocal(check, notes) : null;
  return { check, notes, local, rederived };
}

export async function checkAllNotes(check: Check): Promise<CheckedNotes[]> {
  const refs = await checkRefs(check);
  const notes: CheckedNotes[] = [];
  const progress = createProgress('checking notes', 'records');
  try {
    for (const target of refs.targets) {
      try {
        notes.push(await checkNotes(check, target, progress));
      } catch (error) {
        // The latter for a tree beyond all bounds.
        if (!(isSocraticodeError(error, 'GIT_FAILED') || isSocraticodeError(error, 'BAD_ARGUMENT'))) throw error;
        reportUnreadable(check, target.ref, `its tree cannot be listed: ${error.message}`);
      }
    }
  } finally {
    progress.finish();
  }
  const { syntax, vectors } = ownNotes(notes);
  if (syntax !== null && vectors !== null) checkVectorShapes(check, vectors, syntax);
  return notes;
}

/** Refs of the profiles in use. */
function ownNotes(notes: readonly CheckedNotes[]): {
  syntax: CheckedNotes | null;
  vectors: CheckedNotes | null;
} {
  const own = notes.filter(({ isOwn, kind }) => isOwn && !KNOWLEDGE_KINDS.includes(kind));
  const syntax = own.find(({ kind }) => kind === SYNTAX_KIND) ?? null;
  return { syntax, vectors: own.find((each) => each !== syntax) ?? null };
}

/** Records of other profiles are made by other versions: nothing here makes the same. */
export async function rederiveAll(check: Check, notes: readonly CheckedNotes[], sample: Sample): Promise<Rederived> {
  const { syntax, vectors } = ownNotes(notes);
  const pool = new ParserPool();
  const progress = createProgress('deriving again', 'records');
  const none: Rederived = { of: 0, equal: 0, different: 0, notComparable: {}, vectorsCompared: 0 };
  try {
    const report = syntax === null ? none : await rederive(check, syntax, { sample, pool, progress });
    if (syntax !== null && vectors !== null)
      report.vectorsCompared = await compareTexts(check, vectors, syntax, sample);
    return report;
  } finally {
    progress.finish();
    pool.stop();
  }
}

/** Local state belongs to the profiles in use. */
export function isLocalAsked({ profile, session, vectors, knowledge }: Check): boolean {
  if (knowledge) return false;
  return profile === null || profile === session.profile || profile === vectors.profile;
}

export async function checkLocal(
  check: Check,
  notes: readonly CheckedNotes[],
): Promise<{ shards: CheckedShards; files: CheckedFiles }> {
  const progress = createProgress('checking shards', 'shards');
  try {
    const shards = await checkShards(check, ownNotes(notes).syntax, progress);
    return { shards, files: checkFiles(check, shards) };
  } finally {
    progress.finish();
  }
}
