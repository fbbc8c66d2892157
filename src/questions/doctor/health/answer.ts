/** The health check of agents: `doctor` in eleven lines, with the embedder asked. */

import type { Session } from '../../../session/session.js';
import type { Asker } from '../../asker.js';
import { attempt, type Check, fine } from '../check.js';
import { summariseHooks } from '../checks/hooks.js';
import { checkCoverage, checkEmbedder } from '../checks/indexed.js';
import { checkLocks } from '../checks/locks.js';
import { checkGit, checkGrammars, checkNode, checkParser, checkVectors } from '../checks/program.js';
import { checkDisk } from '../checks/repository.js';
import type { HealthCheck, HealthReport } from './output.js';

export const answerHealth = ({ session, signal }: Asker) => readHealth(session, signal);

/** Indexes nothing, sends no source text. */
export async function readHealth(session: Session, signal?: AbortSignal): Promise<HealthReport> {
  const origin = await attempt(() => session.origin(undefined, { unborn: true }));
  const config =
    'failed' in origin ? origin : await attempt(async () => (await session.configOfOrigin(origin.value)).config);
  const settled = async (name: HealthCheck['name'], check: () => Check | Promise<Check>): Promise<HealthCheck> => {
    const found = await attempt(check);
    const { ok, detail, hint } = 'failed' in found ? found.failed : found.value;
    return { name, ok, detail, hint };
  };
  const checks = await Promise.all([
    settled('node', checkNode),
    settled('git', () => checkGit(session.repository.git)),
    settled('configuration', () => ('failed' in config ? config.failed : fine('valid'))),
    settled('parser', checkParser),
    settled('grammars', checkGrammars),
    settled('vectors', checkVectors),
    settled('embedder', () => ('failed' in config ? unknown : checkEmbedder(session, config.value, signal))),
    settled('disk', () => checkDisk(session)),
    settled('locks', () => checkLocks(session)),
    settled('index', () => ('failed' in origin || 'failed' in config ? unknown : checkCoverage(session, origin.value))),
    settled('hooks', () => summariseHooks(session)),
  ]);
  return { schemaVersion: 1, ok: checks.every(({ ok }) => ok), checks };
}

const unknown = fine('not known without a valid configuration');
