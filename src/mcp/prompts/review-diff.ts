/** `review_diff`: reviews a change and its effects on other code. */
import { shellWord } from '../../base/hygiene.js';
import { literal, type Prompt } from './prompt.js';

const review = (impact: string, diff: string) => `Review a change.

1. ${impact}: the symbols it changes or removes, who depends on them, and which tests reach them.
2. Read ${diff}.
3. codebase_references {"name": …} of each changed symbol with callers outside of the change: does every caller still get what it relies on (arguments, result, errors, order)?
4. For each removed or renamed symbol: codebase_search {"query": its name} finds what still mentions it.
5. Changed code that no test reaches: say so. codebase_search {"query": …} finds whether there is something like it already.

Report findings, worst first: path:line, what goes wrong and when, how to mend it. Bugs and broken callers before style; nothing you have not checked. Then: which tests to run, and what you did not review.`;

const UNCOMMITTED = `codebase_impact {} (uncommitted changes; if there are none: {"target": "main...HEAD"}, with the name of the main branch)`;

/** Revision range: one word that is no option, because the agent puts it into a command line. */
const RANGE = /^[^\s\p{C}"'`$\\;&|<>(){}*?![\]~^-][^\s\p{C}"'`$\\;&|<>(){}*?![\]]*$/u;

function checked(range: string): string {
  if (!RANGE.test(range)) throw new RangeError('range is no range of commits: give A..B, A...B or a branch');
  return range.includes('..') ? range : `${range}...HEAD`;
}

export const reviewDiff: Prompt = {
  name: 'review_diff',
  title: 'Review a change',
  description: 'Review uncommitted changes or a range of commits, with callers and tests in view.',
  required: [],
  optional: [
    {
      name: 'range',
      description: 'A..B, A...B, or a branch to compare HEAD with; what is uncommitted, else main...HEAD, without one.',
      max: 256,
    },
  ],
  write: ({ range }) => {
    if (range === undefined) return review(UNCOMMITTED, 'the diff itself (git diff HEAD, or of that range)');
    const target = checked(range);
    return review(`codebase_impact {"target": ${literal(target)}}`, `the diff itself: git diff ${shellWord(target)}`);
  },
};
