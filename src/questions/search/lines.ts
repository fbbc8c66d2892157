/** `search --stdin`: a document for each query. */
import type { Asker } from '../asker.js';
import { answerEachLine, type LineForm } from '../lines.js';
import { SearchAsker } from './answer.js';
import { queryParams, type SearchValues } from './params.js';

export const LINES: LineForm = { params: queryParams, main: 'query' };

export async function answerLines(at: Asker, values: SearchValues): Promise<void> {
  const asking = new SearchAsker(at);
  try {
    await answerEachLine(at, { values, form: LINES, answer: (line) => asking.answer(line) });
  } finally {
    await asking.close();
  }
}
