/** The people of a log, as `.mailmap` names them. */
import { mappedContacts } from '../../git/mailmap.js';
import type { LoggedCommit } from '../../history/change-log.js';
import { People } from '../../history/people.js';
import type { Session } from '../session.js';

type Author = Pick<LoggedCommit, 'author' | 'email'>;

/** `commits`: newest first. */
export async function peopleOf(
  { repository: { git } }: Session,
  commits: readonly Author[],
  signal?: AbortSignal,
): Promise<People> {
  const contacts = new Map(commits.map(({ author, email }) => [`${author}\0${email}`, { author, email }]));
  const mapped = await mappedContacts(git, [...contacts.values()], signal);
  // The name that is seen first is a person's: that of the mailmap. The former name has the new address, which makes both one.
  const now = mapped.map(({ now: contact }) => contact);
  const bridge = mapped.map(({ was, now: { email } }) => ({ author: was.author, email }));
  return new People([...now, ...bridge, ...commits]);
}
