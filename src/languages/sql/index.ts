/** SQL. */
import { type Language, words } from '../language.js';

export const sql: Language = {
  id: 'sql',
  plain: 'code',
  extensions: words('sql ddl dml pgsql psql'),
  grammar: { name: 'sql', expando: '_' },
  rules: async () => ({ definitions: (await import('./rules.js')).sql }),
};
