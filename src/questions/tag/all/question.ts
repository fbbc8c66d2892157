/** `tags`, `codebase_tags`: the tags that there are. */
import type { Values } from '../../../params/param.js';
import { defineGraphQuestion } from '../../graph/graph-question.js';
import { REF, snapshot } from '../../shared-params.js';
import { tagsSchema } from '../output.js';

const params = { ...snapshot } as const;

export type TagsValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'tags',
  summary: 'the tags of this repository, each with how much code has it',
  effect: 'reads',
  params: params,
  candidates: false,
  answer: async () => (await import('../answer.js')).answerTags,
  text: async () => (await import('../text.js')).tagsText,
  documents: { tags: { schema: tagsSchema } },
  command: {
    group: 'Knowledge',
    examples: [
      ['tags', 'as the work tree is now'],
      ['tags --ref v1.2', 'as of a tag of git'],
    ],
  },
  tool: {
    name: 'codebase_tags',
    title: 'Tags',
    toolset: 'knowledge',
    description:
      'Lists tags such as auth or database, with how much code has each. Search with `tag:auth` in the query.',
    params: { ref: REF },
    maxTokens: 1_000,
  },
});
