/** Linked repositories as a command opens them: kept for its next question, closed with it. */
import { Searcher } from '../search/searcher.js';
import { Session } from '../session.js';
import type { LinkAccess, Searchable } from './linked-search.js';

/** A command has time: the first search of a repository indexes it, and what is not done then is kept for the next. */
const GRACE_MS = 30_000;

export class OpenLinks implements LinkAccess {
  readonly graceMs = GRACE_MS;
  private readonly opened = new Map<string, Promise<Searchable>>();

  open = (directory: string): Promise<Searchable> => {
    const known = this.opened.get(directory) ?? openOne(directory);
    this.opened.set(directory, known);
    known.catch(() => this.opened.delete(directory));
    return known;
  };

  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.opened.values()))
      if (opened.status === 'fulfilled') opened.value.session.close();
    this.opened.clear();
  }
}

async function openOne(directory: string): Promise<Searchable> {
  const session = await Session.open({ directory });
  return { session, searcher: new Searcher(session) };
}
