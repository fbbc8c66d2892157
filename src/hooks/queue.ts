/**
 * Events that no worker has seen yet: a file that hooks append to (`hooks/shim.sh` writes the same format), one record
 * an event: its name, the process that pushes, the hook's first argument, a newline, the directory, and a NUL.
 */
import { renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type HookEvent, isHookEvent } from './events.js';
import { appendPlain, kindOf, readPlain } from './files.js';

export interface QueuedEvent {
  event: HookEvent;
  /** Absolute path of the work tree (of the git directory in a bare repository). */
  directory: string;
  /** For a push: the process to wait for, 0 if nobody knows; and the remote's name or address. */
  pusher: number;
  argument: string;
}

/** What a shim writes that serves several events: how many arguments it got says which one it was. */
const BY_ARGUMENTS: Record<string, HookEvent> = {
  'post-event-0': 'post-commit',
  'post-event-1': 'post-merge',
  'post-event-3': 'post-checkout',
};

/** 50,000 events of a storm fit; a longer file is not ours. */
const MAX_QUEUE_BYTES = 16 << 20;

export class HookQueue {
  readonly path: string;
  /** What a worker took and has not finished; a killed one leaves it to the next. */
  private readonly taken: string;
  /** Present between the start of a worker and its first step, so that a storm starts one. */
  private readonly starting: string;

  constructor(readonly state: string) {
    this.path = join(state, 'hook.queue');
    this.taken = join(state, 'hook.taken');
    this.starting = join(state, 'hook.starting');
  }

  add({ event, pusher, argument, directory }: QueuedEvent): void {
    appendPlain(this.path, `${event} ${pusher} ${argument.replaceAll('\n', ' ')}\n${directory}\0`);
  }

  /** Changes with every event. */
  version(): string {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.size}`;
  }

  isEmpty(): boolean {
    return kindOf(this.path) !== 'file' && kindOf(this.taken) !== 'file';
  }

  /** The events so far, in order; the queue is empty afterwards. `done` forgets them. */
  take(): QueuedEvent[] {
    const left = this.read(this.taken);
    if (kindOf(this.path) === 'file') renameSync(this.path, this.taken);
    return [...left, ...this.read(this.taken)];
  }

  peek(): QueuedEvent[] {
    return [...this.read(this.taken), ...this.read(this.path)];
  }

  done(): void {
    rmSync(this.taken, { force: true });
  }

  /** Hooks may start a worker again, should this one turn out not to be the one. */
  announceStart(): void {
    try {
      rmdirSync(this.starting);
    } catch {
      // Started by hand.
    }
  }

  private read(path: string): QueuedEvent[] {
    const bytes = readPlain(path, MAX_QUEUE_BYTES);
    return bytes === null ? [] : bytes.toString('utf8').split('\0').flatMap(parse);
  }
}

function parse(record: string): QueuedEvent[] {
  const match = /^(\S+) (\d+) ([^\n]*)\n(.+)$/s.exec(record);
  if (match === null) return [];
  const [, name, pusher, argument, directory] = match;
  const rewritten = name === 'post-event-1' && (argument === 'amend' || argument === 'rebase');
  const event = rewritten ? 'post-rewrite' : (BY_ARGUMENTS[name] ?? name);
  if (!isHookEvent(event) || !isAbsolute(directory)) return [];
  return [{ event, directory, pusher: Number(pusher), argument }];
}
