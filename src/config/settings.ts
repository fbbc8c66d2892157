/**
 * The settings (data), each declared once. Keys, defaults, the type of the configuration, the checks of values, the
 * JSON Schema of `.socraticode.json` and docs/configuration.md are made from it. Also the variables of SocratiCode, with what takes their
 * place, and functions that read, set and check one value; `resolve.ts` takes each from its sources.
 */
import { isAbsolute } from 'node:path';
import { choice, flag, integer, list, number, type Param, pairs, text, type Values } from '../params/param.js';
import { accepted, accepts, expectation, refusedPart } from '../params/read.js';
import { FLEET_SETTINGS, GRAPH_RULES, globs, isEndpoint, TAG_RULES, TAGS_STARTER } from './rules.js';

/** Declaration of a setting. `summary` is one sentence, which the JSON Schema of the file shows. */
export interface Setting extends Param {
  /** Further facts for docs/configuration.md, in Markdown. */
  details?: string;
  /** Unit of a number in messages. */
  unit?: string;
  /**
   * For endpoints, commands and keys, which a repository must never choose. They are accepted from flags, the environment, and
   * git config of system, global or command scope. A repository's own git config is trusted as little as its files, since it
   * can arrive in an archive.
   */
  userOnly?: true;
  /** Paths: a repository may name only relative ones, and only the user may allow those that lead outside. */
  relative?: true;
  /** A list to which every source adds, the weakest first; an empty list in a source starts it anew. */
  addsUp?: true;
}

export type SettingTable = Readonly<Record<string, Setting>>;

/** Paths without characters that a URL could hide in. */
const paths = { minLength: 1, maxLength: 1_024, pattern: /^\P{Cc}+$/u };
/** A path that is relative on every system. `..` may still lead out of its base. */
export const RELATIVE_PATH = /^(?![/\\~]|[A-Za-z]:)/;
const isNoUrl = (path: string): boolean => !path.includes('://');

/** Absolute paths, or those below the user's home: a relative one would depend on the working directory. */
const anchored = (path: string): boolean => isNoUrl(path) && (/^~(?:\/|$)/.test(path) || isAbsolute(path));

export const SETTINGS = {
  projectId: text({
    summary: 'Name of the project in results that span several projects; the default is the name of its folder.',
    maxLength: 128,
    pattern: /^[a-zA-Z0-9_-]+$/,
    form: 'letters, digits, "_" and "-", at most 128',
  }),
  linkedProjects: {
    ...list({
      summary:
        'Paths, relative to the repository, of other repositories that a search may include; those outside it need your consent.',
      ...{ ...paths, fits: isNoUrl, form: 'a list of paths, relative ones in a repository', default: [] },
    }),
    details:
      'Used by `search` with `linked`. From your own configuration also absolute, or `~/…`. What all sources name adds up.',
    relative: true,
    addsUp: true,
  },
  'linked.allow': {
    ...list({
      summary: 'Directories in which linked repositories may be, wherever a repository names them.',
      ...{ ...paths, fits: anchored, form: 'a list of directories such as "/home/me/code" or "~/code"', default: [] },
    }),
    details: 'See [linked repositories](linked.md).',
    userOnly: true,
    addsUp: true,
  },
  include: list({
    summary: 'Globs of files to index although a built-in rule leaves them out; files that look like secrets stay out.',
    ...{ ...globs, default: [] },
  }),
  exclude: list({
    summary: 'Globs of files not to index; a glob without a slash matches names at any depth, folders included.',
    ...{ ...globs, default: [] },
  }),
  maxFileBytes: {
    ...integer({
      summary: 'Size in bytes beyond which a file is not indexed.',
      ...{ min: 1_024, max: 16_777_216, default: 1_048_576 },
    }),
    unit: 'bytes; k and m work in text',
  },
  jobs: {
    ...integer({
      summary: 'Parser processes at a time; the default is one for each core but one, as memory allows.',
      min: 1,
      max: 64,
    }),
    details: 'Hooks, `watch` and servers use two at most.',
    unit: 'processes',
    userOnly: true,
  },
  languages: {
    ...pairs({
      summary:
        'Language id per file extension (with its dot), for extensions that are unknown or mean something else here.',
      keyPattern: /^\.[A-Za-z0-9+_-]{1,31}$/,
      pattern: /^[a-z][a-z0-9+#._-]*$/,
      form: 'extensions such as ".inc", each with the id of a known language',
      completes: 'language',
      default: {},
    }),
    details: 'For example `{".inc": "php"}`; in text `.inc:php,.x:c`.',
  },
  'embedder.name': {
    ...choice(['builtin', 'ollama', 'openai'], {
      summary: 'What turns text into vectors; where it runs and its key come from the user, never from this file.',
      default: 'builtin',
    }),
    details: "`openai` is any server with OpenAI's protocol.",
  },
  'embedder.model': {
    ...text({
      summary: "Name of the embedder's model; the default depends on the embedder.",
      maxLength: 128,
      pattern: /^(?!.*:\/\/)[A-Za-z0-9][A-Za-z0-9._:/-]*$/,
      form: 'a model name of letters, digits and "._:/-", no URL',
    }),
    details: '`nomic-embed-text` for Ollama, `text-embedding-3-small` for OpenAI.',
  },
  'embedder.dimensions': {
    ...integer({ summary: 'Numbers per vector; the default is what the model gives.', min: 16, max: 4_096 }),
    details: 'For models that allow fewer than they make.',
  },
  'embedder.endpoint': {
    ...text({
      summary: 'Address of the embedder; the default is where Ollama or OpenAI usually is.',
      ...{ maxLength: 1_024, fits: isEndpoint },
      form: 'an http or https URL without user, password, query and fragment',
    }),
    details: 'For Ollama `OLLAMA_HOST` or `http://127.0.0.1:11434`, for OpenAI `https://api.openai.com/v1`.',
    userOnly: true,
  },
  'embedder.remote': {
    ...flag({ summary: 'Whether source text may be sent to an embedder on another machine.', default: false }),
    userOnly: true,
  },
  // The other embedder settings depend on the user's machine and account. A repository that set them could keep a model
  // in memory for ever, run into rate limits, or make every request time out.
  'embedder.batch': {
    ...integer({ summary: 'Texts per request to an embedder.', min: 1, max: 2_048, default: 32 }),
    unit: 'texts a request',
    userOnly: true,
  },
  'embedder.concurrency': {
    ...integer({ summary: 'Requests to an embedder at a time.', min: 1, max: 16, default: 2 }),
    unit: 'requests at a time',
    userOnly: true,
  },
  'embedder.keepAlive': {
    ...text({
      summary: 'How long Ollama keeps the model in memory after a request.',
      pattern: /^(?:-1|\d{1,6}(?:ms|s|m|h)?)$/,
      form: 'a time such as 30s, 5m or 1h, 0 or -1 (for ever)',
      default: '5m',
    }),
    userOnly: true,
  },
  'embedder.timeout': {
    ...integer({ summary: 'Seconds that a request to an embedder may take.', min: 1, max: 300, default: 60 }),
    details: 'For a query 10 at most.',
    unit: 'seconds',
    userOnly: true,
  },
  // Model and address decide where code goes and what it costs, so only the user sets them.
  'summarizer.name': {
    ...choice(['none', 'host', 'ollama', 'openai'], {
      summary:
        'What writes summaries: a model of Ollama, of a server with the protocol of OpenAI, the model of the agent that asks (host), or none.',
      default: 'none',
    }),
    details: 'Without one, `summarize` extracts facts from the code. See [summaries](knowledge.md#summaries).',
    userOnly: true,
  },
  'summarizer.model': {
    ...text({
      summary: 'Name of the chat model.',
      maxLength: 128,
      pattern: /^(?!.*:\/\/)[A-Za-z0-9][A-Za-z0-9._:/-]*$/,
      form: 'a model name of letters, digits and "._:/-", no URL',
    }),
    userOnly: true,
  },
  'summarizer.endpoint': {
    ...text({
      summary: 'Address of the chat model; the default is where Ollama or OpenAI usually is.',
      ...{ maxLength: 1_024, fits: isEndpoint },
      form: 'an http or https URL without user, password, query and fragment',
    }),
    userOnly: true,
  },
  'summarizer.remote': {
    ...flag({ summary: 'Whether source text may be sent to a chat model on another machine.', default: false }),
    userOnly: true,
  },
  'summarizer.concurrency': {
    ...integer({ summary: 'Requests to the chat model at a time.', min: 1, max: 16, default: 2 }),
    unit: 'requests at a time',
    userOnly: true,
  },
  'summarizer.timeout': {
    ...integer({ summary: 'Seconds that a summary may take.', min: 1, max: 600, default: 120 }),
    unit: 'seconds',
    userOnly: true,
  },
  'summarizer.inputPrice': {
    ...number({ summary: 'Price of a million tokens that are sent, in any currency.', min: 0, max: 100_000 }),
    userOnly: true,
  },
  'summarizer.outputPrice': {
    ...number({ summary: 'Price of a million tokens that are received.', min: 0, max: 100_000 }),
    userOnly: true,
  },
  'vectors.share': choice(['auto', 'always', 'never'], {
    summary: 'Whether vectors are written to notes for others; auto shares those that cost time or money to compute.',
    default: 'auto',
  }),
  'vectors.index': choice(['auto', 'exact', 'hnsw'], {
    summary: 'How vectors are searched: all of them (exact), through a graph (hnsw), or by their number (auto).',
    details: 'Below 100,000 vectors in a file of the index hnsw compares all of them, too: no graph is faster.',
    default: 'auto',
  }),
  'share.fetch': choice(['auto', 'never'], {
    summary: 'Whether the index of the default remote is fetched into a clone that has none.',
    default: 'auto',
  }),
  'share.verify': {
    ...integer({
      summary: 'Number of records that each pull derives again, of those that it brought; 0 derives none.',
      ...{ min: 0, max: 100_000, default: 0 },
    }),
    details: 'A pull names records that are not what their files give.',
    unit: 'records',
    userOnly: true,
  },
  // Directories outside of the repository hold the user's files, so only the user may allow them.
  'context.allow': {
    ...list({
      summary: 'Directories outside of the repository that its context artifacts may be read from.',
      ...{ ...paths, fits: anchored, form: 'a list of directories such as "/home/me/specs" or "~/specs"', default: [] },
    }),
    details: 'See [context artifacts](context.md).',
    userOnly: true,
    addsUp: true,
  },
  'search.limit': integer({ summary: 'Number of results a search shows.', min: 1, max: 100, default: 10 }),
  'search.mode': {
    ...choice(['lexical', 'hybrid', 'semantic'], {
      summary: 'How a search finds candidates: by words, by meaning (semantic), or both (hybrid).',
      default: 'hybrid',
    }),
    details: 'See [how to choose](search.md#choose-how-it-is-searched).',
  },
  'search.minScore': number({
    summary: 'Results with a lower score, relative to the best one (0 to 1), are left out.',
    ...{ min: 0, max: 1, default: 0 },
  }),
  ...FLEET_SETTINGS,
  'graph.rules': GRAPH_RULES,
  'tags.rules': TAG_RULES,
  'tags.starter': TAGS_STARTER,
  'web.editor': {
    ...choice(['vscode', 'vscodium', 'cursor', 'windsurf', 'zed', 'idea', 'none'], {
      summary: 'Editor that links of the web page and of drawn graphs open; none leaves the links out.',
      default: 'vscode',
    }),
    userOnly: true,
  },
} as const satisfies SettingTable;

/** Sections of the file, with their descriptions in its JSON Schema. A section whose settings are all `userOnly` is not in it. */
export const SECTIONS: Readonly<Record<string, string>> = {
  embedder: 'Which embedder computes vectors, with which model.',
  vectors: 'What happens to computed vectors, and how they are searched.',
  share: 'How the index travels.',
  search: 'Defaults of a search.',
  graph: 'Rules about which files may use which others.',
  tags: 'Which files and symbols have which tags.',
};

/** Further environment variables of a setting. */
export const ENV_ALIASES: Readonly<Record<string, keyof typeof SETTINGS>> = {
  SOCRATICODE_EXTENSION_LANGUAGE_MAP: 'languages',
};

/** Replacement of a variable of SocratiCode: a setting, with the value as it is written here, or the reason why there is none. */
export type Instead = { key: keyof typeof SETTINGS; value?: (text: string) => string } | { why: string };

/**
 * Variables of SocratiCode. They have no prefix, so that other programs may mean them as well: they are named with what takes their place,
 * and never read.
 */
export const FORMER_VARIABLES: Readonly<Record<string, Instead>> = {
  EMBEDDING_PROVIDER: { key: 'embedder.name', value: (text) => (/^(?:ollama|openai)$/i.test(text) ? text : 'builtin') },
  EMBEDDING_MODEL: { key: 'embedder.model' },
  EMBEDDING_DIMENSIONS: { key: 'embedder.dimensions' },
  OLLAMA_URL: { key: 'embedder.endpoint' },
  SEARCH_DEFAULT_LIMIT: { key: 'search.limit' },
  SEARCH_MIN_SCORE: { key: 'search.minScore' },
  MAX_FILE_SIZE_MB: { key: 'maxFileBytes', value: (text) => `${text}m` },
  EXTENSION_LANGUAGE_MAP: { key: 'languages' },
  EXTRA_EXTENSIONS: { why: 'text files are indexed whatever their extension; the setting languages says what one is' },
  RESPECT_GITIGNORE: { why: "files that git ignores are not indexed; .socraticodeignore adds to git's rules" },
  INCLUDE_DOT_FILES: {
    why: 'files that git tracks are indexed, those with a dot, too; the setting exclude leaves some out',
  },
  INDEX_EXTENSIONLESS: { why: 'text files without an extension are indexed' },
  SOCRATICODE_LOG_FILE: { why: 'each repository has its log, .git/socraticode/log.jsonl' },
  SOCRATICODE_BRANCH_AWARE: { why: 'each branch, tag and commit has answers of its own' },
  SOCRATICODE_AUTO_RESUME: { why: 'an interrupted index goes on with the next question' },
  SOCRATICODE_AUTO_RESUME_PROJECTS: { why: 'an interrupted index goes on with the next question' },
};

const SERVERS = 'set embedder.name to openai and embedder.endpoint to the address of the server';
const SERVER_KEYS = 'SOCRATICODE_OPENAI_API_KEY is the key of any server with the protocol of OpenAI';
const MODEL_FACTS = 'prefixes and lengths of texts come with each known model';
const NO_DATABASE = 'there is no database: vectors lie in the git directory';

/** Further ones, which other programs may well mean: they are named only beside one of those above. */
export const FORMER_SHARED: Readonly<Record<string, Instead>> = {
  EMBEDDING_CONTEXT_LENGTH: { why: MODEL_FACTS },
  EMBEDDING_QUERY_PREFIX: { why: MODEL_FACTS },
  EMBEDDING_DOCUMENT_PREFIX: { why: MODEL_FACTS },
  EMBEDDING_DOCUMENT_INCLUDE_PATH: { why: 'a path is searched as a field of its own' },
  MAX_CHUNK_CHARS: { why: 'chunks follow the syntax of the language' },
  OLLAMA_MODE: { why: 'no container is started; embedder.endpoint is the address of Ollama' },
  OLLAMA_PORT: { key: 'embedder.endpoint', value: (text) => `http://127.0.0.1:${text}` },
  OLLAMA_API_KEY: { why: 'Ollama is asked without a key' },
  LMSTUDIO_URL: { why: SERVERS },
  LITELLM_URL: { why: SERVERS },
  ORCAROUTER_URL: { why: SERVERS },
  GOOGLE_API_KEY: { why: SERVER_KEYS },
  LMSTUDIO_API_KEY: { why: SERVER_KEYS },
  LITELLM_API_KEY: { why: SERVER_KEYS },
  ORCAROUTER_API_KEY: { why: SERVER_KEYS },
  LITELLM_SEND_DIMENSIONS: { why: 'embedder.dimensions is sent where it is set' },
  ORCAROUTER_SEND_DIMENSIONS: { why: 'embedder.dimensions is sent where it is set' },
  QDRANT_MODE: { why: NO_DATABASE },
  QDRANT_URL: { why: NO_DATABASE },
  QDRANT_HOST: { why: NO_DATABASE },
  QDRANT_PORT: { why: NO_DATABASE },
  QDRANT_GRPC_PORT: { why: NO_DATABASE },
  QDRANT_API_KEY: { why: NO_DATABASE },
  QDRANT_COLLECTION_PREFIX: { why: NO_DATABASE },
};

/** Variables with our prefix that are no settings: our own switches, then those of a program with a similar name. */
export const ENV_NOT_KEYS: ReadonlySet<string> = new Set([
  'SOCRATICODE_LOG_LEVEL',
  'SOCRATICODE_LOG_FILE',
  'SOCRATICODE_OPENAI_API_KEY',
  'SOCRATICODE_MCP_TOKEN',
  'SOCRATICODE_FLEET_TOKEN',
  'SOCRATICODE_CAMPAIGN',
  'SOCRATICODE_BRANCH_AWARE',
  'SOCRATICODE_AUTO_RESUME',
  'SOCRATICODE_AUTO_RESUME_PROJECTS',
]);
export const ENV_NOT_KEYS_PREFIX = 'SOCRATICODE_TEST_';

// Types of the settings and of their sources, made from the declarations.

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
    // A section exists although none of its settings has a default.
    if (key.includes('.')) config[key.slice(0, key.indexOf('.'))] ??= {};
    if (value !== undefined) assignSetting(config, key, structuredClone(value));
  }
  return config as T;
}

/** The value to use, or undefined for a value that the setting does not take. Without `languageIds`, only the form of ids is checked. */
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

/** Allowed values, as the end of the sentence "allowed: …". Numbers are written as a file may hold them. */
export function allowedValues(setting: Setting): string {
  const { type, choices, min, max, unit } = setting;
  if (type === 'choice' && choices !== undefined) return `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;
  if (type !== 'integer' && type !== 'number') return expectation(setting);
  const noun = type === 'integer' ? 'an integer' : 'a number';
  return `${noun} from ${min} to ${max}${unit === undefined ? '' : ` (${unit})`}`;
}

/** The part of a value that is refused, with the values that are allowed there: in a list of objects, one field of one of them. */
export function refusal(setting: Setting, value: unknown): { at: string; value: unknown; allowed: string } {
  return refusedPart(setting, value) ?? { at: '', value, allowed: allowedValues(setting) };
}
