/** An asker for answers that tests call directly, without a command or a server. */
import type { Asker } from '../../../src/questions/asker.js';
import { loadQuestions } from '../../../src/questions/table.js';
import type { Session } from '../../../src/session/session.js';
import './kept-parsers.js';

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
