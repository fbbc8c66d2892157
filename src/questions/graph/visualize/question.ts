/** `graph visualize`, `codebase_graph_visualize`: a picture of the graph, or of a part of it. */
import { groupDigits } from '../../../base/digits.js';
import { commandText } from '../../../params/command-line.js';
import { choice, flag, integer, text, type Values } from '../../../params/param.js';
import { graphLimit, ONE_GLOB, path, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion } from '../graph-question.js';
import { PICTURE_NODES } from '../limits.js';
import type { GraphPicture, GraphVisualizeReport } from './output.js';
import { graphPictureSchema, graphVisualizeReportSchema } from './output.js';

const sizes = Object.entries(PICTURE_NODES).map(([format, nodes]) => `${groupDigits(nodes)} in ${format}`);

const params = {
  format: choice(['mermaid', 'dot', 'json', 'html'], {
    summary: 'form of the picture',
    defaultText: "by the output's name, else mermaid",
    cli: { value: 'format' },
  }),
  mode: choice(['mermaid', 'interactive'], { summary: 'form of the picture, as agents name it', cli: false }),
  output: text({ summary: 'file to write ("-" for standard output)', cli: { value: 'file' } }),
  focus: text({
    summary: 'draw only what is around this file or symbol',
    completes: 'symbol',
    cli: { value: 'target' },
  }),
  depth: integer({ summary: 'steps around it', min: 1, max: 100, default: 2, cli: { value: 'n' } }),
  view: choice(['folders', 'files', 'symbols'], {
    summary: 'what the nodes are',
    defaultText: 'files, symbols around a symbol',
    cli: { value: 'view' },
  }),
  tests: flag({ summary: 'with the view of folders: tests, examples and generated code, too' }),
  path,
  limit: graphLimit('nodes drawn, folders standing for the rest', sizes.join(', ')),
  open: flag({ summary: 'open the picture, which a server never does', cli: false }),
  ...snapshot,
} as const;

export type VisualizeValues = Values<typeof params>;

export const question = defineGraphQuestion<typeof params, GraphVisualizeReport | GraphPicture>({
  name: 'graph visualize',
  summary: 'draw the graph: a page to explore, or text for Mermaid, Graphviz or a program',
  effect: 'reads',
  params,
  footer: false,
  answer: async () => (await import('./answer.js')).answerVisualize,
  text: async () => (await import('./text.js')).visualizeText,
  documents: {
    'graph-picture': { schema: graphPictureSchema, tool: false },
    'graph-visualize': {
      schema: graphVisualizeReportSchema,
      title: commandText('graph visualize', { output: 'FILE', json: true }),
    },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph visualize --output graph.html', 'a page to explore in a browser'],
      ['graph visualize --focus Cart.total --format dot', 'the surroundings of a method for Graphviz'],
    ],
    json: 'print the picture as JSON; with an output or another format, a report about it',
  },
  tool: {
    name: 'codebase_graph_visualize',
    title: 'Draw the graph',
    toolset: 'graph',
    description: 'Draws the graph, or what is around a file or symbol: Mermaid text, or an HTML file to explore.',
    params: {
      mode: 'Default mermaid; interactive: an HTML file.',
      focus: { name: 'target', summary: 'File or symbol to draw the surroundings of.' },
      depth: 'Steps around it; default {default}.',
      view: '',
      path: ONE_GLOB,
      limit: { summary: 'Nodes; folders stand for the rest.', max: 2_000 },
      open: 'Ignored: nothing is opened, the reply names the file.',
      ref: REF,
    },
    reply: ['maxTokens', 'projectPath'],
    maxTokens: 8_000,
  },
});
