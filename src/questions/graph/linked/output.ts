/** Piece of documents about the graph: uses by linked repositories. */
import { LINKED_CONFIDENCE } from '../../../graph/across/edges.js';
import { ROUTE_CONFIDENCE } from '../../../graph/across/routes.js';
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { linkedAnswerSchema } from '../../results/output.js';
import { confidence, line, some } from '../output-parts.js';

const EVIDENCE = [...Object.keys(LINKED_CONFIDENCE), ...Object.keys(ROUTE_CONFIDENCE)] as [string, ...string[]];

export const linkedUse = s.object({
  project: s.string().describe('The linked repository, as `repositories` names it.'),
  path: s.string().describe('Path from the top of that repository.'),
  line,
  symbol: s.string().nullable().describe('The enclosing symbol; null at top level.'),
  kind: s.enum(['package', 'route']).describe('package: it imports the name. route: it sends a request there.'),
  name: s
    .string()
    .describe('What it uses: the name as imported (`flask.Flask.route`), or method and path of the route.'),
  uses: count.describe('Uses in that symbol; 0 where it imports the name alone.'),
  hop: count.describe('Steps from what was asked about: 1 for a use of it.'),
  evidence: s
    .enum(EVIDENCE)
    .describe(
      'exported, reexported: it imports a name that the package exports. typed: a member of an exported type that the file names. ' +
        'result: a member of the declared result of an exported function. module: it imports the module, and which names it uses is ' +
        'not known. path: method and path agree. end: one path ends as the other one.',
    ),
  confidence,
  via: s.object({ path: s.string(), symbol: s.string().nullable() }).describe('The definition here that it uses.'),
  version: s
    .string()
    .nullable()
    .describe('Version of the package that the repository lists; null where it lists none.'),
});

export const linkedUses = s.object({
  repositories: s
    .array(linkedAnswerSchema.omit('results').extend({ uses: count, files: count.describe('Files with uses.') }))
    .describe('Each linked repository as it is checked out, or why it was not asked.'),
  packages: s
    .array(s.string())
    .describe('Packages of this repository that export what was asked about, or what uses it here.'),
  uses: some(linkedUse).describe('Nearest and surest first.'),
});

export type LinkedUses = s.Infer<typeof linkedUses>;
export type LinkedUse = s.Infer<typeof linkedUse>;
