/** Text of `task`: the words of its authors, indented, with who said them. */
import { visibleLine } from '../../base/hygiene.js';
import { authorText } from '../note/text.js';
import { dateText, formatCount, quoted } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { TaskDocument, TaskItem, TasksDocument } from './output.js';

const ID = 10;
const COMMIT = 9;

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

/** `7c1e01bc9d  in-progress  round totals half up`: the title last, since it is somebody's text. */
function headLine({ id, status, title }: TaskItem, pen: Pen): string {
  return `${pen.match(id.slice(0, ID))}  ${pen.symbol(status)}  ${visibleLine(title)}`;
}

/** Links of each task of a list, and characters of each. */
const LINKS = 3;
const MAX_LINK = 80;

function linkLines({ links }: TaskItem, pen: Pen, limit = Number.POSITIVE_INFINITY): string[] {
  const { branches, commits, plans } = links;
  const shown = (text: string) => (text.length > MAX_LINK && limit === LINKS ? `${text.slice(0, MAX_LINK)}…` : text);
  const parts = [
    ...branches.map((name) => `branch ${visibleLine(shown(name))}`),
    ...commits.map((oid) => `commit ${oid.slice(0, COMMIT)}`),
    ...plans.map((path) => `plan ${visibleLine(shown(path))}`),
  ];
  const rest = parts.length > limit ? [`${parts.length - limit} more`] : [];
  return parts.length === 0 ? [] : [pen.dim(`  ${[...parts.slice(0, limit), ...rest].join(', ')}`)];
}
