/** Answers of `task`: read the logs of tasks, and add operations to them. */
import { SocraticodeError } from '../../base/errors.js';
import { shortOid, signs } from '../../base/printable.js';
import { NOTES_PREFIX } from '../../git/repository.js';
import { cut } from '../../graph/query/node-place.js';
import {
  claimNow,
  operationAfter,
  TASKS,
  type Task,
  type TaskChange,
  type TaskLink,
  type TaskOperation,
  taskOf,
} from '../../knowledge/codecs.js';
import { type Entry, EntryStore, encodeEntry, isOid } from '../../knowledge/entry.js';
import { PRIVATE_PREFIX, TASKS_KIND } from '../../knowledge/kinds.js';
import type { Session } from '../../session/session.js';
import { TASKS as TASKS_STATE } from '../../session/state-kinds.js';
import type { Asker } from '../asker.js';
import { dateText, formatCount, quoted } from '../format.js';
import { checkedText, isoTime } from '../note/answer.js';
import { authorText } from '../note/claims.js';
import type { Pen } from '../pen.js';
import type {
  TaskCreateValues,
  TaskDocument,
  TaskGetValues,
  TaskItem,
  TaskLinkValues,
  TaskListValues,
  TasksDocument,
  TaskUpdateValues,
} from './question.js';

/** Most entries in each list of one task. */
const LISTED = 50;

/** Throws BAD_ARGUMENT for a text that must not be stored or an unknown commit, BAD_CONFIG without a name. */
export async function answerTaskCreate(at: Asker, values: TaskCreateValues): Promise<TaskDocument> {
  const { session } = at;
  const links = await linksOf(at, values);
  const change: TaskChange = {
    ...textsOf(values),
    title: checkedText(values.title).replace(/\s+/g, ' '),
    status: 'todo',
    ...(links.length > 0 && { links }),
  };
  const claim = { ...claimFor(at, values.agent), body: operationAfter(null, change) };
  const { id } = encodeEntry(TASKS, claim, session.repository.objectFormat);
  await taskStore(session, id).add(claim, values.share === true, 0);
  return documentOf(await taskBy(session, id));
}

const claimFor = (at: Asker, agent: string | undefined) =>
  claimNow(at.session, { isAgent: at.server !== undefined || agent !== undefined, agent });

function textsOf({ description, note }: { description?: string; note?: string }): TaskChange {
  return {
    ...(description !== undefined && { description: description.trim() === '' ? '' : checkedText(description) }),
    ...(note !== undefined && { note: checkedText(note) }),
  };
}

type Named = Pick<TaskLinkValues, 'branch' | 'commit' | 'plan'>;

/** Throws BAD_ARGUMENT for an unknown commit, unless it is a full id. */
async function linksOf({ session }: Asker, { branch = [], commit = [], plan = [] }: Named): Promise<TaskLink[]> {
  const links: TaskLink[] = branch.map((name) => ({
    kind: 'branch',
    to: checkedText(name.replace(/^refs\/heads\//, '')),
  }));
  for (const name of commit) {
    const found = await session.objects.info(`${name}^{commit}`);
    if (found === null && !isOid(name))
      throw new SocraticodeError('BAD_ARGUMENT', `${name} is no commit`, {
        hint: 'Name one that is here, or give its whole id.',
      });
    links.push({ kind: 'commit', to: found?.oid ?? name });
  }
  return [...links, ...plan.map((path): TaskLink => ({ kind: 'plan', to: checkedText(path) }))];
}

/** Throws BAD_ARGUMENT for an id of no task, or of several. */
export async function answerTaskGet({ session }: Asker, { id }: TaskGetValues): Promise<TaskDocument> {
  return documentOf(await taskBy(session, id));
}

function documentOf(opened: OpenTask): TaskDocument {
  const events = [...opened.task.events].reverse();
  const history = events.flatMap(({ author, time, change: { status } }) =>
    status === undefined ? [] : [{ author, date: isoTime(time), status }],
  );
  const notes = events.flatMap(({ author, time, change: { note } }) =>
    note === undefined ? [] : [{ author, date: isoTime(time), text: note }],
  );
  const lists = { history: cut(history, LISTED), notes: cut(notes, LISTED) };
  return { schemaVersion: 1, task: { ...taskItem(opened), description: opened.task.description, ...lists } };
}

export async function answerTaskList({ session }: Asker, values: TaskListValues): Promise<TasksDocument> {
  const { items, unreadable } = await listItems(session);
  const { status, branch, limit } = values;
  const wanted = items.filter(
    (item) =>
      (status === undefined || item.status === status) &&
      (branch === undefined || item.links.branches.includes(branch)),
  );
  return { schemaVersion: 1, total: items.length, unreadable, tasks: cut(wanted, limit) };
}

/** Throws as `answerTaskGet` does, and BAD_ARGUMENT if nothing would change. */
export async function answerTaskUpdate(at: Asker, values: TaskUpdateValues): Promise<TaskDocument> {
  const { title, status } = values;
  const change: TaskChange = {
    ...textsOf(values),
    ...(title !== undefined && { title: checkedText(title).replace(/\s+/g, ' ') }),
    ...(status !== undefined && { status }),
  };
  if (Object.keys(change).length === 0 && !values.share)
    throw new SocraticodeError('BAD_ARGUMENT', 'nothing is to be changed', {
      hint: 'Give a status, a title, a description or a note.',
    });
  return operate(at, values, change);
}

/** Throws as `answerTaskGet` does, and BAD_ARGUMENT without a link. */
export async function answerTaskLink(at: Asker, values: TaskLinkValues): Promise<TaskDocument> {
  const links = await linksOf(at, values);
  if (links.length === 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'nothing is named to link', {
      hint: 'Name a branch, a commit or a planning document.',
    });
  return operate(at, values, values.remove ? { unlinks: links } : { links });
}

async function operate(
  at: Asker,
  { id, agent, share }: { id: string; agent?: string; share?: boolean },
  change: TaskChange,
): Promise<TaskDocument> {
  const { session } = at;
  const opened = await taskBy(session, id);
  const { task, store, entries, isShared } = opened;
  if (share && !isShared) await store.share(entries);
  if (Object.keys(change).length > 0)
    await store.add(
      { ...claimFor(at, agent), body: operationAfter(task, change) },
      isShared || share === true,
      entries.length,
    );
  return documentOf(await taskBy(session, task.id));
}

// The tasks of a repository: each is a log behind a ref. Logs are cached, so that a list need not read them again.

/** Commits of a task's log: the shared one, the private one, or both. */
interface TaskRefs {
  id: string;
  shared: string;
  own: string;
}

const taskStore = ({ repository, objects }: Session, id: string): EntryStore<TaskOperation> =>
  new EntryStore({ repository, objects }, TASKS, id);

/** Lists the refs of all logs with one call of git. A ref whose name has another shape is no task. */
async function listTaskRefs({ repository }: Session): Promise<TaskRefs[]> {
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

interface OpenTask {
  task: Task;
  isShared: boolean;
  store: EntryStore<TaskOperation>;
  entries: Entry<TaskOperation>[];
}

/** Reads the whole log of a task; null if its first operation cannot be read. */
async function openTask(session: Session, { id, shared }: TaskRefs): Promise<OpenTask | null> {
  const store = taskStore(session, id);
  const entries = (await store.read()).entries.map(({ entry }) => entry);
  const task = taskOf(id, entries);
  return task === null ? null : { task, isShared: shared !== '', store, entries };
}

/** Finds a task by the first digits of its id, or the `last` one. Throws BAD_ARGUMENT for none, and for several. */
async function taskBy(session: Session, digits: string): Promise<OpenTask> {
  const refs = await listTaskRefs(session);
  const matched = digits === 'last' ? await lastChanged(session, refs) : refs.filter(({ id }) => id.startsWith(digits));
  const opened = matched.length === 1 ? await openTask(session, matched[0]) : null;
  if (opened !== null) return opened;
  const [message, hint] =
    matched.length > 1
      ? [`${matched.length} tasks have ids that begin with ${digits}`, 'Give more of its digits.']
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

/** A task as of the tips of its refs; null for one that this version cannot read. */
interface KnownTask {
  tips: string;
  item: TaskItem | null;
}

/** Every task, the last changed first. A log is read again only if its ref has moved. */
async function listItems(
  session: Session,
  refs?: readonly TaskRefs[],
): Promise<{ items: TaskItem[]; unreadable: number }> {
  const all = refs ?? (await listTaskRefs(session));
  if (all.length === 0) return { items: [], unreadable: 0 };
  const cached = session.state.readMap<KnownTask>(TASKS_STATE);
  const now = new Map<string, KnownTask>();
  let isNew = cached.size !== all.length;
  for (const one of all) {
    const tips = `${one.shared} ${one.own}`;
    const known = cached.get(one.id);
    if (known?.tips === tips) now.set(one.id, known);
    else {
      isNew = true;
      const opened = await openTask(session, one);
      now.set(one.id, { tips, item: opened === null ? null : taskItem(opened) });
    }
  }
  if (isNew) session.state.writeMap(TASKS_STATE, now, { used: [], most: all.length });
  const items = [...now.values()].flatMap(({ item }) => (item === null ? [] : [item]));
  items.sort((a, b) => (a.updated === b.updated ? (a.id < b.id ? -1 : 1) : a.updated > b.updated ? -1 : 1));
  return { items, unreadable: all.length - items.length };
}

function taskItem({ task, isShared }: Pick<OpenTask, 'task' | 'isShared'>): TaskItem {
  const of = (kind: string) => task.links.flatMap((link) => (link.kind === kind ? [link.to] : []));
  return {
    ...{ id: task.id, title: task.title, status: task.status, shared: isShared, author: task.created.author },
    ...{ created: isoTime(task.created.time), updated: isoTime(task.updated.time), operations: task.events.length },
    links: { branches: of('branch'), commits: of('commit'), plans: of('plan') },
  };
}

// Text: the authors' words, indented, and who wrote them.

const ID = 10;

export function taskText({ task }: TaskDocument, { pen }: { pen: Pen }): string {
  const lines = [
    headLine(task, pen),
    ...(task.description === '' ? [] : [quoted(task.description)]),
    ...linkLines(task, pen),
  ];
  const shared = task.shared ? 'shared' : 'only in this clone';
  lines.push(pen.dim(`  ${authorText(task.author)}, ${dateText(task.created)}, ${shared}`));
  for (const { status, author, date } of task.history.list)
    lines.push(`  ${dateText(date)} ${status} ${pen.dim(`by ${authorText(author)}`)}`);
  for (const { text, author, date } of task.notes.list)
    lines.push(quoted(text), pen.dim(`  ${authorText(author)}, ${dateText(date)}`));
  const rest = task.history.leftOut + task.notes.leftOut;
  if (rest > 0) lines.push(pen.dim(`  ${formatCount(rest, 'older entry', 'older entries')}`));
  return `${lines.join('\n')}\n`;
}

export function tasksText({ total, unreadable, tasks }: TasksDocument, { pen }: { pen: Pen }): string {
  const lines = tasks.list.flatMap((task) => [headLine(task, pen), ...linkLines(task, pen, LINKS)]);
  if (tasks.list.length === 0) lines.push(total === 0 ? 'no tasks' : 'no such tasks');
  if (tasks.leftOut > 0 && pen.words.more !== '') lines.push(pen.dim(`${tasks.leftOut} more: ${pen.words.more}`));
  if (unreadable > 0) lines.push(pen.dim(`${formatCount(unreadable, 'task')} cannot be read by this version`));
  return `${lines.join('\n')}\n`;
}

/** `7c1e01bc9d  in-progress  round totals half up`: the title comes last, since anybody may have written it. */
function headLine({ id, status, title }: TaskItem, pen: Pen): string {
  return `${pen.match(id.slice(0, ID))}  ${pen.symbol(status)}  ${title}`;
}

/** Limits in a list of tasks: links of each task, and characters of each link. */
const LINKS = 3;
const MAX_LINK = 80;

function linkLines({ links }: TaskItem, pen: Pen, limit = Number.POSITIVE_INFINITY): string[] {
  const { branches, commits, plans } = links;
  const shown = (text: string) =>
    text.length > MAX_LINK && limit === LINKS ? `${text.slice(0, MAX_LINK)}${signs.cut}` : text;
  const parts = [
    ...branches.map((name) => `branch ${shown(name)}`),
    ...commits.map((oid) => `commit ${shortOid(oid)}`),
    ...plans.map((path) => `plan ${shown(path)}`),
  ];
  const rest = parts.length > limit ? [`${parts.length - limit} more`] : [];
  return parts.length === 0 ? [] : [pen.dim(`  ${[...parts.slice(0, limit), ...rest].join(', ')}`)];
}
