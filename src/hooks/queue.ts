/**
 * Queue of events for the worker: a file that hooks append to. `hooks/shim.sh` writes the same format. One record is a NUL, the event's
 * name, the process that pushes, the hook's first argument, a newline, the directory, and a NUL. The leading NUL separates a record from
 * one that a full disk cut short, so that only the damaged one is lost.
 */
import { lstatSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { writeStateFile } from '../base/atomic.js';
import { type LogData, type LogLine, log, readLog } from '../base/log.js';
import { visibleLine } from '../base/printable.js';
import { appendPlain, kindOf, readPlain } from './hooks-path.js';
import { type HookEvent, isHookEvent } from './installed.js';

export interface QueuedEvent {
  event: HookEvent;
  /** Absolute path of the work tree (of the git directory in a bare repository). */
  directory: string;
  /** For a push, the process to wait for; 0 if unknown. */
  pusher: number;
  /** First argument of the hook; for a push, the remote's name or address. */
  argument: string;
}

/** Events by the name that a shim for several events writes. It ends with the number of arguments, by which the event is recognised. */
const BY_ARGUMENTS: Record<string, HookEvent> = {
  'post-event-0': 'post-commit',
  'post-event-1': 'post-merge',
  'post-event-3': 'post-checkout',
};

/** Limit on the size of a queue, enough for 50,000 events. A larger file was not written by our hooks and is not read. */
const MAX_QUEUE_BYTES = 16 << 20;

export class HookQueue {
  readonly path: string;
  /** Events that a worker took and has not finished. The next worker finishes those of a killed one. */
  private readonly taken: string;
  /** Directory that exists from the start of a worker until its first step, so that many events at once start one worker. */
  private readonly starting: string;

  /** Pushes that are not over, in the same format. They wait for up to half an hour, and a worker may not live so long. */
  private readonly pushes: string;

  /** Bytes of the taken file that this worker has read. */
  private served = 0;

  constructor(readonly state: string) {
    this.path = join(state, 'hook.queue');
    this.taken = join(state, 'hook.taken');
    this.pushes = join(state, 'hook.pushes');
    this.starting = join(state, 'hook.starting');
  }

  add(added: QueuedEvent): void {
    clearTheWay(this.path);
    appendPlain(this.path, recordOf(added));
  }

  /** Returns a string that changes with every event. */
  version(): string {
    const stat = statSync(this.path, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino} ${stat.size}`;
  }

  isEmpty(): boolean {
    return kindOf(this.path) !== 'file' && kindOf(this.taken) !== 'file';
  }

  /**
   * Takes the next events, in order. Events that a killed worker took come first and alone, so that no file with events is ever replaced.
   * They stay in the taken file until `done`.
   */
  take(): QueuedEvent[] {
    for (const path of [this.taken, this.path]) clearTheWay(path);
    if (kindOf(this.taken) !== 'file') {
      this.served = 0;
      if (kindOf(this.path) !== 'file') return [];
      renameSync(this.path, this.taken);
    }
    const bytes = readPlain(this.taken, MAX_QUEUE_BYTES);
    const fresh = bytes?.subarray(this.served) ?? Buffer.alloc(0);
    this.served = bytes?.length ?? sizeOf(this.taken);
    return parseAll(fresh.toString('utf8'));
  }

  peek(): QueuedEvent[] {
    return [...this.read(this.taken), ...this.read(this.path)];
  }

  /**
   * Deletes the taken events except `waiting`, with which the next worker begins if this one is killed. If a hook opened the file before
   * it was taken and has appended to it since, the next `take` returns only that.
   */
  done(waiting: readonly QueuedEvent[] = []): void {
    this.keepWaiting(waiting);
    if (sizeOf(this.taken) === this.served) rmSync(this.taken, { force: true });
  }

  /** Returns pushes that a worker took and that were not over. */
  waiting(): QueuedEvent[] {
    clearTheWay(this.pushes);
    return this.read(this.pushes);
  }

  keepWaiting(events: readonly QueuedEvent[]): void {
    if (events.length === 0) rmSync(this.pushes, { recursive: true, force: true });
    else writeStateFile(this.pushes, events.map(recordOf).join(''));
  }

  /** Removes the start mark, so that hooks can start another worker if this one does not get the lock. */
  announceStart(): void {
    try {
      rmdirSync(this.starting);
    } catch {
      // There is no mark if a user started the worker.
    }
  }

  private read(path: string): QueuedEvent[] {
    const bytes = readPlain(path, MAX_QUEUE_BYTES);
    return bytes === null ? [] : parseAll(bytes.toString('utf8'));
  }
}

/** Deletes a link or directory in place of the file: it would keep hooks from queueing events and workers from reading them. */
function clearTheWay(path: string): void {
  if (kindOf(path) !== 'file') rmSync(path, { recursive: true, force: true });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

const recordOf = ({ event, pusher, argument, directory }: QueuedEvent): string =>
  `\0${event} ${pusher} ${argument.replaceAll('\n', ' ')}\n${directory}\0`;

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

/**
 * File that `hooks/shim.sh` redirects the worker's stdout and stderr to, created anew for every worker. It is empty unless node failed to
 * start.
 */
const OUTPUT = 'hook.stderr';
/** Enough for a stack trace or the message of an exhausted heap. */
const MAX_OUTPUT_BYTES = 1 << 20;
const MAX_OUTPUT_LINES = 20;
const EVENT = 'hook';

export function writeHookLog(text: string, data: LogData, failed: boolean): void {
  log.event(EVENT, text, data, failed ? 'error' : 'info');
}

/** Returns the last log lines of workers, oldest first. */
export function readHookLog(state: string, count: number): LogLine[] {
  return readLog(state, count, ({ event }) => event === EVENT);
}

/** Returns the first 20 lines that the last worker printed; the cause of a failure comes first. */
export function readOutput(state: string): string[] {
  const text = readPlain(join(state, OUTPUT), MAX_OUTPUT_BYTES)?.toString('utf8') ?? '';
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, MAX_OUTPUT_LINES)
    .map(visibleLine);
}

/** Deletes the output file of a worker that printed nothing. */
export function removeEmptyOutput(state: string): void {
  try {
    const path = join(state, OUTPUT);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isFile() && stat.size === 0) rmSync(path, { force: true });
  } catch {
    // The directory may be read-only; the next worker tries again.
  }
}
