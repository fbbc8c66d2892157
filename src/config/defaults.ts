/** Default of each setting (data). A test checks them against the schema. */
import type { Config } from './types.js';

export const DEFAULTS: Config = {
  linkedProjects: [],
  linked: { allow: [] },
  include: [],
  exclude: [],
  maxFileBytes: 1_048_576,
  languages: {},
  embedder: { name: 'builtin', remote: false, batch: 32, concurrency: 2, keepAlive: '5m', timeout: 60 },
  vectors: { share: 'auto', index: 'auto' },
  share: { fetch: 'auto' },
  context: { allow: [] },
  search: { limit: 10, mode: 'hybrid', minScore: 0 },
};
