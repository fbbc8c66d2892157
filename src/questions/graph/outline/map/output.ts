/** Document of `graph outline` without a file, or with a directory. */
import * as s from '../../../../params/shape.js';
import { count } from '../../../output-parts.js';
import { header, line } from '../../output-parts.js';

const definition = s.object({
  line,
  text: s.string().describe('Its declaration, or its name; untrusted repository content.'),
  members: s.array(s.string()).optional().describe('Of a type: its most used members, as line and declaration.'),
});

export const graphMapResponseSchema = s.object({
  ...header,
  scope: s.array(s.string()).describe('Directories and patterns asked for; none: the whole repository.'),
  budget: count.describe('Tokens asked for.'),
  tokens: count.describe('Tokens of this document, estimated; its text has fewer.'),
  folderCount: count.describe('Folders of the map, listed or not.'),
  folders: s
    .array(
      s.object({
        path: s.string().describe("'' for the top."),
        files: count.describe('Files of code in it, listed or not.'),
        uses: s.array(s.string()).describe('Folders that it uses, most used first.'),
        central: s
          .array(
            s.object({
              path: s.string(),
              lines: count,
              defined: count.describe('Definitions at top level that others use or can use, listed or not.'),
              defines: s.array(definition),
            }),
          )
          .describe('Files that the rest depends on, first.'),
      }),
    )
    .describe('Most central first.'),
  aside: s
    .array(s.object({ path: s.string().describe("'.' for the top."), files: count }))
    .describe('Folders with most code that is not on the map: tests, examples, copies.'),
});

export type GraphMapResponse = s.Infer<typeof graphMapResponseSchema>;
