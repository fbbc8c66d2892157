/** Parameters of `context`. */
import { integer, list, text, type Values } from '../../params/param.js';
import { fileFilters, minScore, noContent, path, resultLimit, snapshot } from '../shared-params.js';

const artifact = list({ summary: 'only this artifact; repeatable', cli: { value: 'name' } });
const { ref } = snapshot;
/** Filters that are about any file; `uses` and `tag` are about code. */
const { author, since, until, is } = fileFilters;

export const listParams = { artifact, ref } as const;
export const showParams = {
  name: text({ summary: 'the name of an artifact', required: true, cli: { argument: '<name>' } }),
  ref,
} as const;
export const searchParams = {
  query: text({
    summary: 'what to look for; several words need no quotes',
    maxLength: 100_000,
    cli: { argument: '<query...>' },
  }),
  artifact,
  ...snapshot,
  limit: resultLimit,
  path,
  minScore,
  author,
  since,
  until,
  is,
  noContent,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 8,
    cli: { value: 'n' },
  }),
} as const;
export const indexParams = { artifact, ref } as const;
export const removeParams = { artifact } as const;

export type ListValues = Values<typeof listParams>;
export type ShowValues = Values<typeof showParams>;
export type SearchValues = Values<typeof searchParams>;
export type IndexValues = Values<typeof indexParams>;
export type RemoveValues = Values<typeof removeParams>;
