/** `codebase_outline` */
import { z } from 'zod';
import { graphMapResponseSchema } from '../../questions/graph/outline/map/output.js';
import { graphOutlineResponseSchema } from '../../questions/graph/outline/output.js';
import { renderMap } from '../../questions/graph/outline/map/text.js';
import { renderOutline } from '../../questions/graph/outline/text.js';
import { reading, text } from '../inputs.js';
import { answerOrCandidates } from '../outputs.js';
import { defineTool } from '../tool.js';
import { answerText, questionOf } from './question.js';

const TOKENS = 4_000;
/** Symbols of a file. */
const LIMIT = 500;
const MAX_FILES = 100;

const input = z.strictObject({
  files: z.array(text).max(MAX_FILES).optional().describe('Paths, globs, directories; none: map of the repository.'),
  signatures: z.boolean().default(true),
  docs: z.boolean().optional().describe('First lines of comments, too.'),
  ...reading,
});

export const outline = defineTool({
  name: 'codebase_outline',
  title: 'Outline',
  toolset: 'core',
  description: 'What files define, without bodies; of directories or everything a map, most central files first.',
  effect: 'reads',
  input,
  output: answerOrCandidates(graphOutlineResponseSchema, graphMapResponseSchema),
  maxTokens: TOKENS,
  async run({ files = [], signatures, docs, ref, maxTokens = TOKENS }, call) {
    const { session, graphs, asked } = await questionOf(call, { ref, limit: LIMIT });
    const { runOutline } = await import('../../questions/graph/outline/answer.js');
    return runOutline(session, { ...asked, files, signatures, docs, maxTokens }, graphs);
  },
  render: (document) =>
    answerText(document, (answer, pen) => ('folders' in answer ? renderMap(answer, pen) : renderOutline(answer, pen))),
});
