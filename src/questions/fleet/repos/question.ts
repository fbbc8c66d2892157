/** `codebase_fleet_repos`: the repositories that may be searched, with their refs and ages. */

import { defineQuestion } from '../../question.js';
import { reposParams } from '../asking.js';
import type { FleetReposDocument } from './output.js';
import { fleetReposSchema } from './output.js';

const LISTED = 100;

export const question = defineQuestion<typeof reposParams, FleetReposDocument>({
  name: 'fleet repos',
  summary: 'list the repositories of a fleet',
  effect: 'reads',
  openWorld: true,
  params: reposParams,
  answer: async () => (await import('./answer.js')).answerFleetRepos,
  text: async () => (await import('./text.js')).fleetReposText,
  documents: { 'fleet-repos': { schema: fleetReposSchema } },
  tool: {
    name: 'codebase_fleet_repos',
    title: 'Repositories of the fleet',
    toolset: 'fleet',
    description: 'Repositories that you may search, each with its commit, age, coverage and published refs.',
    params: { repo: { summary: 'Repository glob, e.g. acme/*.', one: true, minLength: 1 } },
    reply: ['maxTokens', 'cursor'],
    maxTokens: 2_000,
    page: { size: LISTED, most: 10_000 },
  },
});
