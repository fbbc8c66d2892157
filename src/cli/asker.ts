/** The asker of a command: a session opened for one question, ended by Ctrl-C together with what git started. */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { isVerbose } from '../base/log.js';
import { phase, phasesText, startPhases, takePhases } from '../base/phases.js';
import type { Asker } from '../questions/asker.js';
import type { AnyQuestion } from '../questions/question.js';
import { loadQuestions } from '../questions/table.js';
import type { Searcher } from '../session/search/searcher.js';
import type { Session } from '../session/session.js';
import type { CommandContext } from './context.js';
import { writeOut } from './io.js';

/** One run of a command. */
interface Asking<Loaded> {
  json: boolean;
  /** The session is not opened. */
  withoutSession: boolean;
  /** Loads the question's code. It begins when git has been started, so that git answers meanwhile. */
  load: () => Promise<Loaded>;
  ask: (at: Asker, loaded: Loaded) => Promise<void>;
}

/** Opens what the question needs, asks, closes. Throws what opening a repository throws, and what `ask` does. */
export async function withAsker<Loaded>(
  { command }: AnyQuestion,
  { io, directory }: CommandContext,
  { json, withoutSession, load, ask }: Asking<Loaded>,
): Promise<void> {
  if (isVerbose()) startPhases();
  const cancel = new AbortController();
  const stop = () => {
    cancel.abort();
    // Ctrl-C ends git as well: work that nobody awaits any more fails then.
    process.on('unhandledRejection', () => {});
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  let opening: Promise<Session> | null = null;
  let searcher: Promise<Searcher> | null = null;
  try {
    if (!withoutSession) ({ opening } = await phase('load', () => startOpening(directory(), command?.readOnly)));
    const [loaded, session] = [await phase('load', load), await opening];
    const opened = () => {
      if (session === null) throw new SocraticodeError('INTERNAL', 'the question does without a repository');
      return session;
    };
    const at: Asker = {
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
      questions: () => loadQuestions(),
      command: { io, json, write: (text) => writeOut(io, text) },
    };
    await ask(at, loaded);
  } catch (error) {
    // An interrupted git makes other things fail as well. A failure that knows why may say what is kept.
    if (cancel.signal.aborted && !isSocraticodeError(error, 'CANCELLED'))
      throw new SocraticodeError('CANCELLED', 'cancelled', { cause: error });
    throw error;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    await opening?.then(
      (session) => session.close(),
      () => {},
    );
    const phases = takePhases();
    if (phases !== null) io.stderr.write(phasesText(phases));
  }
}

/** Returns as soon as git has been asked. */
async function startOpening(directory: string | undefined, readOnly = false): Promise<{ opening: Promise<Session> }> {
  const { Session } = await import('../session/session.js');
  const opening = phase('open', () => Session.open({ directory, readOnly }));
  // Avoids an unhandled rejection while the rest is loaded; the caller sees the error.
  opening.catch(() => {});
  return { opening };
}
