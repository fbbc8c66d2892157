/** Document of `docs links`. */
import * as s from '../../../params/shape.js';
import { asked, header, nodePlace, some } from '../../graph/output-parts.js';
import { count } from '../../output-parts.js';
import { docLink } from '../output-parts.js';

export const docsLinksSchema = s.object({
  ...header,
  ...asked,
  definitions: s.array(nodePlace).describe('What was asked about.'),
  documents: s
    .object({ read: count, leftOut: count })
    .describe('Documents of the snapshot; too many or too large ones are left out.'),
  comments: s
    .object({ read: count, leftOut: count })
    .describe('Files of code that hold its name; doc comments are read in the first 400 of them.'),
  mentions: some(docLink).describe('What the document, or the comments of the code, mention.'),
  mentionedIn: some(docLink).describe('Documents that mention it or a member of it, and doc comments that mention it.'),
});

export type DocsLinksDocument = s.Infer<typeof docsLinksSchema>;
