/** `verify_change`: checks that a finished change is complete. */
import type { Prompt } from './prompt.js';

const VERIFY = `Verify what you have changed and not committed yet.

1. codebase_status {}: are uncommitted files searched as they are? If not, say so.
2. codebase_impact {}: every symbol that changed or went, what depends on it, and the tests that reach it.
3. For each affected caller that you have not edited: read the place it names, and check that it still gets what it expects.
4. For each removed or renamed name: codebase_search {"query": the old name, "limit": 5} must find no use of it.
5. Run the tests that codebase_impact names, nearest first; then type checker and linter if there are any.
6. Changed behaviour that no test reaches: add a test, or say that there is none.

Report: what was checked and how, each command with its result, what failed, what is untested, and what you could not check. Call nothing done that was not run.`;

export const verifyChange: Prompt = {
  name: 'verify_change',
  title: 'Verify a change',
  description: 'Check uncommitted work: affected callers, leftovers of old names, the tests that reach it.',
  required: [],
  optional: [],
  write: () => VERIFY,
};
