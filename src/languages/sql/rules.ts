/** Definitions of SQL: what `create` statements create. */
import type { DefinitionRules } from '../roles/definitions.js';

const SQL_NAME = (what: string) =>
  new RegExp(
    `create\\s+(?:[\\w()]+\\s+)*?${what}\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?([\\w."\`\\[\\]$]+)`,
    'iy',
  );

export const sql: DefinitionRules = {
  definitions: [
    { node: 'create_table', kind: 'table', nameText: SQL_NAME('table') },
    { node: ['create_view', 'create_materialized_view'], kind: 'table', nameText: SQL_NAME('view') },
    { node: 'create_function', kind: 'function', nameText: SQL_NAME('(?:function|procedure)') },
    { node: 'create_trigger', kind: 'function', nameText: SQL_NAME('trigger') },
    { node: 'create_type', kind: 'type', nameText: SQL_NAME('type') },
    { node: 'create_schema', kind: 'namespace', nameText: SQL_NAME('schema') },
  ],
  wrappers: { statement: {} },
  comments: ['comment', 'marginalia'],
  docs: { line: /^--/, block: ['/*', '*/'] },
  exported: {},
};
