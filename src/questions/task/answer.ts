/** Answers of `task`. Each change is one more operation of the log, on top of all that this clone has seen. */
import { SocraticodeError } from '../../base/errors.js';
import { cut } from '../../graph/query/place.js';
import { encodeEntry } from '../../knowledge/entry.js';
import { isOid } from '../../knowledge/fields.js';
import { operationAfter, TASKS, type TaskChange, type TaskLink } from '../../knowledge/task.js';
import { claimNow } from '../../session/knowledge/author.js';
import type { Asker } from '../asker.js';
import { checkedText } from '../note/answer.js';
import { isoTime } from '../note/notes.js';
import type { TaskDocument, TasksDocument } from './output.js';
import type { TaskCreateValues, TaskGetValues, TaskLinkValues, TaskListValues, TaskUpdateValues } from './question.js';
import { listItems, type OpenTask, taskBy, taskItem, taskStore } from './tasks.js';

/** Entries of the lists of one task. */
const LISTED = 50;

/** Throws BAD_ARGUMENT for a text that must not be kept, or an unknown commit; BAD_CONFIG without a name. */
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

/** Throws BAD_ARGUMENT for a commit that is neither here nor a whole id. */
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

/** Throws BAD_ARGUMENT for an id that no task has, or several. */
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

/** Throws as `answerTaskGet` does, and BAD_ARGUMENT where nothing is to be changed. */
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

/** Throws as `answerTaskGet` does, and BAD_ARGUMENT where nothing is linked. */
export async function answerTaskLink(at: Asker, values: TaskLinkValues): Promise<TaskDocument> {
  const links = await linksOf(at, values);
  if (links.length === 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'nothing is named to link', {
      hint: 'Name a branch, a commit or a planning document.',
    });
  return operate(at, values, values.remove ? { unlinks: links } : { links });
}

interface Operating {
  id: string;
  agent?: string;
  share?: boolean;
}

async function operate(at: Asker, { id, agent, share }: Operating, change: TaskChange): Promise<TaskDocument> {
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
