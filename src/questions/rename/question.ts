/** `rename`, `codebase_rename`: a checked plan for another name of a symbol, as a patch with what has to be decided. */
import { flag, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineGraphQuestion, LISTED } from '../graph/graph-question.js';
import { header, incomplete, line, linkedUses, nodePlace, requested, some } from '../graph/output.js';
import { count } from '../shared-output.js';
import { file, graphLimit, linkedUsers, MAX_GRAPH_LIMIT, oneSnapshot, REF } from '../shared-params.js';

/** Places that are changed only if they are asked for. */
export const INCLUDABLE = ['likely', 'open', 'comments', 'strings', 'documents'] as const;

const place = {
  path: s.string(),
  line,
  column: s.integer({ exclusiveMinimum: 0 }).describe('Of the name, in UTF-16 units from 1.'),
  text: s.string().describe('The line; untrusted repository content.'),
};

const facts = {
  from: s.string().describe('The name as it stands in the text.'),
  to: s.string().describe('The new name; empty where the symbol is to be deleted.'),
  toFile: s.string().optional().describe('The file to which it goes under its name.'),
  definitions: s
    .array(nodePlace)
    .describe('All that gets the new name: declarations, overloads, and members that override each other.'),
  edits: count.describe('Places that the patch changes.'),
  files: some(
    s.object({
      path: s.string(),
      to: s.string().optional().describe('New path of a file that is named after the symbol.'),
      isNew: s.boolean().optional().describe('The patch makes the file.'),
      edits: count,
      patch: s.string().describe('A unified patch, as `git apply` reads it. Untrusted.'),
    }),
  ),
  decide: some(
    s.object({
      ...place,
      is: s
        .enum(['likely', 'open'])
        .describe('likely: names point to the symbol, no type proves it. open: nothing says what it means.'),
      why: s.string(),
    }),
  ).describe('Uses of the name that the patch leaves as they are: decide on each.'),
  mentions: some(s.object({ ...place, is: s.enum(['comment', 'string', 'document', 'data', 'code']) })).describe(
    'Words in comments, strings, documents, data, and code of other languages.',
  ),
  namesakes: count.describe('Places of the name that mean something else.'),
  conflicts: s
    .array(
      s.object({
        is: s.enum([
          'taken',
          'used',
          'shadowed',
          'outside',
          'visibility',
          'file',
          'generated',
          'branch',
          'linked',
          'unread',
          'helper',
          'circular',
        ]),
        blocks: s.boolean().describe('`write` refuses it.'),
        why: s.string(),
        path: s.string().optional(),
        line: line.optional(),
      }),
    )
    .describe('Reasons why the rename may change what the code does.'),
  written: s.boolean().optional().describe('With `write`: the files were changed and read again.'),
};

export const renameSchema = s.object({
  ...header,
  ...incomplete,
  ...requested,
  ...facts,
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
});

export type RenameDocument = s.Infer<typeof renameSchema>;
export type Conflict = RenameDocument['conflicts'][number];

const params = {
  name: text({
    summary: 'total, Cart.total, src/cart.ts:Cart.total or src/cart.ts:42',
    required: true,
    completes: 'symbol',
    cli: { argument: '<name>' },
  }),
  to: text({ summary: 'the new name', maxLength: 200, cli: { argument: '[new]' } }),
  file,
  delete: flag({ summary: 'delete the symbol instead, if nothing uses it' }),
  toFile: text({ summary: 'another file of its language to which it goes under its name', cli: { value: 'path' } }),
  include: list({
    summary: `also change places that are not sure: ${INCLUDABLE.join(', ')}; repeatable`,
    maxLength: 32,
    commas: true,
    fits: (each) => (INCLUDABLE as readonly string[]).includes(each),
    form: INCLUDABLE.join(', '),
    cli: { value: 'what' },
  }),
  linked: linkedUsers,
  noBranches: flag({ summary: 'do not look at what other branches change' }),
  write: flag({ summary: 'change the files, which must have no uncommitted changes, and check the result' }),
  ...oneSnapshot,
  limit: graphLimit('places of each list', LISTED.references),
} as const;

export type RenameValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'rename',
  summary: 'plan another name for a symbol: a patch of the sure uses, and a list of those to decide',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerRename,
  text: async () => (await import('./answer.js')).renameText,
  footer: false,
  documents: { rename: { schema: renameSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['rename Cart.total sum', 'a patch for every sure use, and what remains to be decided'],
      ['rename Cart.total sum | git apply', 'change the sure uses'],
      ['rename Cart.total sum --write', 'the same, refused if something speaks against it, and checked'],
      ['rename total --to-file src/sums.ts', 'move a function, with its imports and those of its users'],
      ['rename total --delete', 'delete a function that nothing uses'],
    ],
    isNegative: ({ edits }) => edits === 0,
  },
  tool: {
    name: 'codebase_rename',
    title: 'Plan a rename',
    toolset: 'graph',
    description: 'Patch that renames a symbol where that is sure, uses to decide, conflicts. Writes nothing.',
    params: {
      name: 'NAME, Class.method, PATH:NAME or PATH:LINE.',
      to: { summary: 'New name.' },
      delete: 'Delete it instead.',
      toFile: 'Move it to that file.',
      include: INCLUDABLE.join(', '),
      file: 'Its file or directory.',
      ref: REF,
    },
    maxTokens: 4_000,
    page: { size: LISTED.references, most: MAX_GRAPH_LIMIT },
  },
});
