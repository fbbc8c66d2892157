/** Documents of `graph flow`, with an entry and without. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { asked, confidence, header, line, nodePlace, some, stepKind } from '../output-parts.js';

const node = nodePlace.extend({
  depth: count.describe('0 for the entry; children follow their parent.'),
  line: count.describe("Line of the parent's file that leads here; 0 for the entry."),
  use: stepKind(['override', 'entry']).describe('override: it may run instead of the member above.'),
  confidence,
  external: count.describe('Calls that lead out of the repository.'),
  unresolved: count.describe('Calls whose target is not known.'),
  seen: s
    .enum(['above', 'below', 'cycle'])
    .optional()
    .describe('Its calls are listed elsewhere in the tree, or it calls itself in a circle.'),
  deeper: count.optional().describe('Calls that are not listed: beyond the depth.'),
});

export const graphFlowResponseSchema = s.object({
  ...header,
  ...asked,
  depth: count,
  reached: count.describe('Different functions that it reaches within the depth.'),
  tree: some(node),
});

const entry = nodePlace.extend({
  label: s.string().optional().describe('Name of the command.'),
  calls: count.describe('Different things of the repository that it runs directly.'),
});

const route = s.object({
  method: s.string(),
  route: s.string().describe('Untrusted repository content.'),
  path: s.string(),
  line,
  handler: nodePlace.nullable(),
});

const entries = {
  mains: some(entry).describe('Main functions.'),
  bins: some(entry).describe('Files that are commands.'),
  routes: some(route),
  scripts: some(entry).describe('Files whose top level calls something and that nothing imports.'),
  tests: s.object({
    files: count,
    folders: some(s.object({ folder: s.string(), files: count })),
  }),
  uncalled: some(entry).describe('Exported functions that nothing here calls.'),
};

export const graphEntriesResponseSchema = s.object({
  ...header,
  ...entries,
});

export type GraphFlowResponse = s.Infer<typeof graphFlowResponseSchema>;
export type GraphEntriesResponse = s.Infer<typeof graphEntriesResponseSchema>;
export type FlowNode = s.Infer<typeof node>;
/** The tree, without the snapshot and the target that it is of. */
export type Flow = Pick<GraphFlowResponse, 'tree' | 'reached'>;
/** The entry points, without the snapshot that they are of. */
export type Entries = s.InferFields<typeof entries>;
export type Entry = s.Infer<typeof entry>;
/** A path of a server, and the function that answers there; null where that is an expression or could not be resolved. */
export type Route = s.Infer<typeof route>;
