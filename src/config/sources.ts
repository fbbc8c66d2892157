/**
 * Reads each source of settings into a flat list of values with their origins. It validates only the names of keys.
 * Values from text are converted to the type of their key, and stay text if that fails.
 */
import { SocraticodeError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import type { ParamType } from '../params/param.js';
import { jsonFault } from './json.js';
import { ENV_ALIASES, ENV_NOT_KEYS, ENV_NOT_KEYS_PREFIX, type SettingTable } from './settings.js';
import type { ConfigSources, GitConfigEntry } from './types.js';

/** Value of one key in one source. */
export interface GivenSetting {
  key: string;
  value: unknown;
  /** Value of this line alone, if `value` is the sum of several lines. */
  own?: unknown;
  origin: string;
  /** False for sources that come with a repository: its files and its own git config. */
  trusted: boolean;
}

const ENV_PREFIX = 'SOCRATICODE_';
const GIT_PREFIX = 'socraticode.';
const MAX_SHOWN = 80;
/** Booleans as git spells them. */
const BOOLEANS: Record<string, boolean> = {
  ...{ true: true, yes: true, on: true, 1: true },
  ...{ false: false, no: false, off: false, 0: false },
};
const SUFFIXES: Record<string, number> = { '': 1, k: 1_024, m: 1_048_576, g: 1_073_741_824 };

/**
 * Prepares a value for a message: short; without control or bidirectional characters, since repositories choose it; and
 * without the user and password of a URL, since messages end up in logs.
 */
export function show(value: unknown): string {
  const whole = (JSON.stringify(value) ?? String(value)).replace(/\/\/[^/"]*@/g, '//***@');
  const text = whole.slice(0, MAX_SHOWN);
  return text.replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function unknownKey(origin: string, name: string, known: Iterable<string>): never {
  const names = [...known];
  const near = nearest(name, names);
  const advice = near === null ? `known: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new SocraticodeError('BAD_CONFIG', `${origin}: unknown key ${show(name)}; ${advice}`);
}

/** `search.minScore` -> `SOCRATICODE_SEARCH_MIN_SCORE`. */
export function envName(key: string): string {
  return ENV_PREFIX + key.replace(/[A-Z]/g, '_$&').replaceAll('.', '_').toUpperCase();
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Parses `.inc:php,.x:c`; a part without a colon gets an empty id, which no schema accepts. */
function pairsOf(parts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    parts.map((part) => {
      const colon = part.indexOf(':');
      return colon < 0 ? [part, ''] : [part.slice(0, colon).trim(), part.slice(colon + 1).trim()];
    }),
  );
}

function fromText(type: ParamType, text: string): unknown {
  if (type === 'list') return listOf(text);
  if (type === 'pairs') return pairsOf(listOf(text));
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'flag') return Object.hasOwn(BOOLEANS, text.toLowerCase()) ? BOOLEANS[text.toLowerCase()] : text;
  if (type !== 'integer') return text;
  const match = /^(-?\d{1,15})([kmg]?)$/i.exec(text);
  return match === null ? text : Number(match[1]) * SUFFIXES[match[2].toLowerCase()];
}

/** Flattens nested and dotted keys. It enters only objects above a known key, so the table bounds the depth. */
function flatten(table: SettingTable, value: object, prefix: string, origin: string, trusted: boolean): GivenSetting[] {
  return Object.entries(value).flatMap(([name, item]): GivenSetting[] => {
    const key = prefix + name;
    if (item === undefined || key === '$schema') return [];
    if (Object.hasOwn(table, key)) return [{ key, value: item, origin, trusted }];
    const isSection = Object.keys(table).some((known) => known.startsWith(`${key}.`));
    if (!isSection) return unknownKey(origin, key, Object.keys(table));
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      throw new SocraticodeError('BAD_CONFIG', `${origin}: ${key} is ${show(item)}; allowed: an object`);
    }
    return flatten(table, item, `${key}.`, origin, trusted);
  });
}

function fromFile(table: SettingTable, file: ConfigSources['file']): GivenSetting[] {
  if (file === undefined) return [];
  const text = file.text.replace(/^\ufeff/, '');
  const fault = jsonFault(text);
  if (fault !== null) {
    throw new SocraticodeError(
      'BAD_CONFIG',
      `${file.origin}:${fault.line}:${fault.column}: not valid JSON: ${fault.reason}`,
    );
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new SocraticodeError('BAD_CONFIG', `${file.origin}: is ${show(value)}; allowed: an object`);
  }
  return flatten(table, value, '', file.origin, false);
}

function fromEnv(table: SettingTable, env: NodeJS.ProcessEnv): GivenSetting[] {
  const keys = new Map(Object.keys(table).map((key) => [envName(key), key]));
  for (const [name, key] of Object.entries(ENV_ALIASES)) if (Object.hasOwn(table, key)) keys.set(name, key);
  return Object.keys(env)
    .filter((name) => name.startsWith(ENV_PREFIX) && !ENV_NOT_KEYS.has(name) && !name.startsWith(ENV_NOT_KEYS_PREFIX))
    .flatMap((name): GivenSetting[] => {
      const text = env[name] ?? '';
      const key = keys.get(name) ?? unknownKey('environment', name, keys.keys());
      if (text === '') return [];
      return [{ key, value: fromText(table[key].type, text), origin: `environment ${name}`, trusted: true }];
    });
}

/** Settings from git config. Repeated lines of a list add up and an empty one restarts it, as with git's own multi-valued keys. */
function fromGit(table: SettingTable, entries: readonly GitConfigEntry[]): GivenSetting[] {
  const keys = new Map(Object.keys(table).map((key) => [key.toLowerCase(), key]));
  const settings: GivenSetting[] = [];
  const lists = new Map<string, string[]>();
  for (const entry of entries) {
    if (!entry.key.toLowerCase().startsWith(GIT_PREFIX)) continue;
    const origin = `git config (${entry.scope}, ${entry.origin})`;
    const name = entry.key.slice(GIT_PREFIX.length);
    const key = keys.get(name.toLowerCase()) ?? unknownKey(origin, name, keys.values());
    const { type } = table[key];
    const trusted = entry.scope !== 'local' && entry.scope !== 'worktree';
    const own = fromText(type, entry.value);
    let value = own;
    if (type === 'list' || type === 'pairs') {
      const parts = entry.value === '' ? [] : [...(lists.get(key) ?? []), entry.value];
      lists.set(key, parts);
      value = type === 'list' ? parts : pairsOf(parts);
    }
    settings.push({ key, value, own, origin, trusted });
  }
  return settings;
}

/** Settings of all sources, the strongest source last. Throws BAD_CONFIG for unknown keys and broken JSON. */
export function readSources(table: SettingTable, sources: Omit<ConfigSources, 'languageIds'>): GivenSetting[] {
  return [
    ...fromFile(table, sources.file),
    ...fromGit(table, sources.gitConfig),
    ...fromEnv(table, sources.env),
    ...flatten(table, sources.flags ?? {}, '', 'command line', true),
  ];
}
