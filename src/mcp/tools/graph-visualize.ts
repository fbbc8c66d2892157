/** `codebase_graph_visualize` */
import { z } from 'zod';
import { graphVisualizeReportSchema } from '../../questions/graph/visualize/output.js';
import { visiblePicture } from '../../questions/graph/visualize/text.js';
import { maxTokens, projectPath, ref, text } from '../inputs.js';
import { answerOrCandidates } from '../outputs.js';
import { defineTool } from '../tool.js';
import { answerText, questionOf } from './question.js';

const MERMAID_NODES = 40;
const PAGE_NODES = 250;

const input = z.strictObject({
  mode: z.enum(['mermaid', 'interactive']).optional().describe('Default mermaid; interactive: an HTML file.'),
  target: text.optional().describe('File or symbol to draw the surroundings of.'),
  depth: z.int().min(1).max(100).optional().describe('Steps around it; default 2.'),
  view: z.enum(['files', 'symbols']).optional(),
  path: z.string().min(1).max(512).optional().describe('Path glob; !glob excludes.'),
  limit: z.int().min(1).max(2_000).optional().describe('Nodes; folders stand for the rest.'),
  open: z.boolean().optional().describe('Ignored: nothing is opened, the reply names the file.'),
  ...{ ref, maxTokens, projectPath },
});

export const graphVisualize = defineTool({
  name: 'codebase_graph_visualize',
  title: 'Draw the graph',
  toolset: 'graph',
  description: 'Draws the graph, or what is around a file or symbol: Mermaid text, or an HTML file to explore.',
  effect: 'reads',
  input,
  output: answerOrCandidates(graphVisualizeReportSchema),
  maxTokens: 8_000,
  async run({ mode = 'mermaid', target: focus, depth, view, path, limit, ref }, call) {
    const isPage = mode === 'interactive';
    const wanted = limit ?? (isPage ? PAGE_NODES : MERMAID_NODES);
    const { session, graphs, asked } = await questionOf({ ...call, skip: 0 }, { ref, limit: wanted });
    const question = { focus, depth, view, path: path === undefined ? undefined : [path] };
    const { runVisualize } = await import('../../questions/graph/visualize/answer.js');
    const answer = await runVisualize(session, { ...asked, ...question, format: isPage ? 'html' : 'mermaid' }, graphs);
    if ('candidates' in answer) return answer;
    const { report, picture } = answer;
    if (!isPage) return { ...report, output: null, picture };
    const { keepPage } = await import('../../questions/graph/visualize/kept-page.js');
    return { ...report, output: keepPage(session, picture, { ...question, ref, limit }) };
  },
  render: (document, { open }) =>
    answerText(document, visiblePicture) + (open ? 'nothing was opened: a server starts no browser\n' : ''),
});
