/** Pieces that the documents of `docs` share. */
import { MENTION_KINDS } from '../../documents/facts.js';
import * as s from '../../params/shape.js';
import { line, nodePlace } from '../graph/output-parts.js';

export const mention = s.object({
  path: s.string().describe('The document.'),
  line,
  section: s
    .array(s.string())
    .describe('Titles of the sections around it, outermost first; untrusted repository content.'),
  kind: s
    .enum(MENTION_KINDS)
    .describe('Words set as code (name, path), a cross-reference, a link, or an import or use in a sample of code.'),
  text: s.string().describe('As written; untrusted repository content.'),
});

export const docLink = mention.extend({
  target: nodePlace,
  confidence: s.number({ minimum: 0, maximum: 1 }).describe('How likely it means the target.'),
});

/** A mention in a document. */
export type DocMention = s.Infer<typeof mention>;
/** A mention with what it means. */
export type DocLink = s.Infer<typeof docLink>;

/** A symbol or a file at one end of a change. */
export const namedPlace = nodePlace.pick('path', 'symbol', 'startLine');
