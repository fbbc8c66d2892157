/** `graph references`, `codebase_references`: every use of a symbol or a file. */
import { text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count } from '../../shared-output.js';
import { file, graphLimit, linkedUsers, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import {
  callerPlace,
  header,
  incomplete,
  linkedUses,
  namedLines,
  nodePlace,
  requested,
  some,
  usePlace,
} from '../output.js';

const possibleUse = usePlace.extend({
  likelihood: s
    .number({ minimum: 0, maximum: 1 })
    .optional()
    .describe('Share of such uses that were confirmed on other repositories. Absent where none is known to hold.'),
});

const facts = {
  definitions: s.array(nodePlace).describe('For agents at most the first 3.'),
  definitionCount: count.describe('All definitions: overloads of one name, or parts of one type.'),
  counts: s.record(count).describe('Proven uses by kind, before the limit.'),
  files: count.describe('Files with proven uses.'),
  uses: some(callerPlace),
  likely: some(callerPlace).describe('Unproven uses that by names mean it.'),
  possible: some(possibleUse).describe('Uses of that name whose target is not known, the most likely first.'),
  namesakes: count.describe('More, not listed: collections have that method, too.'),
};

export const graphReferencesResponseSchema = s.object({
  ...header,
  ...incomplete,
  ...requested,
  ...facts,
  named: namedLines,
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
});

export type GraphReferencesResponse = s.Infer<typeof graphReferencesResponseSchema>;
export type PossibleUse = s.Infer<typeof possibleUse>;
/** The uses without the header of the answer. */
export type References = s.InferFields<typeof facts>;

const params = {
  name: text({
    summary: 'total, Cart.total, src/cart.ts:Cart.total, src/cart.ts:42 or a file',
    required: true,
    completes: 'symbol',
    cli: { argument: '<name>' },
  }),
  file,
  linked: linkedUsers,
  ...snapshot,
  limit: graphLimit('uses', LISTED.references),
} as const;

export type ReferencesValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph references',
  summary: 'every use of a symbol: calls, reads, writes, types, inheritance, imports; exits with 1 if there are none',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerReferences,
  text: async () => (await import('./answer.js')).referencesBlocks,
  documents: {
    'graph-references': { schema: graphReferencesResponseSchema },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph references Cart.total', 'every use of a method'],
      ['graph references total --file src/cart.ts', 'uses of the one that this file defines'],
      ['graph references Cart.total --linked', 'in the linked repositories, too'],
    ],
    isNegative: ({ uses, likely, possible, linked }) =>
      uses.list.length + likely.list.length + possible.list.length + (linked?.uses.list.length ?? 0) === 0,
  },
  tool: {
    name: 'codebase_references',
    title: 'References',
    toolset: 'core',
    description: 'Uses of a symbol or file: proven, likely, possible.',
    params: {
      name: 'NAME, Class.method, PATH:NAME, PATH:LINE or file.',
      file: 'Its file or directory.',
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: LISTED.references, most: MAX_GRAPH_LIMIT },
  },
});
