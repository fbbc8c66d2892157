/** Types of the settings, all made from their declarations, and of their sources. */
import type { Values } from '../params/param.js';
import type { SETTINGS } from './settings.js';

type Table = typeof SETTINGS;
type Key = keyof Table;
type Section = { [K in Key]: K extends `${infer S}.${string}` ? S : never }[Key];
/** Settings outside of any section. */
type TopSettings = { [K in Key as K extends `${string}.${string}` ? never : K]: Table[K] };
type SectionSettings<S extends string> = { [K in Key as K extends `${S}.${infer Name}` ? Name : never]: Table[K] };

/** All settings. The code that uses an absent optional setting chooses its value. */
export type Config = Values<TopSettings> & { [S in Section]: Values<SectionSettings<S>> };

export type EmbedderSettings = Config['embedder'];
export type EmbedderName = EmbedderSettings['name'];

export type GitConfigScope = 'system' | 'global' | 'local' | 'worktree' | 'command';

/** One line of `git config --list --show-scope --show-origin`; other sections than `socraticode` are skipped. */
export interface GitConfigEntry {
  key: string;
  value: string;
  scope: GitConfigScope;
  /** For example `file:/home/me/.gitconfig`. */
  origin: string;
}

export interface ConfigSources {
  /** Values typed on the command line, nested or with dotted keys; undefined ones are skipped. */
  flags?: Readonly<Record<string, unknown>>;
  env: NodeJS.ProcessEnv;
  gitConfig: readonly GitConfigEntry[];
  /** The `.socraticode.json` of the indexed tree, if there is one. */
  file?: { text: string; origin: string };
  languageIds: readonly string[];
}

export interface Resolved<T = Config> {
  config: T;
  /** Dotted key -> source of its value, for every key that has a value. */
  origins: Record<string, string>;
}
