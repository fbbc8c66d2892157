/** Lua. */
import { type Language, semantics, words } from '../language.js';

export const lua: Language = {
  id: 'lua',
  plain: 'code',
  extensions: words('lua rockspec'),
  interpreters: words('lua luajit'),
  grammar: { name: 'lua' },
  relations: true,
  rules: async () => (await import('./rules.js')).lua,
  imports: async () => (await import('./rules.js')).LUA,
  semantics: semantics({ family: 'lua', tables: true, globalFunctions: true, constructorNames: new Set(['new']) }),
  conventions: {
    topLevelCode: true,
    assignedMembers: true,
    untypedMembers: true,
    runtimeName: /^__\w+$/,
    testName: /^test/,
  },
};
