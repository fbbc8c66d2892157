/** Sessions, and askers for answers that tests call directly, without a command or a server. */
import type { TestContext } from 'node:test';
import type { Asker } from '../../../src/questions/asker.js';
import { loadQuestions } from '../../../src/questions/table.js';
import { Session } from '../../../src/session/session.js';
import type { TestRepo } from '../repositories/repo.js';
import './kept-parsers.js';

/** A session of a repository, until the test ends. */
export async function opened(t: TestContext, repo: Pick<TestRepo, 'dir'>): Promise<Session> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return session;
}

/** `further` stands for what a command or a server would add. */
export function askerOf(session: Session, further: Partial<Asker> = {}): Asker {
  return {
    session,
    directory: undefined,
    signal: new AbortController().signal,
    progress: () => {},
    questions: () => loadQuestions(),
    ...further,
  };
}
