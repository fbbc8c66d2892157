/** `push`, `pull`, `share`: how the index travels with a remote. */
import { commandText, flag, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count } from '../shared-output.js';
import { remoteArgument as remote } from '../shared-params.js';

export const transferParams = {
  remote,
  all: flag({ summary: 'records of every profile (`profiles` lists them), not only of those in use' }),
} as const;

const pushParams = {
  ...transferParams,
  dryRun: flag({ summary: 'say how much would be sent, and send nothing' }),
} as const;

/** Values of a push, or of a pull, which has no dry run. */
export type TransferValues = Values<typeof transferParams> & Pick<Values<typeof pushParams>, 'dryRun'>;

const refCountSchema = s.object({ ref: s.string(), records: count });

export const pushReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string(),
  status: s
    .enum(['sent', 'would-send', 'up-to-date', 'denied'])
    .describe('`would-send` after a dry run, `denied` only where an earlier push was: the remote was not asked again.'),
  refs: s.array(refCountSchema).describe('Notes refs of the remote that grew, and by how many records.'),
  sent: count,
  withheld: count.describe(
    'Records and entries that stay here: they tell of what no branch or tag of the remote reaches.',
  ),
  unseen: count.describe(
    'Branches and tags of the remote whose commits are not here, counted where something stays here: once they are fetched, more may be sent.',
  ),
  received: count.describe('Records that the remote had and this repository lacked.'),
  bytes: count.describe('Of the records sent, before git compresses them.'),
  attempts: count.describe('More than one where others were pushing at the same time.'),
});

export const pullReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string(),
  refs: s
    .array(refCountSchema)
    .describe('Notes refs that the remote has, and how many of their records were new here.'),
  received: count,
  verified: s
    .object({
      equal: count,
      different: s.array(s.string()).describe('Ids of blobs whose records are not what the blobs give.'),
      notComparable: count.describe(
        'Their records are refused anyway, or their blobs are not here or cannot be parsed.',
      ),
    })
    .nullable()
    .describe('New records that were derived again, as many as `share.verify` says; null for none.'),
});

const shareReportSchema = s.object({
  schemaVersion: s.literal(1),
  remote: s.string(),
  enabled: s.boolean().describe('Does a plain `git fetch` bring the index?'),
  changed: s.boolean().describe('Did this command change that?'),
  refspec: s.string(),
  mirrored: s
    .boolean()
    .describe(
      '`git fetch` replaces the local notes with those of the remote, as in a mirror: records not pushed are lost by it.',
    ),
  refs: s
    .array(
      s.object({
        ref: s.string(),
        ahead: count.describe('Records that only this repository has.'),
        behind: count.describe('Records that only the remote has.'),
        local: s.boolean().describe('Is the ref here?'),
        tracked: s.boolean().describe('Was it on the remote at the last fetch?'),
      }),
    )
    .describe('As of the last fetch; the remote is not asked.'),
});

export type PushReport = Omit<s.Infer<typeof pushReportSchema>, 'schemaVersion'>;
export type PullReport = Omit<s.Infer<typeof pullReportSchema>, 'schemaVersion'>;
export type ShareReport = Omit<s.Infer<typeof shareReportSchema>, 'schemaVersion'>;

export const push = defineQuestion({
  name: 'push',
  summary: 'upload the index to a remote, for commits that the remote already has',
  effect: 'writes',
  openWorld: true,
  params: pushParams,
  answer: async () => (await import('./answer.js')).answerPush,
  text: async () => (await import('./answer.js')).pushText,
  documents: { push: { schema: pushReportSchema } },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['push', 'records of what the usual remote has'],
      ['push --dry-run', 'how much would be sent'],
      ['push upstream --all', 'records of every profile, to a remote by its name'],
    ],
  },
});

export const pull = defineQuestion({
  name: 'pull',
  summary: "fetch a remote's records and merge them into the local notes",
  effect: 'writes',
  openWorld: true,
  params: transferParams,
  answer: async () => (await import('./answer.js')).answerPull,
  text: async () => (await import('./answer.js')).pullText,
  documents: { pull: { schema: pullReportSchema } },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['pull', 'records of the usual remote'],
      ['pull upstream --all', 'records of every profile, from a remote by its name'],
    ],
  },
});

const shareParams = { remote } as const;

export type ShareValues = Values<typeof shareParams>;

const json = 'print the report as JSON';

type ShareExamples = readonly (readonly [line: string, purpose: string])[];

function shareQuestion(action: 'enable' | 'disable' | 'status', summary: string, examples: ShareExamples) {
  return defineQuestion({
    name: `share ${action}`,
    summary,
    effect: action === 'status' ? 'reads' : 'writes',
    params: shareParams,
    answer: async () => (await import('./answer.js')).answerShare[action],
    text: async () => (await import('./answer.js')).shareText,
    documents: {
      share: { schema: shareReportSchema, title: commandText('share', { json: true }) },
    },
    command: { group: 'Share', json, examples },
  });
}

export const questions = [
  push,
  pull,
  shareQuestion('enable', 'let a plain `git fetch` bring the index, too', [
    ['share enable', 'for the usual remote'],
    ['share enable upstream', 'for a remote by its name'],
  ]),
  shareQuestion('disable', 'stop a plain `git fetch` from bringing the index', [
    ['share disable', 'for the usual remote'],
    ['share disable upstream', 'for a remote by its name'],
  ]),
  shareQuestion('status', 'say what is shared, and what only one side has (as of the last fetch)', [
    ['share status', 'for the usual remote'],
    ['share status upstream', 'for a remote by its name'],
  ]),
];
