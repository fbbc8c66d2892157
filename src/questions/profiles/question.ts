/** `profiles`: kinds of records known here. */
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count } from '../shared-output.js';

export const profilesReportSchema = s.object({
  schemaVersion: s.literal(1),
  profiles: s.array(
    s.object({
      kind: s.string().describe('`syntax`, `vectors` or `compiler`.'),
      profile: s.string(),
      use: s
        .enum(['current', 'readable', 'newer', 'older', 'other', 'unknown'])
        .describe(
          'What this installation makes of it: writes and reads it; reads it under other settings; was written by a newer or an older version; by another one; nobody says.',
        ),
      about: s
        .record(s.unknown())
        .nullable()
        .describe(
          'What the profile stands for, as its writer said; null if nobody said, or something that cannot be true.',
        ),
      places: s.array(
        s.object({
          where: s.enum(['notes', 'remote', 'tree', 'shards']),
          name: s.string().describe('Ref, `<tree>:.socraticode/…`, or directory.'),
          records: count.nullable().describe('Null where counting would mean reading everything.'),
          bytes: count.describe('Of the records as they are stored, or of the files.'),
          date: s.string().nullable().describe('Of the newest commit, ISO 8601.'),
        }),
      ),
    }),
  ),
  notice: s.string().nullable().describe('Records that this installation cannot use, and what to do about it.'),
});

export type ProfilesReport = Omit<s.Infer<typeof profilesReportSchema>, 'schemaVersion'>;

export const question = defineQuestion({
  name: 'profiles',
  summary:
    'list the profiles known here: every version and setting that changes records has one; say where the records are, and which are in use',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerProfiles,
  text: async () => (await import('./answer.js')).profilesText,
  documents: { profiles: { schema: profilesReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['profiles', 'which records are here, and which are in use'],
      ['profiles --json', 'also what each profile stands for'],
    ],
  },
});
