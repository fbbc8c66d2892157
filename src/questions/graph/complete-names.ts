/** Paths and names of a snapshot that begin with, or contain, the text typed so far. */

import type { Session } from '../../session/session.js';
import { type Completed, completeName, completePath } from './complete.js';
import { type GraphQuestion, type GraphSource, prepareQuestion } from './snapshot-graph.js';

interface CompleteOptions extends GraphQuestion {
  what: 'path' | 'name';
  text: string;
  limit?: number;
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
