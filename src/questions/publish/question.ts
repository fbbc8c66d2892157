/** `publish`: sends the index to a fleet, where thousands of repositories are searched together. */
import { flag, integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count } from '../shared-output.js';

const refReportSchema = s.object({
  ref: s.string(),
  commit: s.string(),
  outcome: s
    .enum(['published', 'unchanged', 'superseded', 'planned', 'deleted'])
    .describe('`superseded`: the fleet has a newer commit of this branch already. `planned`: a dry run.'),
  covered: count.describe('Files that can be found.'),
  total: count.describe('Files that the settings select.'),
  missing: count.describe('File contents that the fleet lacked.'),
  sentBytes: count,
});

const publishReportSchema = s.object({
  schemaVersion: s.literal(1),
  repo: s.string().describe('Name of the repository in the fleet.'),
  to: s.string().describe('Address of the fleet.'),
  refs: s.array(refReportSchema),
});

export type PublishReport = s.Infer<typeof publishReportSchema>;

const params = {
  to: text({ summary: 'address of the fleet', defaultText: 'the setting fleet.url', cli: { value: 'url' } }),
  ref: list({
    summary: 'branches, tags or commits to publish',
    defaultText: 'the current branch',
    cli: { value: 'ref' },
  }),
  branches: list({
    summary: 'publish every branch whose name matches',
    defaultText: 'the setting fleet.refs',
    cli: { value: 'glob' },
  }),
  as: text({ summary: 'name under which one ref is published; a commit needs one', cli: { value: 'name' } }),
  default: text({ summary: 'name of the main branch', defaultText: "the remote's", cli: { value: 'name' } }),
  repo: text({
    summary: 'name of the repository in the fleet',
    defaultText: 'host and path of its remote',
    cli: { value: 'name' },
  }),
  keep: integer({
    summary: 'commits of each branch that stay searchable by their ids',
    ...{ min: 1, max: 1_000, defaultText: 'the newest alone' },
    cli: { value: 'n' },
  }),
  prune: flag({ summary: 'remove published refs that are no branch or tag here' }),
  dryRun: flag({ summary: 'say how much would be sent; send nothing' }),
} as const;

export type PublishValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'publish',
  summary: 'send the index of branches to a fleet, which searches many repositories at once',
  effect: 'writes',
  openWorld: true,
  params,
  answer: async () => (await (await import('../fleet/package.js')).loadFleet()).publish,
  text: async () => (await import('../fleet/answer.js')).publishText,
  documents: { publish: { schema: publishReportSchema } },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['publish --to file:///srv/fleet', 'the current branch, into a folder'],
      ["publish --branches 'release/*' --prune", 'branches by name; deleted branches are no longer published'],
      ['publish --keep 20', 'the current branch; its last 20 published commits can be searched, too'],
      ['publish --dry-run', 'how much the fleet lacks'],
    ],
  },
});
