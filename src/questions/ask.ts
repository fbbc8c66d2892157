/** Asks a question for a surface that shows documents itself: a page, an editor. */
import type { Project } from '../serve/project.js';
import type { Asker } from './asker.js';
import type { AnyQuestion } from './question.js';
import { loadQuestions } from './table.js';

/** `signal`: aborts when nobody wants the answer any more. */
export function askerOf(project: Project, signal: AbortSignal, progress: Asker['progress'] = () => {}): Asker {
  return {
    session: project.session,
    directory: project.root,
    signal,
    searcher: async () => project.searcher,
    graphs: () => project.graphs(),
    progress,
    questions: () => loadQuestions(),
  };
}

/** The declaration of that name; undefined for none. */
export async function questionNamed(name: string): Promise<AnyQuestion | undefined> {
  return (await loadQuestions([name])).find((each) => each.name === name);
}
