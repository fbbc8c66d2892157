/** `git socraticode watch` */
import { fstatSync } from 'node:fs';
import { Command } from 'commander';
import { safeJson, visibleText } from '../../base/hygiene.js';
import type { WatchEvent } from '../../questions/watch/output.js';
import { formatCount, formatSeconds } from '../../questions/writing/format.js';
import type { CommandContext } from '../context.js';
import type { Io } from '../io.js';

export function watchCommand(context: CommandContext): Command {
  return new Command('watch')
    .description('keep the index and what is not committed ready while you work; ends with its parent')
    .option('--json', 'print a JSON document on stdout at every refresh')
    .action((options: { json?: boolean }) => run(context, options));
}

async function run({ io, directory }: CommandContext, { json }: { json?: boolean }): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const { watchWorkTree } = await import('../../questions/watch/watch-work-tree.js');
  const cancel = new AbortController();
  const release = onEnd(io, () => cancel.abort());
  try {
    const session = await Session.open({ directory: directory() });
    const print = printer(io, json ?? false);
    try {
      const end = await watchWorkTree(session, { onEvent: print, signal: cancel.signal });
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

/** Calls `stop` at the first sign that nobody needs this process any more; returns what stops listening. */
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

/** Whoever holds the other end of a pipe closes it when they end; a terminal or /dev/null says nothing. */
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
