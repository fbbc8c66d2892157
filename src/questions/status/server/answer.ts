/** `status` as a server gives it: with what runs in the background. */

import type { LastRun, RunningState } from '../../../serve/background-protocol.js';
import type { Asker, ServerSide } from '../../asker.js';
import type { ExplainResponse } from '../../explain/output.js';
import { readStatus } from '../answer.js';
import type { ServerStatusValues } from '../question.js';
import type { ServerStatus } from './output.js';

/** Throws UNKNOWN_REF. */
export async function answerServerStatus(
  at: Asker,
  { ref, path }: ServerStatusValues,
): Promise<ServerStatus | ExplainResponse> {
  if (path !== undefined) {
    const { answerExplain } = await import('../../explain/answer.js');
    return answerExplain(at, { paths: path, ref });
  }
  return statusOf(at, ref);
}

async function statusOf({ session, server }: Asker, ref: string | undefined): Promise<ServerStatus> {
  const { project } = server as ServerSide;
  const status = await readStatus(session, ref);
  const { running, queued, last } = project.background.state();
  return {
    ...status,
    background: { running: running && runningJob(running), queued, last: last && lastJob(last) },
    watches: project.watches,
  };
}

function runningJob({ kind, ref, phase, done, total }: RunningState): ServerStatus['background']['running'] {
  return { kind, ref, phase, done, total: total === 0 ? null : total };
}

function lastJob({ kind, ref, ok, error, ms, endedAt }: LastRun): ServerStatus['background']['last'] {
  const fault = error === undefined ? null : { code: error.code, message: error.message, hint: error.hint };
  return { kind, ref, ok, error: fault, ms: Math.round(ms), endedAt: new Date(endedAt).toISOString() };
}
