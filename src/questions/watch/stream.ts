/** `watch` on the command line: prints a line at every refresh, until its parent ends. */
import { fstatSync } from 'node:fs';
import { safeJson, visibleText } from '../../base/hygiene.js';
import { Session } from '../../session/session.js';
import type { Asker, CommandSide, Io } from '../asker.js';
import { formatCount, formatSeconds } from '../writing/format.js';
import type { WatchEvent } from './output.js';
import { watchWorkTree } from './watch-work-tree.js';

export async function streamWatch({ directory, command }: Asker): Promise<void> {
  const { io, json } = command as CommandSide;
  const cancel = new AbortController();
  // Before the repository is opened, since the parent may end meanwhile.
  const release = onEnd(io, () => cancel.abort());
  try {
    const session = await Session.open({ directory });
    try {
      const end = await watchWorkTree(session, { onEvent: printer(io, json), signal: cancel.signal });
      if (end.reason === 'busy')
        io.stderr.write(`process ${end.pid ?? 'unknown'} is watching this work tree already\n`);
      if (end.reason === 'gone') io.stderr.write('the repository is gone\n');
    } finally {
      session.close();
    }
  } finally {
    release();
  }
}

const PARENT_MS = 1_000;

/** Calls `stop` when this process is no longer needed; returns a function that stops listening. */
function onEnd(io: Io, stop: () => void): () => void {
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) stop();
  }, PARENT_MS);
  timer.unref();
  const piped = isPipe();
  if (piped) io.stdin.once('end', stop).once('error', stop).resume();
  return () => {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
    clearInterval(timer);
    if (piped) {
      io.stdin.off('end', stop).pause();
      (io.stdin as Partial<NodeJS.ReadStream>).destroy?.();
    }
  };
}

/** A pipe is closed when the process at its other end ends; a terminal or /dev/null tells nothing. */
function isPipe(): boolean {
  try {
    const stat = fstatSync(0);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

/** The first failures are shown, then every hundredth: a full disk fails at every save. */
const SHOWN_FAILURES = 3;
const FAILURE_STEP = 100;

function printer(io: Io, json: boolean): (event: WatchEvent) => void {
  let failures = 0;
  return (event) => {
    if (event.event === 'failed' && ++failures > SHOWN_FAILURES && failures % FAILURE_STEP !== 0) return;
    if (json) io.stdout.write(`${safeJson(event)}\n`);
    else io.stderr.write(`${visibleText(lineOf(event))}\n`);
  };
}

function lineOf({ event, commit, parsed, dirty, overlay, ms, error }: WatchEvent): string {
  if (event === 'failed') return `failed: ${error ?? 'unknown'}`;
  const head = commit === null ? 'no commit yet' : commit.slice(0, 9);
  const what = parsed === null ? '' : `, ${formatCount(parsed, 'new blob')}`;
  const files =
    dirty === 0 ? 'nothing uncommitted' : `${overlay} of ${formatCount(dirty, 'uncommitted file')} searchable`;
  return `${head}${what}: ${files} (${formatSeconds(ms)})`;
}
