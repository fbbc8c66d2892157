/**
 * Questions to a fleet. `git-socraticode-fleet` answers them in this process or over HTTP, with equal answers. Tools of agents and bodies
 * of requests have the same parameters.
 */
import type { LinkedFacts, ReachedPlace } from '../../graph/across/facts.js';
import { choice, flag, integer, list, number, type Param, text, type Values } from '../../params/param.js';
import { type Field, readValues } from '../../params/read.js';
import type { FleetSearchDocument } from '../search/output.js';
import type { FleetFileDocument, FleetReposDocument, FleetUsesDocument } from './question.js';

export interface FleetAsking {
  /** Throws EMPTY_QUERY (this one only), BAD_ARGUMENT, UNKNOWN_REF, FLEET_BUSY and FLEET_STORE. */
  search(query: FleetQuery, signal?: AbortSignal): Promise<FleetSearchDocument>;
  repos(query: FleetReposQuery, signal?: AbortSignal): Promise<FleetReposDocument>;
  file(query: FleetFileQuery, signal?: AbortSignal): Promise<FleetFileDocument>;
  uses(query: FleetUsesQuery, signal?: AbortSignal): Promise<FleetUsesDocument>;
  close(): Promise<void>;
}

export interface FleetQuery {
  query: string;
  repo?: readonly string[];
  ref?: string;
  limit?: number;
  path?: readonly string[];
  lang?: readonly string[];
  kind?: readonly string[];
  mode?: 'hybrid' | 'lexical' | 'semantic';
  minScore?: number;
  explain?: boolean;
  noContent?: boolean;
  context?: number;
}

export interface FleetReposQuery {
  repo?: readonly string[];
  limit?: number;
}

export interface FleetFileQuery {
  repo: string;
  ref?: string;
  path: string;
  /** First and last line, counted from 1; default: all. */
  from?: number;
  to?: number;
  /** Definitions instead of text. */
  outline?: boolean;
}

/** Exports and routes of the asking repository, and the definitions in question. */
export interface FleetUsesQuery {
  published: Pick<LinkedFacts, 'packages' | 'exports' | 'routes'>;
  reached: readonly ({ path: string; symbol: string | null } & ReachedPlace)[];
  /** Name of the asking repository, to leave out its own uses. */
  own?: string;
  repo?: readonly string[];
  ref?: string;
  minConfidence?: number;
  limit?: number;
}

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

/** Parameters apart from `published` and `reached`. */
export const usesParams = {
  repo: repoGlobs,
  ref,
  own: text({ summary: 'name of the asking repository', minLength: 1, maxLength: 400 }),
  limit: integer({ summary: 'uses', min: 1, max: 10_000 }),
  minConfidence: number({ summary: 'leave out uses that are less certain', min: 0, max: 1 }),
} as const;

type Declared = Readonly<Record<string, Param>>;

/** Values of a JSON body. Throws BAD_ARGUMENT. */
export function readBodyValues<P extends Declared>(params: P, json: unknown): Values<P> {
  const given = typeof json === 'object' && json !== null && !Array.isArray(json) ? json : {};
  const fields = Object.entries(params).map(([key, param]): Field => ({ key, name: key, label: key, param }));
  return readValues(given, { fields, hint: `Fields: ${Object.keys(params).join(', ')}.` }) as Values<P>;
}
