/** `grep --stdin`: a document for each pattern. */
import type { Asker } from '../asker.js';
import { answerEachLine } from '../lines.js';
import { answerGrep } from './answer.js';
import { type GrepValues, patternParams } from './params.js';

/** Arguments are paths: patterns are on the lines. */
export async function answerLines(at: Asker, { pattern, path = [], ...values }: GrepValues): Promise<void> {
  const paths = pattern === undefined ? path : [pattern, ...path];
  await answerEachLine(at, {
    values: { ...values, path: paths.length === 0 ? undefined : paths } as GrepValues,
    form: { params: patternParams, main: 'pattern' },
    answer: (line) => answerGrep(at, line),
  });
}
