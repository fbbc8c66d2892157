/**
 * Resolves the settings: command line over environment over git config over `.socraticode.json` over defaults.
 * Pure: callers hand in the raw sources. Every value is checked, even an overridden one, so that a mistake is reported
 * when it is made and not when the overriding source goes away.
 */
import { SocraticodeError } from '../base/errors.js';
import { assignSetting, checkedValue, defaultConfig, refusal, settingAt } from './setting.js';
import { RELATIVE_PATH, SETTINGS, type Setting, type SettingTable } from './settings.js';
import { type GivenSetting, readSources, show } from './sources.js';
import type { Config, ConfigSources, Resolved } from './types.js';

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

/** List with the values of one more source. */
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
