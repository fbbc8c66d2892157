/** `graph visualize`, `codebase_graph_visualize`: a picture of the graph, or of a part of it. */
import { groupDigits } from '../../../base/printable.js';
import { choice, commandText, flag, integer, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { graphLimit, ONE_GLOB, path, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, PICTURE_NODES } from '../graph-question.js';
import { header, line } from '../output.js';

const kind = s.enum(['import', 'type-import', 'extends', 'new', 'call']);
const view = s.enum(['folders', 'files', 'symbols']);

const nodeSchema = s.object({
  id: s.string().describe('What edges and folders call it, in this document alone.'),
  label: s.string().describe('The name without folders; of a symbol with the symbols around it.'),
  path: s.string().describe('Path from the top of the repository; of a folder too.'),
  kind: s.string().describe('`file`, `folder` (many nodes drawn as one) or the kind of a symbol.'),
  language: s.string().optional(),
  startLine: line.optional().describe('First line, counted from 1.'),
  endLine: s.integer({ minimum: 0 }).optional().describe('Last line, inclusive.'),
  members: count.optional().describe('Files, or symbols, that a folder stands for.'),
});

const edgeSchema = s.object({
  from: s.string(),
  to: s.string(),
  kinds: s.array(kind).describe('How it is used.'),
  count: count.describe('Imports and uses.'),
  inCycle: s.boolean().describe('Part of a circle of imports, or of calls.'),
  lines: s.array(line).describe('The first lines where it is used; empty between folders.'),
});

export const graphPictureSchema = s.object({
  ...header,
  view,
  nodes: s.array(nodeSchema),
  edges: s.array(edgeSchema),
  folders: s.array(s.object({ path: s.string(), nodes: s.array(s.string()) })).describe('What is drawn side by side.'),
  leftOut: s.object({
    unlinked: count.describe('Files, or symbols, without any link; of folders data and documents.'),
    aside: count.optional().describe('Of folders: tests, examples and generated files.'),
  }),
});

export type GraphPicture = s.Infer<typeof graphPictureSchema>;

export const graphVisualizeReportSchema = s.object({
  ...header,
  format: s.enum(['mermaid', 'dot', 'json', 'html']),
  view,
  output: s.string().nullable().describe('The file that was written; null where `picture` holds the text.'),
  bytes: count,
  nodes: count.describe('Nodes drawn, folders included; of a page, all that it can show.'),
  edges: count,
  total: count.describe('Files, or symbols, in that part of the graph.'),
  unlinked: count.describe('Of those, the ones without any link, which are not drawn, or by a page not at first.'),
  picture: s.string().optional(),
});

export type GraphVisualizeReport = s.Infer<typeof graphVisualizeReportSchema>;

const sizes = Object.entries(PICTURE_NODES).map(([format, nodes]) => `${groupDigits(nodes)} in ${format}`);

const params = {
  format: choice(['mermaid', 'dot', 'json', 'html'], {
    summary: 'form of the picture',
    defaultText: "by the output's name, else mermaid",
    cli: { value: 'format' },
  }),
  mode: choice(['mermaid', 'interactive'], { summary: 'form of the picture, as agents name it', cli: false }),
  output: text({ summary: 'file to write ("-" for standard output)', cli: { short: '-o', value: 'file' } }),
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
  text: async () => (await import('./answer.js')).visualizeText,
  isExact: () => true,
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
