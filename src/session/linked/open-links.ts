/** Opens linked repositories for a command and closes them when the command ends. */
import { Searcher } from '../search/searcher.js';
import { Session } from '../session.js';
import type { LinkAccess, Searchable } from './other-repositories.js';

/** Long, since the first search of a repository indexes it; finished batches are kept for the next search. */
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
