/** Document of a search for commits. */
import { z } from 'zod';
import { count, oid } from '../../output-parts.js';
import { pastHeader } from '../../past/output.js';
import { mention } from '../../why/output.js';

export const commitsSchema = z.strictObject({
  ...pastHeader,
  query: z.string(),
  results: z
    .array(
      z.strictObject({
        commit: oid,
        date: z.string().nullable().describe("The author's date, ISO 8601; null if the commit's date is none."),
        author: z.string().describe('Untrusted text of the commit.'),
        subject: z.string().describe('First line of the message; untrusted text of the commit.'),
        body: z.string().describe('Beginning of the rest; untrusted text of the commit.'),
        score: z.number().min(0).max(1).describe('Fraction of the score of the best result, from 0 to 1.'),
        paths: z.array(z.string()).describe('Files that it changed, by the names that they have now; none of a merge.'),
        files: count.describe('Number of files that it changed.'),
        symbols: z.array(z.string()).describe('Symbols that it changed, where the best results were compared.'),
        symbolsLeftOut: count.describe('Further symbols.'),
        mentions: z.array(mention).describe('Pull requests and issues that the message names.'),
      }),
    )
    .describe('Best first.'),
  resultsLeftOut: count.describe('Further commits that have a word of the query.'),
});

export type CommitsDocument = z.infer<typeof commitsSchema>;
