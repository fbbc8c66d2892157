/** The asker of a command: a session opened for one question, ended by Ctrl-C together with what git started. */
import { SocraticodeError } from '../base/errors.js';
import type { Asker } from '../questions/asker.js';
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import type { Searcher } from '../session/search/searcher.js';
import type { Session } from '../session/session.js';
import type { CommandContext } from './context.js';

/** Opens what the question needs, asks, closes. Throws what opening a repository throws, and what `ask` does. */
export async function withAsker(
  { command }: AnyQuestion,
  { io, directory }: CommandContext,
  json: boolean,
  ask: (at: Asker) => Promise<void>,
): Promise<void> {
  const cancel = new AbortController();
  const stop = () => cancel.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let session: Session | null = null;
  let searcher: Promise<Searcher> | null = null;
  try {
    if (!command?.withoutSession) session = await openSession(directory(), command?.readOnly);
    const opened = () => {
      if (session === null) throw new SocraticodeError('INTERNAL', 'the question does without a repository');
      return session;
    };
    await ask({
      get session() {
        return opened();
      },
      directory: directory(),
      signal: cancel.signal,
      searcher() {
        searcher ??= import('../session/search/searcher.js').then(({ Searcher }) => new Searcher(opened()));
        return searcher;
      },
      graphs: async () => undefined,
      progress: () => {},
      command: { io, json, questions: () => loadQuestions() },
    });
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    session?.close();
  }
}

async function openSession(directory: string | undefined, readOnly = false): Promise<Session> {
  const { Session } = await import('../session/session.js');
  return Session.open({ directory, readOnly });
}
