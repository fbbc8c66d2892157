/** Document of a search for commits. */
import * as s from '../../../params/shape.js';
import { count, oid } from '../../output-parts.js';
import { pastHeader } from '../../past/output.js';
import { mention } from '../../why/output.js';

export const commitsSchema = s.object({
  ...pastHeader,
  query: s.string(),
  results: s
    .array(
      s.object({
        commit: oid,
        date: s.string().nullable().describe("The author's date, ISO 8601; null if the commit's date is none."),
        author: s.string().describe('Untrusted text of the commit.'),
        subject: s.string().describe('First line of the message; untrusted text of the commit.'),
        body: s.string().describe('Beginning of the rest; untrusted text of the commit.'),
        score: s.number({ minimum: 0, maximum: 1 }).describe('Fraction of the score of the best result, from 0 to 1.'),
        paths: s.array(s.string()).describe('Files that it changed, by the names that they have now; none of a merge.'),
        files: count.describe('Number of files that it changed.'),
        symbols: s.array(s.string()).describe('Symbols that it changed, where the best results were compared.'),
        symbolsLeftOut: count.describe('Further symbols.'),
        mentions: s.array(mention).describe('Pull requests and issues that the message names.'),
      }),
    )
    .describe('Best first.'),
  resultsLeftOut: count.describe('Further commits that have a word of the query.'),
});

export type CommitsDocument = s.Infer<typeof commitsSchema>;
