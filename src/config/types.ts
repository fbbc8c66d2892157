/** Types of the settings and of their sources. */

export type EmbedderName = 'builtin' | 'ollama' | 'openai';
export type ShareMode = 'auto' | 'always' | 'never';
export type VectorIndexKind = 'auto' | 'exact' | 'hnsw';
export type FetchMode = 'auto' | 'never';
export type SearchMode = 'lexical' | 'hybrid' | 'semantic';

/** Only name, model and dimensions may come from a repository. */
export interface EmbedderSettings {
  name: EmbedderName;
  model?: string;
  dimensions?: number;
  /** http or https URL; absent: the provider's usual one. */
  endpoint?: string;
  /** The user's consent that source text may leave this machine. */
  remote: boolean;
  /** Texts per request. */
  batch: number;
  /** Requests at a time. */
  concurrency: number;
  /** Time that Ollama keeps the model loaded: a number with its unit, bare seconds, 0, or -1 for ever. */
  keepAlive: string;
  /** Seconds that a request may take. */
  timeout: number;
}

/** All settings; `schema.ts` describes each key. The code that uses an absent optional key chooses its value. */
export interface Config {
  projectId?: string;
  /** Other repositories that a search may include, from all sources together. */
  linkedProjects: string[];
  /** Directories outside this repository that linked ones may be in. */
  linked: { allow: string[] };
  include: string[];
  exclude: string[];
  /** Bytes of the largest file that is indexed. */
  maxFileBytes: number;
  /** Extension with its dot, in lower case -> language id. */
  languages: Record<string, string>;
  embedder: EmbedderSettings;
  vectors: { share: ShareMode; index: VectorIndexKind };
  /** Whether a repository without any record fetches its remote's index by itself. */
  share: { fetch: FetchMode };
  /** Directories outside of the repository that artifacts may be in: absolute, or below "~/". */
  context: { allow: string[] };
  search: { limit: number; mode: SearchMode; minScore: number };
}

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
