/** `tag list|why|add|remove`, `codebase_tag_*`: which code is about authentication, databases, or anything a team names. */
import { TAG_FORM, TAG_NAME } from '../../config/rules.js';
import { commandText, flag, integer, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineGraphQuestion } from '../graph/graph-question.js';
import { header, line, some } from '../graph/output.js';
import { claimant } from '../note/question.js';
import { defineQuestion } from '../question.js';
import { count, oid } from '../shared-output.js';
import { MAX_GRAPH_LIMIT, REF, snapshot } from '../shared-params.js';

const gapCounts = {
  unread: count.optional().describe('Files in which an expression of a rule took too long.'),
  gone: count.optional().describe('Tags given by hand whose code is gone.'),
  unreadable: count.optional().describe('Entries that this version cannot read.'),
};

const tagsSchema = s.object({
  ...header,
  tags: s.array(
    s.object({
      tag: s.string(),
      files: count.describe('Files that have it as a whole.'),
      symbols: count.describe('Symbols that have it, in other files.'),
      byHand: count.describe('Places that somebody gave it.'),
    }),
  ),
  ...gapCounts,
});

const givenTag = s
  .object({
    id: oid,
    author: claimant,
    date: s.string().describe("By the author's clock."),
    shared: s.boolean().describe('False: it stays in this clone.'),
    status: s.enum(['current', 'moved', 'stale']).describe('stale: the code changed since.'),
  })
  .describe('By hand: a claim of its author.');

const tagPlace = s.object({
  path: s.string(),
  symbol: s.string().nullable().describe('Qualified name; null for a whole file, and for lines.'),
  startLine: line.nullable().describe('Null for a whole file.'),
  endLine: line.nullable(),
  given: givenTag.optional(),
});

const tagListSchema = s.object({
  ...header,
  tag: s.string(),
  files: count,
  symbols: count,
  places: some(tagPlace).describe(
    'Production code first, then by path. Symbols of a file that has the tag are left out.',
  ),
  ...gapCounts,
});

const tagReason = s.object({
  rule: s.object({
    number: line.describe('Of the rules of this source, the first is 1.'),
    source: s.enum(['built-in', '.socraticode.json']),
    why: s.string().optional(),
  }),
  of: tagPlace.omit('given').describe('What the rule is about: the symbol, one around it, or its file.'),
  found: s.array(s.string()).describe('The conditions and what fulfils them; untrusted repository content.'),
});

const tagWhySchema = s.object({
  ...header,
  target: s.string(),
  place: tagPlace.omit('given'),
  tags: s.array(
    s.object({
      tag: s.string(),
      reasons: s.array(tagReason),
      given: s.array(givenTag.extend({ of: tagPlace.omit('given') })),
    }),
  ),
  ...gapCounts,
});

const tagChangeSchema = s.object({
  schemaVersion: s.literal(1),
  tag: s.string(),
  place: tagPlace.omit('given'),
  has: s.boolean().describe('Whether the code has the tag now.'),
  isNew: s.boolean().describe('False: it was so before, and nothing was written.'),
  shared: s.boolean(),
});

export type TagsDocument = s.Infer<typeof tagsSchema>;
export type TagListDocument = s.Infer<typeof tagListSchema>;
export type TagWhyDocument = s.Infer<typeof tagWhySchema>;
export type TagChangeDocument = s.Infer<typeof tagChangeSchema>;
export type TagPlaceItem = s.Infer<typeof tagPlace>;
export type TagReason = s.Infer<typeof tagReason>;

const params = { ...snapshot } as const;

export type TagsValues = Values<typeof params>;

export const tags = defineGraphQuestion({
  name: 'tags',
  summary: 'the tags of this repository, each with how much code has it',
  effect: 'reads',
  params: params,
  candidates: false,
  answer: async () => (await import('./answer.js')).answerTags,
  text: async () => (await import('./answer.js')).tagsText,
  documents: { tags: { schema: tagsSchema } },
  command: {
    group: 'Knowledge',
    examples: [
      ['tags', 'as the work tree is now'],
      ['tags --ref v1.2', 'as of a tag of git'],
    ],
  },
  tool: {
    name: 'codebase_tags',
    title: 'Tags',
    toolset: 'knowledge',
    description:
      'Lists tags such as auth or database, with how much code has each. Search with `tag:auth` in the query.',
    params: { ref: REF },
    maxTokens: 1_000,
  },
});

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
  text: async () => (await import('./answer.js')).tagListText,
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
  answer: async () => (await import('./answer.js')).answerTagWhy,
  text: async () => (await import('./answer.js')).tagWhyText,
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
  text: async () => (await import('./answer.js')).tagChangeText,
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

export const questions = [tags, listTag, why, add, remove];
