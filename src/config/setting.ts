/** One setting of the table: its default, the check of a value, and the words of a refusal. */
import { accepted, accepts, expectation, refusedPart } from '../params/read.js';
import type { Setting, SettingTable } from './settings.js';
import type { Config } from './types.js';

/** `search.limit` -> its value in a nested configuration; undefined if it has none. */
export function settingAt(target: unknown, key: string): unknown {
  return key.split('.').reduce((at, part) => (at as Record<string, unknown> | undefined)?.[part], target);
}

/** Sets a dotted key; keys come from a table, never from a source. */
export function assignSetting(target: Record<string, unknown>, key: string, value: unknown): void {
  const dot = key.indexOf('.');
  if (dot < 0) {
    target[key] = value;
    return;
  }
  const section = key.slice(0, dot);
  target[section] ??= {};
  assignSetting(target[section] as Record<string, unknown>, key.slice(dot + 1), value);
}

/** The configuration without any source: each call gives a copy of its own. Settings without a default are left out. */
export function defaultConfig<T = Config>(table: SettingTable): T {
  const config: Record<string, unknown> = {};
  for (const [key, { default: value }] of Object.entries(table)) {
    // A section is there although none of its settings has a default.
    if (key.includes('.')) config[key.slice(0, key.indexOf('.'))] ??= {};
    if (value !== undefined) assignSetting(config, key, structuredClone(value));
  }
  return config as T;
}

/** The value to use, or undefined for one that the setting does not take. Without `languageIds`, only their form is checked. */
export function checkedValue(setting: Setting, value: unknown, languageIds: readonly string[]): unknown {
  if (!accepts(setting, value)) return undefined;
  if (setting.type === 'list') return [...(value as string[])];
  if (setting.type === 'records') return accepted(setting, value);
  if (setting.type !== 'pairs') return value;
  const pairs = Object.entries(value as Record<string, string>);
  const ids = pairs.map(([, id]) => id);
  if (setting.completes === 'language' && languageIds.length > 0 && !ids.every((id) => languageIds.includes(id)))
    return undefined;
  // Extensions are compared in lower case.
  return Object.fromEntries(pairs.map(([extension, id]) => [extension.toLowerCase(), id]));
}

/** Ends the sentence "allowed: …". Numbers are written as a file may hold them. */
export function allowedValues(setting: Setting): string {
  const { type, choices, min, max, unit } = setting;
  if (type === 'choice' && choices !== undefined) return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  if (type !== 'integer' && type !== 'number') return expectation(setting);
  const noun = type === 'integer' ? 'an integer' : 'a number';
  return `${noun} from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`;
}

/** The part of a value that is refused, with what is allowed there: of a list of objects one field of one of them. */
export function refusal(setting: Setting, value: unknown): { at: string; value: unknown; allowed: string } {
  return refusedPart(setting, value) ?? { at: '', value, allowed: allowedValues(setting) };
}
