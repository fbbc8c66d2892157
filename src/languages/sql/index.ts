/** SQL. */
import type { Language } from '../language.js';
import { words } from '../words.js';

export const sql: Language = {
  id: 'sql',
  plain: 'code',
  extensions: words('sql ddl dml pgsql psql'),
  grammar: { name: 'sql', expando: '_' },
  rules: async () => ({ definitions: (await import('./definitions.js')).sql }),
};
