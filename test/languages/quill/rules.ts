/** Rules of Quill: functions, all of them exported; `import "path";` makes all names of that file usable; calls are written `name(…)`. */
import type { ParsingRules } from '../../../src/languages/language.js';
import { calls } from '../../../src/languages/roles/relations.js';

export const quill: ParsingRules = {
  definitions: {
    definitions: [{ node: 'function_declaration', kind: 'function' }],
    imports: ['import_statement'],
    comments: ['comment'],
    docs: { line: /^\/\// },
    exported: {},
  },
  relations: {
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
  },
};
