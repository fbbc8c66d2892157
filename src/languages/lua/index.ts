/** Lua. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { words } from '../words.js';

export const lua: Language = {
  id: 'lua',
  plain: 'code',
  extensions: words('lua rockspec'),
  interpreters: words('lua luajit'),
  grammar: { name: 'lua' },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.lua, relations: relations.lua };
  },
  imports: async () => (await import('./imports.js')).LUA,
  semantics: semantics({ family: 'lua', tables: true, globalFunctions: true, constructorNames: new Set(['new']) }),
  conventions: {
    topLevelCode: true,
    assignedMembers: true,
    untypedMembers: true,
    runtimeName: /^__\w+$/,
    testName: /^test/,
  },
};
