/** Rules for parsing, loaded when the first file of a language turns up: all of them together take longer than a search. */
import type { ParsingRules } from './language.js';
import { allLanguages, languageOf } from './registry.js';

const LOADED = new Map<string, ParsingRules>();
const NO_RULES: ParsingRules = {};

/** Loads the rules of a language and of the scripts in its files. Has to be awaited before `rulesOf`. */
export async function loadRules(id: string): Promise<void> {
  if (LOADED.has(id)) return;
  const language = languageOf(id);
  const [rules] = await Promise.all([language?.rules?.(), ...(language?.scripts ?? []).map(loadRules)]);
  LOADED.set(id, rules ?? NO_RULES);
}

export async function loadAllRules(): Promise<void> {
  await Promise.all([...allLanguages()].map(({ id }) => loadRules(id)));
}

/** Rules that `loadRules` has loaded; none for a language that is cut by lines. */
export function rulesOf(id: string): ParsingRules {
  const rules = LOADED.get(id);
  if (rules === undefined && languageOf(id)?.rules !== undefined) throw new Error(`rules of ${id} are not loaded`);
  return rules ?? NO_RULES;
}
