/** `explore`: finds the way in unknown code. */
import { literal, type Prompt } from './prompt.js';

const WHOLE = `Get to know this codebase with its index; read whole files only where this leaves a question open.

1. codebase_status {}: what is indexed. Where coverage is not complete, say so in your report.
2. codebase_outline {}: the files that the rest depends on most.
3. codebase_outline {"files": [the 3 to 5 most central of them], "signatures": true}
4. codebase_search {"query": "entry point: start, main, command or request handling"}, then codebase_references {"name": …} for the two or three symbols that most depends on.

Report in at most 30 lines: what it does; its parts and how they depend on each other; where a run or a request begins and how it flows; how it is tested; where to begin reading. Give path:line for every claim, and say what you did not look at.`;

const about = (topic: string) => `Explain how this codebase deals with this topic: ${topic}

1. codebase_search {"query": ${topic}, "limit": 8}
2. codebase_read {"targets": [the two or three definitions that matter most]}, and codebase_references {"name": …} of each: who uses it.
3. codebase_outline {"files": [the files they are in], "signatures": true}: what stands beside them.
4. codebase_impact {"target": …} of the most central one: who depends on it.
5. Something still unclear: search once more with names you have met, then read only those lines.

Report in at most 25 lines: where it is, how it works step by step, what uses it, which tests cover it, what is surprising. Give path:line for every claim; say where the index could not resolve something.`;

export const explore: Prompt = {
  name: 'explore',
  title: 'Explore the code',
  description: 'Get to know the codebase, or how it deals with one topic.',
  required: [],
  optional: [
    { name: 'topic', description: 'A feature, a concept or a name; the whole codebase without one.', max: 500 },
  ],
  write: ({ topic }) => (topic === undefined ? WHOLE : about(literal(topic))),
};
