/**
 * Zod schema of `.socraticode.json`, which also checks the values of every other source. Import it dynamically, when a
 * value needs a check: zod takes longer to load than the rest of a search.
 */
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { globFault } from '../base/glob.js';
import { DEFAULTS } from './defaults.js';
import type { ConfigKey } from './keys.js';

const MAX_LIST = 1_000;
const MAX_PATH = 1_024;

const glob = z
  .string()
  .min(1)
  .max(512)
  .refine((pattern) => globFault(pattern) === null, { error: 'too many wildcards' });

/** Path without characters that a URL could hide in. */
const path = z
  .string()
  .min(1)
  .max(MAX_PATH)
  .regex(/^\P{Cc}+$/u)
  .refine((text) => !text.includes('://'), { error: 'a URL' });

/** Path that is relative on every system. */
const relativePath = path.regex(/^(?![/\\~]|[A-Za-z]:)/);

/** Absolute path, or one below the user's home: a relative one would depend on the working directory. */
const anchoredPath = path.refine((text) => /^~(?:\/|$)/.test(text) || isAbsolute(text), { error: 'a relative path' });

const links = (item: z.ZodString) =>
  z
    .array(item)
    .max(MAX_LIST)
    .default(DEFAULTS.linkedProjects)
    .describe(
      'Paths, relative to the repository, of other repositories that a search may include; those outside it need your consent.',
    );

/** Tells whether requests may go to a URL. One with a password is refused: messages would show it. Keys come from the environment. */
function isEndpoint(text: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(text) || /[?#\\]/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '' && !text.includes('@');
}

function languageId(ids: readonly string[]) {
  return ids.length === 0 ? z.string().regex(/^[a-z][a-z0-9+#._-]*$/) : z.enum(ids as [string, ...string[]]);
}

/** Schema of each key by its dotted name. Without `languageIds`, only the form of language ids is checked. */
export function leafSchemas(languageIds: readonly string[] = []) {
  return {
    projectId: z
      .string()
      .max(128)
      .regex(/^[a-zA-Z0-9_-]+$/)
      .optional()
      .describe('Name of the project in results that span several projects; the default is the name of its folder.'),
    linkedProjects: links(path),
    'linked.allow': z
      .array(anchoredPath)
      .max(MAX_LIST)
      .default(DEFAULTS.linked.allow)
      .describe('Directories in which linked repositories may be, wherever a repository names them.'),
    include: z
      .array(glob)
      .max(MAX_LIST)
      .default(DEFAULTS.include)
      .describe(
        'Globs of files to index although a built-in rule leaves them out; files that look like secrets stay out.',
      ),
    exclude: z
      .array(glob)
      .max(MAX_LIST)
      .default(DEFAULTS.exclude)
      .describe('Globs of files not to index; a glob without a slash matches names at any depth, folders included.'),
    maxFileBytes: z
      .int()
      .min(1_024)
      .max(16_777_216)
      .default(DEFAULTS.maxFileBytes)
      .describe('Size in bytes beyond which a file is not indexed.'),
    languages: z
      .record(z.string().regex(/^\.[A-Za-z0-9+_-]{1,31}$/), languageId(languageIds))
      .default(DEFAULTS.languages)
      .describe(
        'Language id per file extension (with its dot), for extensions that are unknown or mean something else here.',
      ),
    'embedder.name': z
      .enum(['builtin', 'ollama', 'openai'])
      .default(DEFAULTS.embedder.name)
      .describe('What turns text into vectors; where it runs and its key come from the user, never from this file.'),
    'embedder.model': z
      .string()
      .max(128)
      .regex(/^(?!.*:\/\/)[A-Za-z0-9][A-Za-z0-9._:/-]*$/)
      .optional()
      .describe("Name of the embedder's model; the default depends on the embedder."),
    'embedder.dimensions': z
      .int()
      .min(16)
      .max(4_096)
      .optional()
      .describe('Numbers per vector; the default is what the model gives.'),
    'embedder.endpoint': z
      .string()
      .max(MAX_PATH)
      .refine(isEndpoint, { error: 'no endpoint' })
      .optional()
      .describe('Address of the embedder; the default is where Ollama or OpenAI usually is.'),
    'embedder.remote': z
      .boolean()
      .default(DEFAULTS.embedder.remote)
      .describe('Whether source text may be sent to an embedder on another machine.'),
    'embedder.batch': z
      .int()
      .min(1)
      .max(2_048)
      .default(DEFAULTS.embedder.batch)
      .describe('Texts per request to an embedder.'),
    'embedder.concurrency': z
      .int()
      .min(1)
      .max(16)
      .default(DEFAULTS.embedder.concurrency)
      .describe('Requests to an embedder at a time.'),
    'embedder.keepAlive': z
      .string()
      .regex(/^(?:-1|\d{1,6}(?:ms|s|m|h)?)$/)
      .default(DEFAULTS.embedder.keepAlive)
      .describe('How long Ollama keeps the model in memory after a request.'),
    'embedder.timeout': z
      .int()
      .min(1)
      .max(300)
      .default(DEFAULTS.embedder.timeout)
      .describe('Seconds that a request to an embedder may take.'),
    'vectors.share': z
      .enum(['auto', 'always', 'never'])
      .default(DEFAULTS.vectors.share)
      .describe(
        'Whether vectors are written to notes for others; auto shares those that cost time or money to compute.',
      ),
    'vectors.index': z
      .enum(['auto', 'exact', 'hnsw'])
      .default(DEFAULTS.vectors.index)
      .describe('How vectors are searched: all of them (exact), through a graph (hnsw), or by their number (auto).'),
    'share.fetch': z
      .enum(['auto', 'never'])
      .default(DEFAULTS.share.fetch)
      .describe('Whether the index of the default remote is fetched into a clone that has none.'),
    'context.allow': z
      .array(anchoredPath)
      .max(MAX_LIST)
      .default(DEFAULTS.context.allow)
      .describe('Directories outside of the repository that its context artifacts may be read from.'),
    'search.limit': z
      .int()
      .min(1)
      .max(100)
      .default(DEFAULTS.search.limit)
      .describe('Number of results a search shows.'),
    'search.mode': z
      .enum(['lexical', 'hybrid', 'semantic'])
      .default(DEFAULTS.search.mode)
      .describe('How a search finds candidates: by words, by meaning (semantic), or both (hybrid).'),
    'search.minScore': z
      .number()
      .min(0)
      .max(1)
      .default(DEFAULTS.search.minScore)
      .describe('Results with a lower score, relative to the best one (0 to 1), are left out.'),
  } satisfies Record<ConfigKey, z.ZodType>;
}

/** Schema of the whole file, without the keys that only the user may set. */
export function configSchema(languageIds: readonly string[] = []) {
  const leaf = leafSchemas(languageIds);
  return z
    .strictObject({
      $schema: z.string().optional().describe('Where editors find this schema; ignored otherwise.'),
      projectId: leaf.projectId,
      linkedProjects: links(relativePath),
      include: leaf.include,
      exclude: leaf.exclude,
      maxFileBytes: leaf.maxFileBytes,
      languages: leaf.languages,
      embedder: z
        .strictObject({
          name: leaf['embedder.name'],
          model: leaf['embedder.model'],
          dimensions: leaf['embedder.dimensions'],
        })
        .default({ name: DEFAULTS.embedder.name })
        .describe('Which embedder computes vectors, with which model.'),
      vectors: z
        .strictObject({ share: leaf['vectors.share'], index: leaf['vectors.index'] })
        .default(DEFAULTS.vectors)
        .describe('What happens to computed vectors, and how they are searched.'),
      share: z.strictObject({ fetch: leaf['share.fetch'] }).default(DEFAULTS.share).describe('How the index travels.'),
      search: z
        .strictObject({
          limit: leaf['search.limit'],
          mode: leaf['search.mode'],
          minScore: leaf['search.minScore'],
        })
        .default(DEFAULTS.search)
        .describe('Defaults of a search.'),
    })
    .describe('Settings of git-socraticode for one repository. Untrusted: it can name no URL, no command and no key.');
}
