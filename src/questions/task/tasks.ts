/** The tasks of a repository: one log in a ref each, and what is kept of logs so that a list need not read them again. */
import { SocraticodeError } from '../../base/errors.js';
import { NOTES_PREFIX } from '../../git/repository.js';
import type { Entry } from '../../knowledge/entry.js';
import { PRIVATE_PREFIX, TASKS_KIND } from '../../knowledge/kinds.js';
import { EntryStore } from '../../knowledge/store.js';
import { TASKS, type Task, type TaskOperation, taskOf } from '../../knowledge/task.js';
import { readCacheFile, writeCacheFile } from '../../session/history/cache-file.js';
import type { Session } from '../../session/session.js';
import { isoTime } from '../note/notes.js';
import type { TaskItem } from './output.js';

/** The commits of a task's log: shared, private, or both. */
interface TaskRefs {
  id: string;
  shared: string;
  own: string;
}

export const taskStore = ({ repository, objects }: Session, id: string): EntryStore<TaskOperation> =>
  new EntryStore({ repository, objects }, TASKS, id);

/** Lists the refs of all logs, with one git. Names of another shape are no tasks. */
export async function listTaskRefs({ repository }: Session): Promise<TaskRefs[]> {
  const prefixes = [NOTES_PREFIX, PRIVATE_PREFIX].map((prefix) => `${prefix}/${TASKS_KIND}/`);
  const text = await repository.git.text([
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    '--end-of-options',
    ...prefixes,
  ]);
  const found = new Map<string, TaskRefs>();
  for (const [, commit, ref] of text.matchAll(/^([0-9a-f]+) (\S+)$/gm)) {
    const id = ref.slice(ref.lastIndexOf('/') + 1);
    if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) continue;
    const known = found.get(id) ?? { id, shared: '', own: '' };
    found.set(id, ref.startsWith(`${NOTES_PREFIX}/`) ? { ...known, shared: commit } : { ...known, own: commit });
  }
  return [...found.values()];
}

export interface OpenTask {
  task: Task;
  isShared: boolean;
  store: EntryStore<TaskOperation>;
  entries: Entry<TaskOperation>[];
}

/** Reads the whole log of a task; null if its first operation cannot be read. */
export async function openTask(session: Session, { id, shared }: TaskRefs): Promise<OpenTask | null> {
  const store = taskStore(session, id);
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  const task = taskOf(id, entries);
  return task === null ? null : { task, isShared: shared !== '', store, entries };
}

/** The task that the first digits of an id mean, or `last`. Throws BAD_ARGUMENT for none, and for several. */
export async function taskBy(session: Session, digits: string): Promise<OpenTask> {
  const refs = await listTaskRefs(session);
  const meant = digits === 'last' ? await lastChanged(session, refs) : refs.filter(({ id }) => id.startsWith(digits));
  const opened = meant.length === 1 ? await openTask(session, meant[0]) : null;
  if (opened !== null) return opened;
  const [message, hint] =
    meant.length > 1
      ? [`${meant.length} tasks have ids that begin with ${digits}`, 'Give more of its digits.']
      : [
          digits === 'last' ? 'there is no task' : `no task has an id that begins with ${digits}`,
          'git socraticode task list',
        ];
  throw new SocraticodeError('BAD_ARGUMENT', message, { hint });
}

async function lastChanged(session: Session, refs: readonly TaskRefs[]): Promise<TaskRefs[]> {
  const { items } = await listItems(session, refs);
  const [last] = items;
  return last === undefined ? [] : refs.filter(({ id }) => id === last.id);
}

/** Version of what is kept. */
const KEPT_VERSION = 1;

type Kept = Record<string, { tips: string; item: TaskItem | null }>;

/** Every task, the one changed last first. Logs whose refs have not moved are not read again. */
export async function listItems(
  session: Session,
  refs?: readonly TaskRefs[],
): Promise<{ items: TaskItem[]; unreadable: number }> {
  const all = refs ?? (await listTaskRefs(session));
  const { directory } = session.shards;
  const kept = all.length === 0 ? {} : (readCacheFile(directory, 'tasks', keptIn) ?? {});
  const now: Kept = {};
  let isNew = Object.keys(kept).length !== all.length;
  for (const one of all) {
    const tips = `${one.shared} ${one.own}`;
    const known = Object.hasOwn(kept, one.id) ? kept[one.id] : undefined;
    if (known?.tips === tips) now[one.id] = known;
    else {
      isNew = true;
      const opened = await openTask(session, one);
      now[one.id] = { tips, item: opened === null ? null : taskItem(opened) };
    }
  }
  if (isNew && all.length > 0) {
    const note = { version: KEPT_VERSION };
    writeCacheFile(directory, 'tasks', Buffer.from(JSON.stringify(now)), note);
  }
  const items = Object.values(now).flatMap(({ item }) => (item === null ? [] : [item]));
  items.sort((a, b) => (a.updated === b.updated ? (a.id < b.id ? -1 : 1) : a.updated > b.updated ? -1 : 1));
  return { items, unreadable: all.length - items.length };
}

/** The file is sealed with this user's key, so its content is what was written. */
function keptIn({ content, note }: { content: Buffer; note: unknown }): Kept {
  if ((note as { version?: unknown }).version !== KEPT_VERSION) throw new Error('another version');
  return JSON.parse(content.toString('utf8')) as Kept;
}

export function taskItem({ task, isShared }: Pick<OpenTask, 'task' | 'isShared'>): TaskItem {
  const of = (kind: string) => task.links.flatMap((link) => (link.kind === kind ? [link.to] : []));
  return {
    ...{ id: task.id, title: task.title, status: task.status, shared: isShared, author: task.created.author },
    ...{ created: isoTime(task.created.time), updated: isoTime(task.updated.time), operations: task.events.length },
    links: { branches: of('branch'), commits: of('commit'), plans: of('plan') },
  };
}
