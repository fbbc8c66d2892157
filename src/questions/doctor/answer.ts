/**
 * `doctor`: is everything there that the program needs, how is it set up here, and what should be done? Every check fails
 * alone, none writes, and other machines are asked only on request.
 */
import { isSocraticodeError } from '../../base/errors.js';
import { isVerbose, setLogLevel } from '../../base/log.js';
import { currentConfig } from '../../session/records/profile-use.js';
import { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { attempt, type DoctorCheck, fine, settle } from './check.js';
import { checkLog, checkObjects, checkState } from './checks/files.js';
import { checkHooks } from './checks/hooks.js';
import { checkCoverage, checkEmbedder, checkManifest, checkRefs, describeEmbedder } from './checks/indexed.js';
import { checkGitLocks, checkLocks } from './checks/locks.js';
import { checkProgram } from './checks/program.js';
import { checkDisk, checkFeatures, checkHead, checkPlace, diagnose } from './checks/repository.js';
import { checkArtifacts, checkSettings } from './checks/settings.js';
import { checkSharing } from './checks/sharing.js';
import type { DoctorReport } from './output.js';
import type { DoctorValues } from './question.js';

/** Throws BAD_ARGUMENT for a path that is no directory; every other fault is in the report. */
export async function answerDoctor(at: Asker, { online = false }: DoctorValues): Promise<DoctorReport> {
  const { directory, signal } = at;
  // Warnings would repeat lines of the report.
  if (!isVerbose()) setLogLevel('error');
  const opened = await openSession(directory);
  const program = checkProgram(directory ?? process.cwd());
  const session = opened instanceof Session ? opened : null;
  try {
    const rest = opened instanceof Session ? await checkRepository(opened, online, signal) : opened;
    const checks = withoutRepeats([...(await program), ...rest]);
    const repository = session === null ? null : (session.repository.workTree ?? session.repository.gitDir);
    return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), repository, online, checks };
  } finally {
    session?.close();
  }
}

/** Keeps the first of several checks that failed for the same reason: the later ones only could not find out. */
function withoutRepeats(checks: readonly DoctorCheck[]): DoctorCheck[] {
  const first = new Map<string, DoctorCheck>();
  return checks.map((check) => {
    if (check.ok) return check;
    const before = first.get(check.detail);
    if (before === undefined) first.set(check.detail, check);
    return before === undefined ? check : { ...check, ...fine(`not known: see ${before.group}, ${before.name}`) };
  });
}

/** Without a repository there is nothing wrong; with one that cannot be opened, there is. */
async function openSession(directory: string | undefined): Promise<Session | DoctorCheck[]> {
  try {
    const session = await Session.open({ directory });
    session.shards.heals = false;
    return session;
  } catch (error) {
    if (isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    return settle('repository', 'place', () => {
      const fault = diagnose(directory ?? process.cwd());
      if (fault !== null) return fault;
      if (isSocraticodeError(error, 'NOT_A_REPOSITORY') && /is not in a git repository$/.test(error.message))
        return fine('none here: only the program was checked');
      throw error;
    });
  }
}

async function checkRepository(session: Session, online: boolean, signal: AbortSignal): Promise<DoctorCheck[]> {
  const config = await attempt(() => currentConfig(session));
  // A bare repository without a commit has not even files to look at.
  const origin = session.origin(undefined, { unborn: true }).catch((error: unknown) => {
    if (isSocraticodeError(error, 'UNBORN_HEAD')) return null;
    throw error;
  });
  const coverage = async () => {
    const found = await origin;
    if (found === null) return fine('no commit yet');
    return 'failed' in config ? fine('not known without a valid configuration') : checkCoverage(session, found);
  };
  const embedder = () => {
    if ('failed' in config) return fine('not known without a valid configuration');
    return online ? checkEmbedder(session, config.value, signal) : describeEmbedder(session, config.value);
  };
  const groups = await Promise.all([
    settle('repository', 'place', () => checkPlace(session.repository)),
    settle('repository', 'HEAD', () => checkHead(session)),
    settle('repository', 'features', () => checkFeatures(session)),
    settle('repository', 'disk', () => checkDisk(session)),
    settle('configuration', 'settings', () => checkSettings(session)),
    settle('configuration', 'artifacts', async () => checkArtifacts((await origin) ?? {})),
    settle('configuration', 'embedder', embedder),
    settle('index', 'files', coverage),
    settle('index', 'shards', () => checkManifest(session)),
    settle('index', 'records', () => checkRefs(session)),
    settle('sharing', 'remote', () => checkSharing(session, online, signal)),
    settle('hooks', 'hooks', () => checkHooks(session)),
    settle('locks', 'ours', () => checkLocks(session)),
    settle('locks', 'of git', () => checkGitLocks(session)),
    settle('storage', 'objects', () => checkObjects(session)),
    settle('storage', 'local state', () => checkState(session)),
    settle('storage', 'log', () => checkLog(session)),
  ]);
  return groups.flat();
}
