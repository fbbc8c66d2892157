/** `context list`, `show`, `search`, `index`, `remove`; `codebase_context…`: named files and folders next to the code. */
import { commandText } from '../../params/command-line.js';
import { type AnyQuestion, defineQuestion } from '../question.js';
import { MAX_RESULTS, REF } from '../shared-params.js';
import type { ContextIndexReport, ContextList, ContextRemoveReport, ContextSearchResponse } from './output.js';
import {
  contextIndexReportSchema,
  contextListSchema,
  contextRemoveReportSchema,
  contextSearchResponseSchema,
} from './output.js';
import { indexParams, listParams, removeParams, searchParams, showParams } from './params.js';

const GROUP = 'Find code';
/** Results of a page where an agent asks for none. */
const PAGE_SIZE = 10;
/** The name of one artifact, where people may repeat the option. */
const ONE_ARTIFACT = { name: 'artifactName', one: true, minLength: 1 } as const;
const listDocument = {
  'context-list': {
    schema: contextListSchema,
    title: commandText('context list|show', { json: true }),
  },
};

const list = defineQuestion<typeof listParams, ContextList>({
  name: 'context list',
  summary: 'list the artifacts and how much of each can be searched',
  effect: 'reads',
  params: listParams,
  answer: async () => (await import('./answers.js')).answerList,
  text: async () => (await import('./text.js')).contextListText,
  documents: listDocument,
  command: {
    group: GROUP,
    examples: [
      ['context list', 'every artifact with its state'],
      ['context list --ref v1.2', 'as of a tag'],
    ],
    readOnly: true,
    isNegative: ({ artifacts }) => artifacts.list.length === 0,
  },
  tool: {
    name: 'codebase_context',
    title: 'List context artifacts',
    toolset: 'context',
    description: 'Lists named specifications, schemas and documents beside the code, and how much of each is indexed.',
    params: {
      artifact: { ...ONE_ARTIFACT, summary: 'Only this one, with the text of its files.' },
      ref: REF,
    },
    maxTokens: 2_000,
  },
});

const search = defineQuestion<typeof searchParams, ContextSearchResponse>({
  name: 'context search',
  summary: 'search only artifacts',
  effect: 'reads',
  params: searchParams,
  answer: async () => (await import('./answers.js')).answerSearch,
  text: async () => (await import('./text.js')).contextSearchText,
  documents: { 'context-search': { schema: contextSearchResponseSchema } },
  command: {
    group: GROUP,
    examples: [
      ['context search how are refunds approved', 'in all artifacts'],
      ['context search refunds --artifact decisions', 'in one of them'],
      ['context search "refunds since:3m"', 'in files that changed in the last three months'],
    ],
    readOnly: true,
    isNegative: ({ results }) => results.length === 0,
  },
  tool: {
    name: 'codebase_context_search',
    title: 'Search context artifacts',
    toolset: 'context',
    description: 'Searches context artifacts alone; indexes what has changed first.',
    params: {
      query: { summary: 'A name, words, or a question.', minLength: 1, maxLength: 10_000, required: true },
      artifact: { ...ONE_ARTIFACT, summary: 'Default: all.' },
      limit: { summary: `Results; default ${PAGE_SIZE}.`, max: 50 },
      minScore: 'Leave out results below this share of the best score.',
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true },
  },
});

const show = defineQuestion<typeof showParams, ContextList>({
  name: 'context show',
  summary: 'print one artifact: its state, and the text of its files',
  effect: 'reads',
  params: showParams,
  answer: async () => (await import('./answers.js')).answerShow,
  text: async () => (await import('./text.js')).contextListText,
  documents: listDocument,
  command: {
    group: GROUP,
    examples: [
      ['context show decisions', 'the files of an artifact, as checked out'],
      ['context show decisions --ref v1.2', 'as of a tag'],
    ],
  },
});

const index = defineQuestion<typeof indexParams, ContextIndexReport>({
  name: 'context index',
  summary: 'index artifacts now; otherwise the next search does it',
  effect: 'writes',
  params: indexParams,
  answer: async () => (await import('./answers.js')).answerIndex,
  text: async () => (await import('./text.js')).contextIndexText,
  documents: { 'context-index': { schema: contextIndexReportSchema } },
  command: {
    group: GROUP,
    examples: [
      ['context index', 'all artifacts'],
      ['context index --artifact decisions', 'one of them'],
    ],
  },
  tool: {
    name: 'codebase_context_index',
    title: 'Index context artifacts',
    toolset: 'context',
    description: 'Brings context artifacts up to date. Searches do it by themselves.',
    params: { ref: REF },
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});

const remove = defineQuestion<typeof removeParams, ContextRemoveReport>({
  name: 'context remove',
  summary: 'delete the local index of artifacts outside of the repository',
  effect: 'deletes',
  params: removeParams,
  answer: async () => (await import('./answers.js')).answerRemove,
  text: async () => (await import('./text.js')).contextRemoveText,
  documents: { 'context-remove': { schema: contextRemoveReportSchema } },
  command: {
    group: GROUP,
    examples: [
      ['context remove', 'of all artifacts outside'],
      ['context remove --artifact decisions', 'of one of them'],
    ],
  },
  tool: {
    name: 'codebase_context_remove',
    title: 'Delete indexes of context artifacts',
    toolset: 'context',
    description:
      'Deletes what is kept of context artifacts outside of the repository; those inside belong to its index.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 1_000,
  },
});

export const questions: readonly AnyQuestion[] = [list, search, show, index, remove];
