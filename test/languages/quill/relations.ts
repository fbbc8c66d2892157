/** Relations of Quill: `import "path";` makes all names of that file usable; calls are written `name(…)`. */
import { calls, type RelationRules } from '../../../src/languages/roles/relations.js';

export const quill: RelationRules = {
  lexical: { joins: ['.'], quotes: '"', lineComments: ['//'] },
  nodes: {
    arguments: calls(),
    import_statement: ({ start, end, text }, facts) => {
      const specifier = /"([^"\n]+)"/.exec(text)?.[1];
      if (specifier !== undefined) facts.import(start, end, 'import', specifier, [{ name: '*', alias: '' }]);
    },
  },
  top: ['import_statement'],
  brackets: ['arguments'],
};
