/** Documents of `graph visualize`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { header, line } from '../output-parts.js';

const kind = z.enum(['import', 'type-import', 'extends', 'new', 'call']);
const view = z.enum(['folders', 'files', 'symbols']);

const nodeSchema = z.strictObject({
  id: z.string().describe('What edges and folders call it, in this document alone.'),
  label: z.string().describe('The name without folders; of a symbol with the symbols around it.'),
  path: z.string().describe('Path from the top of the repository; of a folder too.'),
  kind: z.string().describe('`file`, `folder` (many nodes drawn as one) or the kind of a symbol.'),
  language: z.string().optional(),
  startLine: line.optional().describe('First line, counted from 1.'),
  endLine: z.number().int().nonnegative().optional().describe('Last line, inclusive.'),
  members: count.optional().describe('Files, or symbols, that a folder stands for.'),
});

const edgeSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  kinds: z.array(kind).describe('How it is used.'),
  count: count.describe('Imports and uses.'),
  inCycle: z.boolean().describe('Part of a circle of imports, or of calls.'),
  lines: z.array(line).describe('The first lines where it is used; empty between folders.'),
});

export const graphPictureSchema = z.strictObject({
  ...header,
  view,
  nodes: z.array(nodeSchema),
  edges: z.array(edgeSchema),
  folders: z
    .array(z.strictObject({ path: z.string(), nodes: z.array(z.string()) }))
    .describe('What is drawn side by side.'),
  leftOut: z.strictObject({
    unlinked: count.describe('Files, or symbols, without any link.'),
    aside: count.optional().describe('Of folders: tests, examples and generated files.'),
  }),
});

export type GraphPicture = z.infer<typeof graphPictureSchema>;

export const graphVisualizeReportSchema = z.strictObject({
  ...header,
  format: z.enum(['mermaid', 'dot', 'json', 'html']),
  view,
  output: z.string().nullable().describe('The file that was written; null where `picture` holds the text.'),
  bytes: count,
  nodes: count.describe('Nodes drawn at first, folders included.'),
  edges: count,
  total: count.describe('Files, or symbols, in that part of the graph.'),
  unlinked: count.describe('Of those, the ones without any link, which are not drawn at first.'),
  picture: z.string().optional(),
});

export type GraphVisualizeReport = z.infer<typeof graphVisualizeReportSchema>;
