/** The settings in effect, and what they are resolved from. */

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
  /** http or https URL; absent means where the provider usually is. */
  endpoint?: string;
  /** The user's consent that source text may leave this machine. */
  remote: boolean;
  /** Texts per request. */
  batch: number;
  /** Requests at a time. */
  concurrency: number;
  /** How long Ollama keeps the model loaded: a number with its unit, bare seconds, 0, or -1 for ever. */
  keepAlive: string;
  /** Seconds a request may take. */
  timeout: number;
}

/** Every key is described in `schema.ts`; absent optional keys mean that the part concerned decides. */
export interface Config {
  projectId?: string;
  /** Other repositories that a search may include, as all sources together name them. */
  linkedProjects: string[];
  /** Directories where they may be, outside this repository. */
  linked: { allow: string[] };
  include: string[];
  exclude: string[];
  /** Bytes. */
  maxFileBytes: number;
  /** Extension with its dot, in lower case -> language id. */
  languages: Record<string, string>;
  embedder: EmbedderSettings;
  vectors: { share: ShareMode; index: VectorIndexKind };
  /** May a repository without any record fetch its remote's index by itself? */
  share: { fetch: FetchMode };
  /** Directories outside of the repository whose files its artifacts may be: absolute, or below "~/". */
  context: { allow: string[] };
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
