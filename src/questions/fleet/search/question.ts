/** `codebase_fleet_search`: code of many repositories, as their CI published it. People ask `search --fleet`. */

import { defineQuestion } from '../../question.js';
import { PAGE_SIZE, REPLY_TOKENS } from '../../search/excerpts.js';
import { MAX_RESULTS, ONE_GLOB, REF } from '../../shared-params.js';
import { searchParams } from '../asking.js';
import type { FleetSearchDocument } from './output.js';
import { fleetSearchSchema } from './output.js';

export const question = defineQuestion<typeof searchParams, FleetSearchDocument>({
  name: 'fleet search',
  summary: 'find code in the repositories of a fleet',
  effect: 'reads',
  openWorld: true,
  params: searchParams,
  answer: async () => (await import('./answer.js')).answerFleetTool,
  text: async () => {
    const { fleetSearchText } = await import('../../search/text.js');
    return (document, { pen, isCommand }) => fleetSearchText(document, { pen, isCommand, values: {} });
  },
  documents: { 'fleet-search': { schema: fleetSearchSchema } },
  tool: {
    name: 'codebase_fleet_search',
    title: 'Search many repositories',
    toolset: 'fleet',
    description:
      'Finds code in all repositories that you may read, as they were published. Results name repository and commit.',
    params: {
      query: 'A name, words, or a question.',
      repo: { summary: 'Repository glob, e.g. acme/*.', one: true, minLength: 1 },
      ref: REF,
      limit: { summary: `Results; default ${PAGE_SIZE}.`, max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      lang: { summary: 'Language id, e.g. typescript.', name: 'languageFilter', one: true },
      kind: { summary: 'E.g. function, class, text.', one: true },
      mode: '',
    },
    reply: ['maxTokens', 'cursor'],
    maxTokens: REPLY_TOKENS,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true },
  },
});
