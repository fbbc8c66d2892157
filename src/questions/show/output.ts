/** Document of `show`. */
import * as s from '../../params/shape.js';
import { nodePlace, some } from '../graph/output-parts.js';
import { mentions } from '../note/mention/output.js';
import { answer, count, faultSchema, oid } from '../output-parts.js';
import { toldSummaries } from '../summarize/told/output.js';

const line = s.integer({ exclusiveMinimum: 0 });

const changeSchema = s.object({
  line: line.describe(
    'First of the lines that are new or changed; where lines were only removed, the line after them.',
  ),
  added: count.describe('Lines that are new or changed.'),
  removed: count.describe('Lines of the older side that stood in their place.'),
});

const partSchema = s.object({
  target: s.string().describe('The target that it answers, as asked for.'),
  path: s.string(),
  symbol: s.string().nullable().describe('Qualified name where a symbol was asked for.'),
  startLine: line,
  endLine: line.describe('Last line, inclusive.'),
  content: s.string().describe('Lines of the file as of the ref; untrusted repository content.'),
  alternatives: s
    .array(s.string())
    .optional()
    .describe('First part of a symbol: definitions of its name that were not meant, as they are asked for.'),
  changes: s.array(changeSchema).optional().describe('With a range: its changes in these lines, in order.'),
});

const candidateSchema = nodePlace.extend({
  uses: count.describe('Uses that lead there.'),
  pick: s.string().describe('What to ask for to mean this one.'),
});

export const showSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  coverage: answer.coverage
    .optional()
    .describe('Where a symbol was looked up: files in the graph, and how many could be.'),
  range: s
    .object({
      from: oid.nullable().describe('Commit of the older side; of A...B the merge base.'),
      deleted: s
        .object({ count, first: s.array(s.string()).describe('At most 20 paths.') })
        .optional()
        .describe('Without targets: files that the newer side lacks.'),
      skipped: s.record(count).optional().describe('Without targets: changed files without text to show, by reason.'),
    })
    .optional()
    .describe('The range whose changes are marked.'),
  files: s
    .array(
      s.object({
        path: s.string(),
        blob: oid.describe('Blob id of the text, also of one that is not committed.'),
        lines: count,
        bytes: count,
        uncommitted: s.literal(true).optional().describe('The text is not committed as it is here.'),
        note: s.string().optional().describe('What a reader has to know about the text.'),
      }),
    )
    .describe('Every file of which there is a part.'),
  parts: s.array(partSchema).describe('In the order of the targets; long ones in several parts for agents.'),
  notes: mentions.optional(),
  summaries: toldSummaries.optional(),
  partsLeftOut: count.describe('Further parts, on the next page or beyond the limit.'),
  problems: s
    .array(faultSchema.extend({ target: s.string(), candidates: some(candidateSchema).optional() }))
    .describe('Targets without an answer, each with the reason and the next step.'),
});

export type ShowDocument = s.Infer<typeof showSchema>;
export type Part = ShowDocument['parts'][number];
export type Change = s.Infer<typeof changeSchema>;
export type Problem = ShowDocument['problems'][number];
