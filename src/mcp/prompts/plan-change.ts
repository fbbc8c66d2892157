/** `plan_change`: finds the places to change, and the code that depends on them. */
import { type Prompt, quote } from './prompt.js';

const plan = (task: string) => `Plan this change; do not edit anything yet. The task:

${quote(task)}

1. codebase_pack {"task": the task in its own words, "maxTokens": 8000}: the code it is about.
2. codebase_search for each name or behaviour of the task that this did not show.
3. codebase_read {"targets": [every symbol you would change]} for its contract, codebase_references {"name": …} for its callers.
4. codebase_impact {"target": …} of each whose signature or behaviour changes: what may break, and which tests reach it.

Answer with a plan: the edits in order (path:line, symbol, what changes, why); callers that must change with them; tests to adapt, to add and to run; what could go wrong, and what is open. Tell what the index knows from what you assume ("no callers" is no proof). Where the task can be read in two ways, say which you took.`;

export const planChange: Prompt = {
  name: 'plan_change',
  title: 'Plan a change',
  description: 'Find what a task touches and which tests cover it, and write a plan before editing.',
  required: [{ name: 'task', description: 'What should be different afterwards.', max: 8_000 }],
  optional: [],
  write: ({ task }) => plan(task),
};
