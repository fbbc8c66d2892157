/**
 * Tasks: each is a log of operations in a ref of its own, as git-bug keeps bugs. An operation has a Lamport clock, one more than the
 * highest that its author had seen. Operations are ordered by clock and id, so that every clone with the same operations sees the same
 * task, and simultaneous changes of two clones are in the log of both.
 */
import { randomBytes } from 'node:crypto';
import { bytesOf, type CborValue, corrupt } from '../record/cbor.js';
import {
  type Claim,
  countField,
  type Entry,
  type EntryKind,
  MAX_TEXT,
  oidBytes,
  oidField,
  optional,
  textField,
  wordField,
} from './entry.js';
import { TASKS_KIND } from './kinds.js';

export const TASK_STATUSES = ['todo', 'in-progress', 'blocked', 'done', 'dropped'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const MAX_TITLE = 200;
export const MAX_LINK = 1_024;
/** Links of one operation. */
export const MAX_LINKS = 20;
const NONCE_BYTES = 8;
const MAX_CLOCK = 0xffff_ffff;
/**
 * Largest step of a clock. An operation with a clock further ahead of all others does not count: a forged one would otherwise come after
 * all later ones for ever.
 */
const MAX_JUMP = 1_000;

export const LINK_KINDS = ['branch', 'commit', 'plan'] as const;

/** A branch by name, a commit by id, or the path of a planning document. */
export interface TaskLink {
  kind: (typeof LINK_KINDS)[number];
  to: string;
}

/** Fields that an operation changes. The first operation of a task has a title. */
export interface TaskChange {
  title?: string;
  description?: string;
  status?: TaskStatus;
  /** Text added to the notes of the task. */
  note?: string;
  links?: readonly TaskLink[];
  unlinks?: readonly TaskLink[];
}

export interface TaskOperation extends TaskChange {
  clock: number;
  /** Random, so that two clones that do the same at once both have done it. */
  nonce: string;
}

export const TASKS: EntryKind<TaskOperation> = {
  name: TASKS_KIND,
  fields: ['clock', 'nonce', 'title', 'description', 'status', 'note', 'links', 'unlinks'],
  write({ clock, nonce, title, description, status, note, links, unlinks }): { readonly [field: string]: CborValue } {
    return {
      ...{ clock, nonce: Buffer.from(nonce, 'hex') },
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
      ...(note !== undefined && { note }),
      ...(links !== undefined && { links: links.map(writeLink) }),
      ...(unlinks !== undefined && { unlinks: unlinks.map(writeLink) }),
    };
  },
  read({ clock, nonce, title, description, status, note, links, unlinks }) {
    const random = bytesOf(nonce, 'the nonce');
    if (random.length !== NONCE_BYTES) corrupt('the nonce has another length');
    const change = {
      title: optional(title, (value) => textField(value, MAX_TITLE, 'the title')),
      description: optional(description, (value) => textField(value, MAX_TEXT, 'the description', 0)),
      status: optional(status, (value) => wordField(value, TASK_STATUSES, 'the status')),
      note: optional(note, (value) => textField(value, MAX_TEXT, 'the note')),
      links: optional(links, readLinks),
      unlinks: optional(unlinks, readLinks),
    };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    return { clock: countField(clock, MAX_CLOCK, 'the clock'), nonce: Buffer.from(random).toString('hex'), ...given };
  },
  reveals({ links = [], unlinks = [] }) {
    const all = [...links, ...unlinks];
    const of = (kind: TaskLink['kind']) => all.flatMap((link) => (link.kind === kind ? [link.to] : []));
    return { objects: of('commit'), branches: of('branch') };
  },
};

function writeLink({ kind, to }: TaskLink): CborValue {
  return [kind, kind === 'commit' ? oidBytes(to) : to];
}

function readLinks(value: unknown): TaskLink[] {
  if (!Array.isArray(value) || value.length > MAX_LINKS) corrupt('the links are no list, or too many');
  return value.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2) corrupt('a link is no pair');
    const kind = wordField(pair[0], LINK_KINDS, 'a link');
    return { kind, to: kind === 'commit' ? oidField(pair[1], 'a commit') : textField(pair[1], MAX_LINK, 'a link') };
  });
}

/** A change of a task, in the order of the log. */
export type TaskEvent = Claim & { id: string; change: TaskChange };

export interface Task {
  /** Id of the operation that created the task. */
  id: string;
  title: string;
  description: string;
  status: TaskStatus;
  links: TaskLink[];
  created: Claim;
  updated: Claim;
  events: TaskEvent[];
  clock: number;
}

/** Returns the operations that count, in their total order. */
export function inOrder(operations: Iterable<Entry<TaskOperation>>): Entry<TaskOperation>[] {
  const sorted = [...operations].sort((a, b) => a.body.clock - b.body.clock || (a.id < b.id ? -1 : 1));
  const cut = sorted.findIndex(({ body }, i) => body.clock > (sorted[i - 1]?.body.clock ?? 0) + MAX_JUMP);
  return cut < 0 ? sorted : sorted.slice(0, cut);
}

/** Builds a task from its log; null if the operation that created it is missing. */
export function taskOf(id: string, operations: Iterable<Entry<TaskOperation>>): Task | null {
  const ordered = inOrder(operations);
  const first = ordered.find((operation) => operation.id === id);
  if (first?.body.title === undefined) return null;
  const links = new Map<string, TaskLink>();
  const task: Task = {
    ...{ id, title: first.body.title, description: '', status: 'todo', links: [], events: [], clock: 0 },
    ...{ created: claimOf(first), updated: claimOf(first) },
  };
  for (const operation of ordered) {
    const { clock, nonce: _, ...change } = operation.body;
    task.title = change.title ?? task.title;
    task.description = change.description ?? task.description;
    task.status = change.status ?? task.status;
    for (const link of change.links ?? []) links.set(`${link.kind} ${link.to}`, link);
    for (const link of change.unlinks ?? []) links.delete(`${link.kind} ${link.to}`);
    task.events.push({ ...claimOf(operation), id: operation.id, change });
    task.updated = claimOf(operation);
    task.clock = clock;
  }
  return { ...task, links: [...links.values()] };
}

const claimOf = ({ author, time }: Claim): Claim => ({ author, time });

/** Makes the next operation on a task, or the first one of a new task. */
export function operationAfter(task: Task | null, change: TaskChange): TaskOperation {
  return { clock: (task?.clock ?? 0) + 1, nonce: randomBytes(NONCE_BYTES).toString('hex'), ...change };
}
