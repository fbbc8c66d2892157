/** Document of `graph outline` without a file, or with a directory. */
import { z } from 'zod';
import { count } from '../../../output-parts.js';
import { header, line } from '../../output-parts.js';

const definition = z.strictObject({
  line,
  text: z.string().describe('Its declaration, or its name; untrusted repository content.'),
  members: z.array(z.string()).optional().describe('Of a type: its most used members, as line and declaration.'),
});

export const graphMapResponseSchema = z.strictObject({
  ...header,
  scope: z.array(z.string()).describe('Directories and patterns asked for; none: the whole repository.'),
  budget: count.describe('Tokens asked for.'),
  tokens: count.describe('Tokens of this document, estimated; its text has fewer.'),
  folderCount: count.describe('Folders of the map, listed or not.'),
  folders: z
    .array(
      z.strictObject({
        path: z.string().describe("'' for the top."),
        files: count.describe('Files of code in it, listed or not.'),
        uses: z.array(z.string()).describe('Folders that it uses, most used first.'),
        central: z
          .array(
            z.strictObject({
              path: z.string(),
              lines: count,
              defined: count.describe('Definitions at top level that others use or can use, listed or not.'),
              defines: z.array(definition),
            }),
          )
          .describe('Files that the rest depends on, first.'),
      }),
    )
    .describe('Most central first.'),
  aside: z
    .array(z.strictObject({ path: z.string().describe("'.' for the top."), files: count }))
    .describe('Folders with most code that is not on the map: tests, examples, copies.'),
});

export type GraphMapResponse = z.infer<typeof graphMapResponseSchema>;
