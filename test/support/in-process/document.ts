/** The document of a question, as its answer gives it, without a command line or a server. */
import type { Asker } from '../../../src/questions/asker.js';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { Session } from '../../../src/session/session.js';
import type { TestRepo } from '../repositories/repo.js';
import { askerOf } from './asker.js';

/** Asks in a session of its own, as a new process would. */
export async function documentOf<T>(repo: TestRepo, ask: (at: Asker) => Promise<T>): Promise<T> {
  const session = await Session.open({ directory: repo.dir });
  try {
    return await ask(askerOf(session, { directory: repo.dir }));
  } finally {
    session.close();
  }
}

/** How a text is written for a person without colours. */
export const PLAIN = { pen: plainPen(COMMAND_WORDS), isCommand: true } as const;
