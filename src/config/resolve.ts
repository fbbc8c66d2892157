/**
 * Resolves the settings: command line over environment over git config over `.socraticode.json` over defaults.
 * Pure: callers hand in the raw sources. Every value is checked, even an overridden one, so that a mistake is reported
 * when it is made and not when the overriding source goes away.
 */
import { SocraticodeError } from '../base/errors.js';
import { DEFAULTS } from './defaults.js';
import { CONFIG_KEYS, type KeySpec, type KeyTable } from './keys.js';
import { isRelativePath } from './paths.js';
import { readSources, type Setting, show } from './sources.js';
import type { Config, ConfigSources, Resolved } from './types.js';

/** Returns the value to use; throws any error for a value that is not allowed. */
export type Check = (key: string, value: unknown) => unknown;

const USER_HINT = 'Set it in your own configuration: git config --global socraticode.';

/** Throws BAD_CONFIG for a setting that a repository may not decide. */
function checkTrust(setting: Setting, spec: KeySpec): void {
  if (setting.trusted) return;
  const hint = `${USER_HINT}${setting.key} VALUE`;
  if (spec.userOnly) {
    const message = `${setting.origin}: ${setting.key} cannot be set by a repository, which may not be yours`;
    throw new SocraticodeError('BAD_CONFIG', message, { hint });
  }
  const named = setting.own ?? setting.value;
  const paths = spec.relative && Array.isArray(named) ? named : [];
  const bad = paths.find((path) => typeof path === 'string' && !isRelativePath(path));
  if (bad !== undefined) {
    const message = `${setting.origin}: ${setting.key} has ${show(bad)}; a repository can only name relative paths`;
    throw new SocraticodeError('BAD_CONFIG', message, { hint });
  }
}

function checked(setting: Setting, spec: KeySpec, check: Check): unknown {
  try {
    return check(setting.key, setting.value);
  } catch (cause) {
    const message = `${setting.origin}: ${setting.key} is ${show(setting.value)}; allowed: ${spec.allowed}`;
    throw new SocraticodeError('BAD_CONFIG', message, { cause });
  }
}

/** Sets a dotted key; keys come from a table, never from a source. */
function assign(target: Record<string, unknown>, key: string, value: unknown): void {
  const dot = key.indexOf('.');
  if (dot < 0) target[key] = value;
  else assign(target[key.slice(0, dot)] as Record<string, unknown>, key.slice(dot + 1), value);
}

/** List with the values of one more source. */
function added(list: unknown, value: unknown): unknown {
  if (!Array.isArray(list) || !Array.isArray(value) || value.length === 0) return value;
  return [...new Set([...list, ...value])];
}

function valueAt(target: unknown, key: string): unknown {
  return key.split('.').reduce((at, part) => (at as Record<string, unknown> | undefined)?.[part], target);
}

function hasValue(target: unknown, key: string): boolean {
  return valueAt(target, key) !== undefined;
}

/**
 * Resolves the keys of any table; `loadCheck` is called only if a source has a value.
 * Throws BAD_CONFIG with origin, key, and what is allowed.
 */
export async function resolveTable<T extends object>(
  table: KeyTable,
  defaults: T,
  sources: Omit<ConfigSources, 'languageIds'>,
  loadCheck: () => Promise<Check>,
): Promise<Resolved<T>> {
  const config = structuredClone(defaults);
  const origins: Record<string, string> = {};
  for (const key of Object.keys(table)) if (hasValue(defaults, key)) origins[key] = 'default';
  const settings = readSources(table, sources);
  const check = settings.length === 0 ? null : await loadCheck();
  for (const setting of settings) {
    const spec = table[setting.key];
    checkTrust(setting, spec);
    const value = check === null ? undefined : checked(setting, spec, check);
    const sum = spec.addsUp ? added(valueAt(config, setting.key), value) : value;
    assign(config as Record<string, unknown>, setting.key, sum);
    origins[setting.key] = setting.origin;
  }
  return { config, origins };
}

/** Checks values with the schema; loads zod, which takes as long as a whole search. */
async function loadSchemaCheck(languageIds: readonly string[]): Promise<Check> {
  const { leafSchemas } = await import('./schema.js');
  const schemas: Record<string, { parse(value: unknown): unknown }> = leafSchemas(languageIds);
  return (key, value) => {
    const parsed = schemas[key].parse(value);
    if (key !== 'languages') return parsed;
    // zod drops `__proto__` silently; report it like every other mistake.
    if (Object.hasOwn(value as object, '__proto__')) throw new TypeError('not an extension');
    return lowerCaseKeys(parsed as Record<string, string>);
  };
}

/** Lower-cases extensions, as they are compared in lower case. */
function lowerCaseKeys(languages: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(languages).map(([extension, id]) => [extension.toLowerCase(), id]));
}

/** Settings in effect, and the source of each. Throws BAD_CONFIG for the first mistake in any source. */
export async function resolveConfig(sources: ConfigSources): Promise<Resolved<Config>> {
  return resolveTable(CONFIG_KEYS, DEFAULTS, sources, () => loadSchemaCheck(sources.languageIds));
}
