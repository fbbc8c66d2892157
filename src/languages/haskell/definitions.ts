/** Haskell. */
import type { DefinitionRules } from '../roles/definitions.js';

export const haskell: DefinitionRules = {
  definitions: [
    { node: ['data_type', 'newtype'], kind: 'type', name: '>name' },
    { node: ['type_synomym', 'type_family'], kind: 'type', name: '>name' },
    { node: 'class', kind: 'trait', name: '>name', body: '>class_declarations' },
    { node: 'instance', kind: 'impl', name: '>name', body: '>instance_declarations' },
    { node: 'data_constructor', kind: 'enum-member', nameText: /(?:!?\s*)([A-Z][\w']*)/y },
    {
      node: ['signature', 'function', 'bind'],
      kind: 'function',
      member: 'method',
      nameText: /([a-z_][\w']*|\([^\w\s()]+\))/y,
      parents: ['declarations', 'class_declarations', 'instance_declarations'],
      body: 'match',
    },
  ],
  groups: ['imports', 'declarations'],
  imports: ['pragma', 'header', 'import'],
  comments: ['comment', 'haddock'],
  docs: { line: /^--/, block: ['{-', '-}'] },
  exported: {},
  exportList: /^module\s+[\w.]+\s*\(([\s\S]*?)\)\s*where\b/m,
  merge: 'clauses',
};
