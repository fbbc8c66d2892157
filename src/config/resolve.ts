/**
 * Resolves the settings: command line over environment over git config over `.socraticode.json` over defaults. Pure:
 * callers hand in the raw sources. Every value is checked, even an overridden one, so that a mistake is reported when
 * it is made and not when the overriding source goes away.
 */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../base/errors.js';
import { addTo } from '../base/lists.js';
import { shellWord } from '../base/printable.js';
import { nearest } from '../base/spelling.js';
import type { ParamType } from '../params/param.js';
import {
  assignSetting,
  type Config,
  type ConfigSources,
  checkedValue,
  defaultConfig,
  ENV_ALIASES,
  ENV_NOT_KEYS,
  ENV_NOT_KEYS_PREFIX,
  FORMER_SHARED,
  FORMER_VARIABLES,
  type GitConfigEntry,
  type Instead,
  RELATIVE_PATH,
  type Resolved,
  refusal,
  SETTINGS,
  type Setting,
  type SettingTable,
  settingAt,
} from './settings.js';

const USER_HINT = 'Set it in your own configuration: git config --global socraticode.';

/** Throws BAD_CONFIG for a setting that a repository may not decide. */
function checkTrust(given: GivenSetting, { userOnly, relative }: Setting): void {
  if (given.trusted) return;
  const hint = `${USER_HINT}${given.key} VALUE`;
  if (userOnly) {
    const message = `${given.origin}: ${given.key} cannot be set by a repository, which may not be yours`;
    throw new SocraticodeError('BAD_CONFIG', message, { hint });
  }
  const named = given.own ?? given.value;
  const paths = relative && Array.isArray(named) ? named : [];
  const bad = paths.find((path) => typeof path === 'string' && !RELATIVE_PATH.test(path));
  if (bad !== undefined) {
    const message = `${given.origin}: ${given.key} has ${show(bad)}; a repository can only name relative paths`;
    throw new SocraticodeError('BAD_CONFIG', message, { hint });
  }
}

/** Adds the value of one more source to a list. */
function added(list: unknown, value: unknown): unknown {
  if (!Array.isArray(list) || !Array.isArray(value) || value.length === 0) return value;
  return [...new Set([...list, ...value])];
}

/** Resolves the settings of any table. Throws BAD_CONFIG with origin, key, and what is allowed. */
export function resolveTable<T extends object>(table: SettingTable, sources: ConfigSources): Resolved<T> {
  const config = defaultConfig<T>(table);
  const origins: Record<string, string> = {};
  for (const key of Object.keys(table)) if (settingAt(config, key) !== undefined) origins[key] = 'default';
  for (const given of readSources(table, sources)) {
    const { key, origin } = given;
    const setting = table[key];
    checkTrust(given, setting);
    const value = checkedValue(setting, given.value, sources.languageIds);
    if (value === undefined) {
      const { at, value: refused, allowed } = refusal(setting, given.value);
      throw new SocraticodeError('BAD_CONFIG', `${origin}: ${key}${at} is ${show(refused)}; allowed: ${allowed}`);
    }
    const sum = setting.addsUp ? added(settingAt(config, key), value) : value;
    assignSetting(config as Record<string, unknown>, key, sum);
    origins[key] = origin;
  }
  return { config, origins };
}

/** Settings in effect, and the source of each. Throws BAD_CONFIG for the first mistake in any source. */
export function resolveConfig(sources: ConfigSources): Resolved<Config> {
  return resolveTable(SETTINGS, sources);
}

// Sources of settings, each read into a flat list of values with their origins. Only the names of keys are checked here. Text
// is converted to the type of its key, and stays text if that fails.

/** Value of one key in one source. */
interface GivenSetting {
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

/** A variable of SocratiCode that is set and not read, and what to do instead. */
export interface UnreadVariable {
  name: string;
  instead: string;
}

/** Variables that the environment sets, except those for settings that are `chosen` in another way. */
export function unreadVariables(
  env: NodeJS.ProcessEnv,
  chosen: (key: string) => boolean = () => false,
): UnreadVariable[] {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const known = Object.keys(FORMER_VARIABLES).some(isSet) ? { ...FORMER_VARIABLES, ...FORMER_SHARED } : {};
  return Object.entries(known).flatMap(([name, instead]) => {
    if (!isSet(name) || ('key' in instead && chosen(instead.key))) return [];
    return [{ name, instead: 'why' in instead ? instead.why : settingInstead(instead, env[name] ?? '') }];
  });
}

function settingInstead({ key, value }: Extract<Instead, { key: unknown }>, text: string): string {
  const wanted = value?.(text) ?? text;
  const given = checkedText(key, wanted) ? wanted : 'VALUE';
  return `git config --global ${shellWord(GIT_PREFIX + key)} ${shellWord(given)}`;
}

/** Is the text a value that the setting takes? Others are not repeated: they may be secrets. */
const checkedText = (key: keyof typeof SETTINGS, text: string): boolean =>
  checkedValue(SETTINGS[key], fromText(SETTINGS[key].type, text), []) !== undefined;

/** Lines of `doctor`, `config`, `status` and a server: one for all variables with the same advice. */
export function unreadLines(variables: readonly UnreadVariable[]): string[] {
  const names = new Map<string, string[]>();
  for (const { name, instead } of variables) addTo(names, instead, name);
  return [...names].map(
    ([instead, shared]) => `${shared.join(', ')} ${shared.length > 1 ? 'are' : 'is'} not read here: ${instead}`,
  );
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

/** Settings from git config. Repeated lines of a list add up and an empty line restarts it, as in git's own multi-valued keys. */
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
function readSources(table: SettingTable, sources: Omit<ConfigSources, 'languageIds'>): GivenSetting[] {
  return [
    ...fromFile(table, sources.file),
    ...fromGit(table, sources.gitConfig),
    ...fromEnv(table, sources.env),
    ...flatten(table, sources.flags ?? {}, '', 'command line', true),
  ];
}

// Parser of JSON that reports the line and column of the first error: on Node 20, `JSON.parse` gives no position for most
// errors.

interface JsonFault {
  reason: string;
  /** Both 1-based; columns count UTF-16 code units. */
  line: number;
  column: number;
}

const MAX_JSON_BYTES = 65_536;
const MAX_DEPTH = 8;

const TOKEN =
  /[ \t\r\n]*(?:([{}[\],:])|("(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;
const SPACE = /[ \t\r\n]*/y;

/** Token that is expected next. The `first…` states follow an opening bracket, which may also close at once. */
type State = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end';
const EXPECTED: Record<State, string> = {
  value: 'a value',
  'first value': 'a value or "]"',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or "}"',
  colon: '":"',
  comma: '"," or the closing bracket',
  end: 'the end',
};

/** Tokens that may come next: `"` is a string, and `0` a number or a word. */
const ALLOWED: Record<State, string> = {
  ...{ value: '"0{[', 'first value': '"0{[]', key: '"', 'first key': '"}' },
  ...{ colon: ':', comma: ',}]', end: '' },
};

/** State after a token; null if the token is not allowed here. `stack` holds the open brackets. */
function step(state: State, punctuation: string, isString: boolean, stack: string[]): State | null {
  const token = punctuation || (isString ? '"' : '0');
  if (!ALLOWED[state].includes(token)) return null;
  switch (token) {
    case '{':
    case '[':
      stack.push(token);
      return token === '{' ? 'first key' : 'first value';
    case ':':
      return 'value';
    case ',':
      return stack.at(-1) === '{' ? 'key' : 'value';
    case '}':
    case ']':
      return stack.pop() === (token === '}' ? '{' : '[') ? behindValue(stack) : null;
    default:
      return state.endsWith('key') ? 'colon' : behindValue(stack);
  }
}

const behindValue = (stack: readonly string[]): State => (stack.length === 0 ? 'end' : 'comma');

function faultAt(text: string, offset: number, reason: string): JsonFault {
  const before = text.slice(0, offset);
  return { reason, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** Offset behind white space. */
function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at;
  return at + (SPACE.exec(text)?.[0].length ?? 0);
}

/** First error of `text`, null if it is JSON. */
export function jsonFault(text: string): JsonFault | null {
  if (Buffer.byteLength(text) > MAX_JSON_BYTES)
    return { reason: `more than ${MAX_JSON_BYTES} bytes`, line: 1, column: 1 };
  const stack: string[] = [];
  let state: State = 'value';
  let at = skipSpace(text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const next: State | null = match === null ? null : step(state, match[1] ?? '', match[2] !== undefined, stack);
    if (match === null || next === null) return faultAt(text, at, `expected ${EXPECTED[state]}`);
    if (stack.length > MAX_DEPTH) return faultAt(text, at, `more than ${MAX_DEPTH} levels`);
    state = next;
    at = skipSpace(text, TOKEN.lastIndex);
  }
  return state === 'end' ? null : faultAt(text, at, `ends where ${EXPECTED[state]} is expected`);
}

interface NamedLink {
  path: string;
  /** False if only the repository's files or its git config name it: then the path is not followed outside of the repository. */
  trusted: boolean;
}

/** Paths of `linkedProjects` in the order of the resolved list; the caller has resolved it, so every value is checked. */
export function namedLinks(paths: readonly string[], sources: Omit<ConfigSources, 'languageIds'>): NamedLink[] {
  const settings = readSources(SETTINGS, sources).filter(({ key, trusted }) => trusted && key === 'linkedProjects');
  const users = new Set(settings.flatMap(({ value }) => value as string[]));
  return paths.map((path) => ({ path, trusted: users.has(path) }));
}

// Profile ids: short names for the settings and versions that change the bytes of a record.

/** Hex digits of an id. A repository holds a handful of profiles, so 48 bits are plenty and refs stay readable. */
const ID_LENGTH = 12;

/** JSON with sorted keys and no spaces, so that equal values give equal text. Throws INTERNAL for values that JSON lacks. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  const isPlain = value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  if (!isPlain) throw new SocraticodeError('INTERNAL', `a fingerprint cannot hold ${typeof value} ${String(value)}`);
  return JSON.stringify(value);
}

/** Id of a profile: 12 hex digits of the SHA-256 of its fingerprint, independent of the order of keys. */
export function profileId(fingerprint: unknown): string {
  return createHash('sha256').update(canonicalJson(fingerprint)).digest('hex').slice(0, ID_LENGTH);
}
