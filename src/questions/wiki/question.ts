/** `wiki`: a static site about the repository. */
import { text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineGraphQuestion } from '../graph/graph-question.js';
import { header } from '../graph/output.js';
import { count } from '../shared-output.js';
import { snapshot } from '../shared-params.js';

const wikiSchema = s.object({
  ...header,
  output: s.string().describe('The page to open.'),
  pages: count,
  bytes: count,
  summaries: s.object({ model: count, extracted: count }).describe('Written by a model, and extracted from the code.'),
});

export type WikiDocument = s.Infer<typeof wikiSchema>;

const params = {
  out: text({
    summary: 'directory to write the pages into: a new or empty one, or that of an earlier wiki',
    required: true,
    minLength: 1,
    completes: 'directory',
    cli: { value: 'directory' },
  }),
  ...snapshot,
} as const;

export type WikiValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'wiki',
  summary: 'write a site about the repository: overview, folders, files, key symbols and drawings, as plain pages',
  effect: 'reads',
  params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerWiki,
  text: async () => (await import('./answer.js')).wikiText,
  documents: { wiki: { schema: wikiSchema } },
  command: {
    group: 'Knowledge',
    examples: [
      ['wiki --out wiki', 'pages to open with a browser, without a server'],
      ['wiki --out /tmp/v1 --ref v1.2', 'as of a tag'],
    ],
  },
});
