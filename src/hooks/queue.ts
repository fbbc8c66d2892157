/**
 * Events that no worker has seen yet: a file that hooks append to (`hooks/shim.sh` writes the same format), one record
 * an event: its name, the process that pushes, the hook's first argument, a newline, the directory, and a NUL. Another NUL
 * stands before it: an event that a full disk cut short takes no other one with it.
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

  /** Bytes of what was taken. */
  private served = 0;

  constructor(readonly state: string) {
    this.path = join(state, 'hook.queue');
    this.taken = join(state, 'hook.taken');
    this.starting = join(state, 'hook.starting');
  }

  add({ event, pusher, argument, directory }: QueuedEvent): void {
    clearTheWay(this.path);
    appendPlain(this.path, `\0${event} ${pusher} ${argument.replaceAll('\n', ' ')}\n${directory}\0`);
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
    for (const path of [this.taken, this.path]) clearTheWay(path);
    const left = readPlain(this.taken, MAX_QUEUE_BYTES)?.toString('utf8') ?? '';
    const isNew = kindOf(this.path) === 'file';
    if (isNew) renameSync(this.path, this.taken);
    const size = sizeOf(this.taken);
    const events = this.read(this.taken);
    this.served = size;
    if (!isNew || left === '') return events;
    // This worker may be killed with it as well.
    appendPlain(this.taken, left);
    this.served += Buffer.byteLength(left);
    return [...parseAll(left), ...events];
  }

  peek(): QueuedEvent[] {
    return [...this.read(this.taken), ...this.read(this.path)];
  }

  /** A hook that had opened the file before it was taken may have written since: then it is to be taken again. */
  done(): void {
    if (sizeOf(this.taken) === this.served) rmSync(this.taken, { force: true });
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
    return bytes === null ? [] : parseAll(bytes.toString('utf8'));
  }
}

/** What somebody packed there in place of a file would keep hooks from queueing and every worker from its work. */
function clearTheWay(path: string): void {
  if (kindOf(path) !== 'file') rmSync(path, { recursive: true, force: true });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const parseAll = (text: string): QueuedEvent[] => text.split('\0').flatMap(parse);

function parse(record: string): QueuedEvent[] {
  const match = /^(\S+) (\d+) ([^\n]*)\n(.+)$/s.exec(record);
  if (match === null) return [];
  const [, name, pusher, argument, directory] = match;
  const rewritten = name === 'post-event-1' && (argument === 'amend' || argument === 'rebase');
  const event = rewritten ? 'post-rewrite' : (BY_ARGUMENTS[name] ?? name);
  if (!isHookEvent(event) || !isAbsolute(directory)) return [];
  return [{ event, directory, pusher: Number(pusher), argument }];
}
