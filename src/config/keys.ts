/**
 * Table of the settings (data): how to read each from text, the message for a wrong value, and who may set it. It needs
 * no zod, so a process without any setting never loads it.
 */

/** Form of a value in sources that hold only text: environment variables and git config. */
export type ValueType = 'string' | 'boolean' | 'integer' | 'number' | 'list' | 'pairs';

export interface KeySpec {
  type: ValueType;
  /** Ends the sentence "allowed: …". */
  allowed: string;
  /**
   * Endpoints, commands, keys: a repository must never choose them. Accepted from flags, environment, and git config
   * of system, global or command scope. A repository's own git config is trusted as little as its files, since it can
   * arrive inside an archive.
   */
  userOnly?: true;
  /** Paths: a repository may name only relative ones, and only the user may allow those that lead outside. */
  relative?: true;
  /** A list to which every source adds, the weakest first; an empty one starts it anew. */
  addsUp?: true;
}

export type KeyTable = Readonly<Record<string, KeySpec>>;

const GLOBS = 'a list of globs such as "docs/**" or "*.gen.ts", each with at most 3 "*" between two slashes';

export const CONFIG_KEYS = {
  projectId: { type: 'string', allowed: 'letters, digits, "_" and "-", at most 128' },
  linkedProjects: {
    type: 'list',
    allowed: 'a list of paths, relative ones in a repository',
    relative: true,
    addsUp: true,
  },
  'linked.allow': {
    type: 'list',
    allowed: 'a list of directories such as "/home/me/code" or "~/code"',
    userOnly: true,
    addsUp: true,
  },
  include: { type: 'list', allowed: GLOBS },
  exclude: { type: 'list', allowed: GLOBS },
  maxFileBytes: { type: 'integer', allowed: 'an integer from 1024 to 16777216 (bytes; k and m work in text)' },
  languages: { type: 'pairs', allowed: 'extensions such as ".inc", each with the id of a known language' },
  'embedder.name': { type: 'string', allowed: 'builtin, ollama or openai' },
  'embedder.model': { type: 'string', allowed: 'a model name of letters, digits and "._:/-", no URL' },
  'embedder.dimensions': { type: 'integer', allowed: 'an integer from 16 to 4096' },
  'embedder.endpoint': {
    type: 'string',
    allowed: 'an http or https URL without user, password, query and fragment',
    userOnly: true,
  },
  'embedder.remote': { type: 'boolean', allowed: 'true or false', userOnly: true },
  // The other embedder settings depend on the user's machine and account. A repository that set them could keep a model
  // in memory for ever, run into rate limits, or make every request time out.
  'embedder.batch': { type: 'integer', allowed: 'an integer from 1 to 2048 (texts a request)', userOnly: true },
  'embedder.concurrency': { type: 'integer', allowed: 'an integer from 1 to 16 (requests at a time)', userOnly: true },
  'embedder.keepAlive': { type: 'string', allowed: 'a time such as 30s, 5m or 1h, 0 or -1 (for ever)', userOnly: true },
  'embedder.timeout': { type: 'integer', allowed: 'an integer from 1 to 300 (seconds)', userOnly: true },
  'vectors.share': { type: 'string', allowed: 'auto, always or never' },
  'vectors.index': { type: 'string', allowed: 'auto, exact or hnsw' },
  'share.fetch': { type: 'string', allowed: 'auto or never' },
  // Directories outside of the repository hold the user's files, so only the user may allow them.
  'context.allow': {
    type: 'list',
    allowed: 'a list of directories such as "/home/me/specs" or "~/specs"',
    userOnly: true,
    addsUp: true,
  },
  'search.limit': { type: 'integer', allowed: 'an integer from 1 to 100' },
  'search.mode': { type: 'string', allowed: 'lexical, hybrid or semantic' },
  'search.minScore': { type: 'number', allowed: 'a number from 0 to 1' },
} as const satisfies KeyTable;

export type ConfigKey = keyof typeof CONFIG_KEYS;

/** Further environment variables of a key. */
export const ENV_ALIASES: Readonly<Record<string, ConfigKey>> = {
  SOCRATICODE_EXTENSION_LANGUAGE_MAP: 'languages',
};

/** Variables with our prefix that are no settings: our own switches, then those of a program with a similar name. */
export const ENV_NOT_KEYS: ReadonlySet<string> = new Set([
  'SOCRATICODE_LOG_LEVEL',
  'SOCRATICODE_LOG_FILE',
  'SOCRATICODE_OPENAI_API_KEY',
  'SOCRATICODE_MCP_TOKEN',
  'SOCRATICODE_CAMPAIGN',
  'SOCRATICODE_BRANCH_AWARE',
  'SOCRATICODE_AUTO_RESUME',
  'SOCRATICODE_AUTO_RESUME_PROJECTS',
]);
export const ENV_NOT_KEYS_PREFIX = 'SOCRATICODE_TEST_';
