/** `fsck`: checks the index against the blobs, and repairs it. */
import { flag, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count, counts, oid } from '../shared-output.js';

const finding = s.object({
  kind: s.string().describe('What is wrong, by a name that stays: "note-undecodable", "shard-damaged"…'),
  isFault: s.boolean().describe('False for what is worth knowing and no fault.'),
  about: s.string().describe('The ref, or the file from the top of the local state.'),
  blob: oid.nullable().describe('The blob that the note or the unit is about.'),
  path: s.string().nullable().describe('A path of that blob at HEAD, if it has one.'),
  message: s.string(),
  repair: s.string().nullable().describe('What a repair does about it; null where it can do nothing.'),
  hint: s.string().nullable().describe('The next step where a repair can do nothing.'),
});

export const fsckReportSchema = s.object({
  schemaVersion: s.literal(1),
  ok: s.boolean().describe('Nothing is wrong (any more).'),
  indexed: s.boolean().describe('False where there is nothing to check: no notes, no local state.'),
  checked: s
    .object({
      refs: count,
      records: count.describe('Syntax records.'),
      vectors: count.describe('Vector records.'),
      compiler: count.describe('Records of what compilers told.'),
      knowledge: count.describe('Entries that people and agents wrote.'),
      noteBytes: count,
      shards: count,
      units: count.describe('Blobs in shards, by language, that were compared with their records.'),
      snapshots: count.describe(
        'Snapshots that the manifest calls complete, and that could be compared with their trees.',
      ),
      files: count.describe('Files of the local state, whatever they are.'),
      fileBytes: count,
    })
    .describe('What was looked at.'),
  rederived: s
    .object({
      of: count.describe('Records that could have been asked for.'),
      equal: count,
      different: count,
      notComparable: counts.describe(
        'By reason: a missing grammar, a parser that ran out of time, a blob that is not here…',
      ),
      vectorsCompared: count.describe(
        'Vector records compared with the texts of their chunks; no provider is asked again.',
      ),
    })
    .nullable()
    .describe('Null without `rederive`.'),
  findings: s.array(finding).describe('The first of each kind.'),
  counts: counts.describe('Findings by kind, listed or not.'),
  repaired: s
    .object({
      findings: s.array(finding).describe('What was found first, of which `findings` is what is left.'),
      counts,
      aside: s.array(s.string()).describe('Where bad parts are kept, from the top of the local state.'),
      commits: s
        .array(s.object({ ref: s.string(), commit: oid, removed: count, replaced: count }))
        .describe('One commit for each notes ref that had bad records.'),
      indexed: s.boolean().describe('HEAD was indexed afterwards.'),
    })
    .nullable()
    .describe('Null without `repair`.'),
  ms: count,
});

export type FsckReport = Omit<s.Infer<typeof fsckReportSchema>, 'schemaVersion'>;
export type FsckFinding = FsckReport['findings'][number];

/** Sample that finds a writer who makes one record in a hundred differently in six of seven cases. */
const SAMPLE = '200';

const params = {
  rederive: text({
    summary: 'derive records again and compare them: this many, or "all"',
    defaultText: SAMPLE,
    pattern: /^(?:all|[1-9]\d{0,8})$/,
    form: 'a number of records, or "all"',
    cli: { value: 'n', bare: SAMPLE },
  }),
  profile: text({
    summary: 'only records of this profile; a repair then changes them even if it is not the one in use',
    cli: { value: 'id' },
  }),
  repair: flag({ summary: 'move damaged parts aside and build them again' }),
} as const;

export type FsckValues = Values<typeof params>;

export const question = defineQuestion({
  name: 'fsck',
  summary: 'check records and local files; exits with 1 if something is wrong',
  effect: 'writes',
  params,
  answer: async () => (await import('./answer.js')).answerFsck,
  text: async () => (await import('./answer.js')).fsckText,
  documents: { fsck: { schema: fsckReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['fsck', 'check every record and every local file'],
      ['fsck --rederive', 'also derive 200 records again'],
      ['fsck --repair', 'move damaged parts aside and build them again'],
    ],
    isNegative: ({ ok }) => !ok,
  },
});
