/** CSS: `@import`. */
import type { RelationRules } from '../roles/relations.js';

const IMPORT = /^@import\s+(?:url\(\s*)?(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"');]+))/i;

export const css: RelationRules = {
  spelling: { joins: [], quotes: '"\'', lineComments: [], blockComment: ['/*', '*/'] },
  nodes: {
    import_statement: ({ start, end, text }, reading) => {
      const match = IMPORT.exec(text);
      const specifier = match?.[1] ?? match?.[2] ?? match?.[3];
      if (specifier !== undefined) reading.import(start, end, 'import', specifier);
    },
  },
};
