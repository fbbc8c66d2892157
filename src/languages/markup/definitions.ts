/** Definitions of Markdown: sections. */
import type { DefinitionRules } from '../roles/definitions.js';

export const markdown: DefinitionRules = {
  definitions: [
    {
      node: 'section',
      kind: 'section',
      nameText:
        /(?:[^\S\n]*\n)*[^\S\n]{0,3}(?:#{1,6}[^\S\n]+([^\n]*?)(?:[^\S\n]+#+)?[^\S\n]*$|([^\n]+)\n[^\S\n]*(?:=+|-+)[^\S\n]*$)/my,
      exported: {},
    },
  ],
  comments: [],
  docs: {},
  exported: {},
};
