/** The settings in effect, and what they are resolved from. */

export type EmbedderName = 'builtin' | 'ollama' | 'openai';
export type ShareMode = 'auto' | 'always' | 'never';
export type SearchMode = 'lexical' | 'hybrid' | 'semantic';

/** Every key is described in `schema.ts`; absent optional keys mean that the part concerned decides. */
export interface Config {
  projectId?: string;
  linkedProjects: string[];
  include: string[];
  exclude: string[];
  /** Bytes. */
  maxFileBytes: number;
  /** Extension with its dot, in lower case -> language id. */
  languages: Record<string, string>;
  embedder: { name: EmbedderName; model?: string; dimensions?: number };
  vectors: { share: ShareMode };
  search: { limit: number; mode: SearchMode; minScore: number };
}

export type GitConfigScope = 'system' | 'global' | 'local' | 'worktree' | 'command';

/** One line of `git config --list --show-scope --show-origin`; other sections than `socraticode` are skipped. */
export interface GitConfigEntry {
  key: string;
  value: string;
  scope: GitConfigScope;
  /** Such as `file:/home/me/.gitconfig`. */
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
  /** Dotted key -> where its value comes from, for every key that has a value. */
  origins: Record<string, string>;
}
