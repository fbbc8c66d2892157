/** Definitions of Quill: functions, all of them exported. */
import type { DefinitionRules } from '../../../src/languages/roles/definitions.js';

export const quill: DefinitionRules = {
  definitions: [{ node: 'function_declaration', kind: 'function' }],
  imports: ['import_statement'],
  comments: ['comment'],
  docs: { line: /^\/\// },
  exported: {},
};
