/** Documents of `graph visualize`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { header, line } from '../output-parts.js';

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
    unlinked: count.describe('Files, or symbols, without any link.'),
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
  nodes: count.describe('Nodes drawn at first, folders included.'),
  edges: count,
  total: count.describe('Files, or symbols, in that part of the graph.'),
  unlinked: count.describe('Of those, the ones without any link, which are not drawn at first.'),
  picture: s.string().optional(),
});

export type GraphVisualizeReport = s.Infer<typeof graphVisualizeReportSchema>;
