/** Parameters of questions to a fleet: of the tools of agents, and of the bodies that `search --fleet` sends to a server. */
import { choice, flag, integer, list, number, type Param, text, type Values } from '../../params/param.js';
import { type Field, readValues } from '../../params/read.js';

/** Most results of a question. */
const MAX_RESULTS = 100;
const MAX_LINE = 100_000_000;
const MAX_CONTEXT = 200;

export const repoGlobs = list({
  summary: 'only these repositories of the fleet, as globs: "acme/*"; "!glob" excludes; repeatable',
  maxLength: 400,
  cli: { value: 'glob' },
});

const ref = text({ summary: 'Branch, tag or commit, as published', minLength: 1, maxLength: 1_024 });
const globs = (summary: string, maxLength: number) => list({ summary, maxLength });

export const searchParams = {
  query: text({ summary: 'A name, words, or a question', minLength: 1, maxLength: 10_000, required: true }),
  repo: repoGlobs,
  ref,
  limit: integer({ summary: 'results', min: 1, max: MAX_RESULTS }),
  path: globs('Path globs; !glob excludes', 512),
  lang: globs('Language ids, e.g. typescript', 64),
  kind: globs('Kinds of chunks, e.g. function, class, text', 64),
  mode: choice(['hybrid', 'lexical', 'semantic'], { summary: 'by words and vectors, words alone, or vectors alone' }),
  minScore: number({ summary: 'share of the best score below which results are left out', min: 0, max: 1 }),
  explain: flag({ summary: 'Contributions to the scores' }),
  noContent: flag({ summary: 'leave the text out' }),
  context: integer({ summary: 'lines around each result', min: 0, max: MAX_CONTEXT }),
} as const;

export const reposParams = {
  repo: repoGlobs,
  limit: integer({ summary: 'repositories', min: 1, max: 10_000 }),
} as const;

export const fileParams = {
  repo: text({ summary: 'Repository, as results name it', minLength: 1, maxLength: 400, required: true }),
  path: text({ summary: 'Path from the top of the repository', minLength: 1, maxLength: 4_096, required: true }),
  ref,
  from: integer({ summary: 'First line', min: 1, max: MAX_LINE }),
  to: integer({ summary: 'Last line', min: 1, max: MAX_LINE }),
  outline: flag({ summary: 'Definitions instead of text' }),
} as const;

/** Beside `published` and `reached`. */
export const usesParams = {
  repo: repoGlobs,
  ref,
  own: text({ summary: 'name of the asking repository', minLength: 1, maxLength: 400 }),
  limit: integer({ summary: 'uses', min: 1, max: 10_000 }),
  minConfidence: number({ summary: 'leave out uses that are less certain', min: 0, max: 1 }),
} as const;

type Declared = Readonly<Record<string, Param>>;

/** The values of a JSON body. Throws BAD_ARGUMENT. */
export function readBodyValues<P extends Declared>(params: P, json: unknown): Values<P> {
  const given = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
  const fields = Object.entries(params).map(([key, param]): Field => ({ key, name: key, label: key, param }));
  return readValues(given, { fields, hint: `Fields: ${Object.keys(params).join(', ')}.` }) as Values<P>;
}
