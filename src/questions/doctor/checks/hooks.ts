/** The hooks: which are there, whether they find the program, and how the last run ended. */
import { statSync } from 'node:fs';
import { localStateDirectory } from '../../../git/repository.js';
import { INDEX_EVENTS } from '../../../hooks/events.js';
import { readHookLog } from '../../../hooks/log.js';
import { HookQueue } from '../../../hooks/queue.js';
import { readHookState } from '../../../hooks/state.js';
import type { Session } from '../../../session/session.js';
import { readHooksStatus } from '../../hooks/answer.js';
import type { HooksStatus } from '../../hooks/output.js';
import { type Check, count, type Finding, fine, wrong } from '../check.js';

const INSTALL = 'git socraticode hooks install';
/** A worker starts within a second. */
const WAITING_MS = 60_000;
const OFFERED = `not installed: ${INSTALL} keeps the index ready`;

/** In one line. */
export async function summariseHooks({ repository, gitConfig }: Session): Promise<Check> {
  const { installed, path } = await readHookState(repository, gitConfig);
  return fine(installed ? `installed (${path})` : OFFERED);
}

export async function checkHooks(session: Session): Promise<Finding[]> {
  const status = await readHooksStatus(session);
  const by = { ...fine(status.manager === 'files' ? (status.directory ?? 'unknown') : status.manager), name: 'run by' };
  const isOurs = ({ state }: HooksStatus['hooks'][number]) => state === 'installed' || state === 'outdated';
  if (!status.hooks.some(isOurs)) {
    const why = status.refusal === null ? OFFERED : `cannot be installed: ${status.refusal}`;
    return [by, fine(why), ...work(session, status)];
  }
  return [by, ...events(status), program(status), ...work(session, status)];
}

function events({ hooks, manager, managerFile }: HooksStatus): Finding[] {
  const add =
    manager === 'lefthook' || manager === 'pre-commit' ? `${INSTALL} says what to add to ${managerFile}` : INSTALL;
  return hooks.flatMap(({ event, state, path }): Finding[] => {
    const facts = { state, path };
    if (state === 'installed') return [{ ...fine('installed'), name: event, facts }];
    if (state === 'outdated') return [{ ...wrong('of another version', add), name: event, facts }];
    // Sharing is a choice of its own.
    if (!(INDEX_EVENTS as readonly string[]).includes(event)) return [];
    const what = state === 'foreign' ? `${path} does not call us` : 'absent';
    return [{ ...wrong(what, add), name: event, facts }];
  });
}

function program({ tool, fallback }: HooksStatus): Finding {
  const name = 'program';
  if (tool !== null) return { ...fine(tool), name };
  if (fallback !== null) return { ...fine(`not on PATH; the hooks call ${fallback}`), name };
  return { ...wrong('not found on PATH: the hooks do nothing', `Put it on PATH, or run ${INSTALL} again.`), name };
}

/** Events that wait, and the outcome of the last ones. */
function work(session: Session, { worker, queued, log }: HooksStatus): Finding[] {
  const state = localStateDirectory(session.repository);
  const findings: Finding[] = [];
  const since = statSync(new HookQueue(state).path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (queued > 0) {
    const text = `${count(queued, 'event')} ${queued === 1 ? 'waits' : 'wait'}`;
    const isStuck = worker === null && Math.abs(Date.now() - since) > WAITING_MS;
    const check = isStuck
      ? wrong(`${text}, and nobody serves them`, 'The next commit, or git socraticode index, makes up for it.')
      : fine(text);
    findings.push({ ...check, name: 'queue' });
  }
  const last = readHookLog(state, 1)[0];
  if (last !== undefined) {
    const text = `${last.time} ${last.message}`;
    const check =
      last.level === 'error' ? wrong(text, 'git socraticode index shows whether it fails still.') : fine(text);
    findings.push({ ...check, name: 'last run' });
  }
  if (log.output.length > 0)
    findings.push({
      ...wrong(`the last worker could not run: ${log.output.slice(0, 3).join(' ')}`, `Install again, then ${INSTALL}.`),
      name: 'worker',
    });
  return findings;
}
