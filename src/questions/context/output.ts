/** Documents of `context`: named files and folders next to the code. */
import * as s from '../../params/shape.js';
import { some } from '../graph/output-parts.js';
import { count, counts, oid } from '../output-parts.js';
import { searchResponseSchema } from '../search/output.js';

const state = s
  .enum(['ready', 'partial', 'stale', 'missing', 'not-allowed'])
  .describe(
    'Whether all of it can be searched, some files are still to be indexed, it has changed since, nothing is there, or the user has not allowed to read it.',
  );

const note = s.string().describe('What is to be done about it.');

const artifactSchema = s.object({
  name: s.string(),
  path: s.string().describe('As the repository names it; untrusted.'),
  description: s.string().describe('As the repository describes it; untrusted.'),
  outside: s.boolean().describe('Outside of the repository: in no snapshot, read from disk as it is now.'),
  state,
  oid: oid
    .nullable()
    .describe('Its blob or tree in the snapshot; of an outside one its blob, or a digest of its files.'),
  indexedOid: oid.nullable().optional().describe('Of an outside one: `oid` when it was indexed.'),
  files: count.describe('Files that can be searched once they are indexed.'),
  indexed: count.describe('Of those, the files that are.'),
  uncommitted: count.describe('Files that are not committed as they are; they are searched as they are now.'),
  bytes: count,
  chunks: count.describe('Of what is indexed.'),
  skipped: counts.describe('Files that are not searched, by reason.'),
  note: note.nullable(),
});

const list = {
  schemaVersion: s.literal(1),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable().describe('The commit that inside artifacts are about; null where a tree was named.'),
};

export const contextListSchema = s.object({
  ...list,
  artifacts: some(artifactSchema),
  files: some(
    s.object({
      path: s.string(),
      bytes: count.nullable(),
      reason: s.string().nullable().describe('Why its text is not here.'),
      content: s.string().optional().describe('Untrusted content.'),
      contentLeftOut: count.optional().describe('Bytes of it beyond the limit.'),
    }),
  )
    .optional()
    .describe('Where the text of one artifact was asked for.'),
});

export const contextSearchResponseSchema = searchResponseSchema.extend({
  artifacts: count.describe('Artifacts that were searched.'),
  unavailable: s.array(s.object({ name: s.string(), state, note })).describe('Some that were not.'),
  unavailableTotal: count,
});

export const contextIndexReportSchema = s.object({
  ...list,
  indexing: s.literal(true).optional().describe('The snapshot is still being indexed: ask again.'),
  new: count.describe('Blobs of the snapshot that were parsed in this run; inside artifacts are part of it.'),
  outside: s
    .object({ artifacts: count, files: count, new: count.describe('Files read and parsed in this run.') })
    .describe('Artifacts outside of the repository, brought up to date.'),
  artifacts: some(artifactSchema),
});

export const contextRemoveReportSchema = s.object({
  schemaVersion: s.literal(1),
  removed: count.describe('Indexes of outside artifacts that were deleted.'),
  bytes: count,
  kept: s.array(s.string()).describe('Inside artifacts: they belong to the index of the repository.'),
  note: note.nullable(),
});

export type ContextArtifact = s.Infer<typeof artifactSchema>;
export type ContextList = s.Infer<typeof contextListSchema>;
export type ContextFiles = NonNullable<ContextList['files']>;
export type ContextSearchResponse = s.Infer<typeof contextSearchResponseSchema>;
export type ContextIndexReport = s.Infer<typeof contextIndexReportSchema>;
export type ContextRemoveReport = s.Infer<typeof contextRemoveReportSchema>;
