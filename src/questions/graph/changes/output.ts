/** Pieces of documents about a change: what differs before and after it, and what it leaves dangling. */
import * as s from '../../../params/shape.js';
import { count, oid } from '../../shared-output.js';
import { apiChange } from '../diff/question.js';
import { edgeKind, line, nodePlace, some } from '../output.js';

const formerPlace = nodePlace.pick('path', 'symbol', 'kind');
const placeNow = s.object({ path: s.string(), symbol: s.string().nullable(), line });

const dangling = s.object({
  path: s.string(),
  line,
  symbol: s.string().nullable().describe('The enclosing symbol; null at top level.'),
  kind: edgeKind,
  text: s.string().describe('As written; untrusted repository content.'),
  certainty: s
    .enum(['certain', 'likely', 'possible'])
    .describe(
      'certain: nothing else defines, imports or inherits the name; likely: it may have a target that the text does not tell; possible: it had no target before either, and its receiver or a name that nothing else has speaks for this one.',
    ),
  was: formerPlace.describe('Where it led before the change.'),
  how: s
    .enum(['removed', 'renamed', 'moved', 'hidden'])
    .describe('What became of that; hidden: it is not exported any more.'),
  now: placeNow.optional().describe('Where that is now.'),
});

const mismatch = s.object({
  path: s.string(),
  line,
  symbol: s.string().nullable().describe('The enclosing symbol; null at top level.'),
  text: s.string().describe('As written; untrusted repository content.'),
  level: s.enum(['error', 'warning']).describe('warning: the language runs it nevertheless, or it may be meant so.'),
  problem: s.enum(['too-few', 'too-many', 'keyword', 'order']),
  detail: s.string().describe('One phrase.'),
  callee: placeNow.describe('What it calls.'),
});

const further = s.object({
  kind: s.enum(['route', 'schema', 'configuration']),
  change: s.enum(['added', 'removed', 'changed']),
  name: s.string().describe('Method and path of a route, else the path; untrusted repository content.'),
  path: s.string(),
  line,
});

export const coupled = s.object({
  path: s.string(),
  with: s.string().describe('The changed file that it changes with most.'),
  together: count.describe('Commits that changed both, of the last 5,000.'),
  of: count.describe('Commits that changed `with`.'),
  share: s.number({ minimum: 0, maximum: 1 }).describe('Of those commits, newer ones weighing more.'),
  last: oid.describe('The newest commit that changed both.'),
});

export const owner = s.object({
  author: s.string().describe('As in the commits; untrusted repository content.'),
  commits: count,
  share: s
    .number({ minimum: 0, maximum: 1 })
    .describe('Of all commits that changed the files, newer ones weighing more.'),
  last: s.string().nullable().describe('Date of the newest.'),
});

/** Fields that need both graphs. */
export const bothVersions = {
  notRead: some(s.string()).describe(
    'Files that differ and could not be parsed as a whole, before or after: changes and uses in them may be missing here.',
  ),
  users: s
    .object({ before: count, after: count })
    .describe(
      'Symbols and files that use the changed code, directly or through others: before the change, and after it.',
    ),
  dangling: some(dangling).describe('Uses that lead nowhere since the change; certain ones first.'),
  mismatches: some(mismatch).describe('Calls that fit the former parameters and not the new ones.'),
  api: some(apiChange).describe('Exported symbols outside of tests: removed, changed, moved, added.'),
  further: some(further).describe(
    'Routes that come, go or get another handler; schemas and configuration that differ.',
  ),
  coupled: some(coupled).describe('Files that usually change together with these and did not.'),
  owners: some(owner).describe(
    'Authors who made most of the changes to these files, at most 80% and none below 2%, five at most.',
  ),
};

export type DanglingUse = s.Infer<typeof dangling>;
export type Mismatch = s.Infer<typeof mismatch>;
export type FurtherChange = s.Infer<typeof further>;
export type CoupledFile = s.Infer<typeof coupled>;
export type Owner = s.Infer<typeof owner>;
