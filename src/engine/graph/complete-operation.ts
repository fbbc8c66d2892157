/** Paths and names of a snapshot that begin like, or have in them, what somebody is typing. */
import { type Completed, completeName, completePath } from '../../graph/query/complete.js';
import { type GraphQuestion, type GraphSource, prepareQuestion } from '../../questions/graph/snapshot-graph.js';
import type { Session } from '../../session/session.js';

export interface CompleteOptions extends GraphQuestion {
  what: 'path' | 'name';
  text: string;
}

const DEFAULT_LIMIT = 100;

export async function runComplete(
  session: Session,
  { what, text, limit = DEFAULT_LIMIT, ...question }: CompleteOptions,
  graphs?: GraphSource,
): Promise<Completed> {
  const { graph } = await prepareQuestion(session, question, graphs);
  return (what === 'path' ? completePath : completeName)(graph, text, limit);
}
