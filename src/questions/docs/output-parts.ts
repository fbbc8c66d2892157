/** Pieces that the documents of `docs` share. */
import { z } from 'zod';
import { MENTION_KINDS } from '../../documents/facts.js';
import { line, nodePlace } from '../graph/output-parts.js';

export const mention = z.strictObject({
  path: z.string().describe('The document.'),
  line,
  section: z
    .array(z.string())
    .describe('Titles of the sections around it, outermost first; untrusted repository content.'),
  kind: z
    .enum(MENTION_KINDS)
    .describe('Words set as code (name, path), a cross-reference, a link, or an import or use in a sample of code.'),
  text: z.string().describe('As written; untrusted repository content.'),
});

export const docLink = mention.extend({
  target: nodePlace,
  confidence: z.number().min(0).max(1).describe('How likely it means the target.'),
});

/** A mention in a document. */
export type DocMention = z.infer<typeof mention>;
/** A mention with what it means. */
export type DocLink = z.infer<typeof docLink>;

/** A symbol or a file at one end of a change. */
export const namedPlace = nodePlace.pick({ path: true, symbol: true, startLine: true });
