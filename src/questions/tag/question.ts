/** `tag list|why|add|remove`, `codebase_tag_*`: which code is about authentication, databases, or anything a team names. */
import { TAG_FORM, TAG_NAME } from '../../config/rules.js';
import { commandText } from '../../params/command-line.js';
import { flag, integer, text, type Values } from '../../params/param.js';
import { defineGraphQuestion } from '../graph/graph-question.js';
import { defineQuestion } from '../question.js';
import { MAX_GRAPH_LIMIT, REF, snapshot } from '../shared-params.js';
import { tagChangeSchema, tagListSchema, tagWhySchema } from './output.js';

const LISTED = 50;

const tag = text({
  summary: 'the tag',
  required: true,
  pattern: TAG_NAME,
  form: TAG_FORM,
  cli: { argument: '<tag>' },
});
const target = text({
  summary: 'Cart.total, src/cart.ts, or src/cart.ts#total',
  required: true,
  minLength: 1,
  completes: 'symbol',
  cli: { argument: '<target>' },
});

const listParams = {
  tag,
  ...snapshot,
  limit: integer({ summary: 'places', min: 1, max: MAX_GRAPH_LIMIT, default: LISTED, cli: { value: 'n' } }),
} as const;
const whyParams = { target, ...snapshot } as const;
const changeParams = {
  target,
  tag,
  share: flag({ summary: 'send it with the next push, too; otherwise it stays in this clone' }),
  agent: text({
    summary: 'record this program as the author, in place of a person',
    minLength: 1,
    maxLength: 200,
    cli: { value: 'name' },
  }),
} as const;

export type TagListValues = Values<typeof listParams>;
export type TagWhyValues = Values<typeof whyParams>;
export type TagChangeValues = Values<typeof changeParams>;

const GROUP = 'Knowledge';
const TOOLSET = 'knowledge';

const listTag = defineGraphQuestion({
  name: 'tag list',
  summary: 'the files and symbols that have a tag',
  effect: 'reads',
  params: listParams,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerTagList,
  text: async () => (await import('./text.js')).tagListText,
  documents: { 'tag-list': { schema: tagListSchema } },
  command: {
    group: GROUP,
    examples: [
      ['tag list auth', 'code about authentication'],
      ['tag list database --ref main', 'on another branch'],
    ],
    isNegative: ({ places }) => places.list.length === 0,
  },
  tool: {
    name: 'codebase_tag_list',
    title: 'Code with a tag',
    toolset: TOOLSET,
    description: 'Lists the files and symbols that have a tag.',
    params: { tag: 'E.g. auth.', ref: REF },
    maxTokens: 2_000,
    page: { size: LISTED, most: MAX_GRAPH_LIMIT },
  },
});

const why = defineGraphQuestion({
  name: 'tag why',
  summary: 'the tags of a symbol or file, and which rule or person gave each',
  effect: 'reads',
  params: whyParams,
  answer: async () => (await import('./why.js')).answerTagWhy,
  text: async () => (await import('./text.js')).tagWhyText,
  documents: { 'tag-why': { schema: tagWhySchema } },
  command: {
    group: GROUP,
    examples: [
      ['tag why Cart.total', 'of a method, its class and its file'],
      ['tag why src/cart.ts', 'of a file'],
    ],
    isNegative: ({ tags: found }) => found.length === 0,
  },
  tool: {
    name: 'codebase_tag_why',
    title: 'Tags of code',
    toolset: TOOLSET,
    description: 'Says which tags a symbol or file has, and which rule or person gave each.',
    params: { target: 'NAME, PATH or PATH#NAME.', ref: REF },
    maxTokens: 1_000,
  },
});

const changed = {
  text: async () => (await import('./text.js')).tagChangeText,
  documents: {
    'tag-change': {
      schema: tagChangeSchema,
      title: commandText('tag …', { json: true }),
    },
  },
} as const;
const changeTool = {
  toolset: TOOLSET,
  params: {
    target: 'NAME, PATH, PATH:10-40 or PATH#NAME.',
    tag: 'The tag.',
    share: 'Send it to others.',
    agent: 'Your name.',
  },
  reply: ['projectPath'],
  maxTokens: 500,
} as const;

const add = defineQuestion({
  name: 'tag add',
  summary: 'give a tag to a symbol, lines or a file by hand, for as long as their text stays the same',
  effect: 'writes',
  params: changeParams,
  answer: async () => (await import('./answer.js')).answerTagAdd,
  ...changed,
  command: {
    group: GROUP,
    examples: [
      ['tag add Cart.total money', 'a tag on a method, in this clone alone'],
      ['tag add src/cart.ts money --share', 'a tag on a file, sent with the next push'],
    ],
  },
  tool: {
    ...changeTool,
    name: 'codebase_tag_add',
    title: 'Give a tag',
    description: 'Gives a tag to a symbol, lines or a file.',
  },
});

const remove = defineQuestion({
  name: 'tag remove',
  summary: 'take a tag away, whether a rule or somebody gave it',
  effect: 'writes',
  params: changeParams,
  answer: async () => (await import('./answer.js')).answerTagRemove,
  ...changed,
  command: {
    group: GROUP,
    examples: [
      ['tag remove Cart.total money', 'it is not about money'],
      ['tag remove src/log.ts logging --share', 'for everybody'],
    ],
  },
  tool: {
    ...changeTool,
    name: 'codebase_tag_remove',
    title: 'Take a tag away',
    description: 'Takes a tag away that a rule or somebody gave wrongly.',
  },
});

export const questions = [listTag, why, add, remove];
