/** Rules about dependencies between files (`graph.rules`): the fields of one. */
import { globFault } from '../base/glob.js';
import { choice, flag, list, records, text, type Values } from '../params/param.js';

/** Rules for lists of globs in settings: each is matched in bounded time. */
export const globs = {
  ...{ minLength: 1, maxLength: 512, fits: (pattern: string) => globFault(pattern) === null },
  form: 'a list of globs such as "docs/**" or "*.gen.ts", each with at most 3 "*" between two slashes',
};

const files = (summary: string) => list({ summary, ...globs });

/** Each rule has one of `to`, `only`, `layers`, `independent` and `cycles`. */
const RULE_FIELDS = {
  from: files('Files that the rule is about; default: all.'),
  to: files('Files that those in from must not use.'),
  allow: flag({ summary: 'True: an exception from the rules above, for files in from that use files in to.' }),
  only: files('The only files that those in from may use, besides each other.'),
  layers: files('Folders or globs from bottom to top; what is in one must not use what is in a later one.'),
  independent: files('Folders or globs; what is in one must not use what is in another: "features/*" are many.'),
  cycles: flag({ summary: 'False: files in from must not import each other in circles.' }),
  imports: choice(['all', 'values', 'types'], {
    summary: 'Imports that count: those that only name types are left out (values), or alone (types).',
  }),
  why: text({ summary: 'The reason, shown with each violation.', minLength: 1, maxLength: 500 }),
} as const;

export type GraphRule = Values<typeof RULE_FIELDS>;

export const GRAPH_RULES = {
  ...records({
    summary: 'Which files may use which others; `graph check` lists the imports that break a rule.',
    fields: RULE_FIELDS,
    maxEntries: 200,
    form: 'a list of rules, each with one of to, only, layers, independent and cycles',
    default: [],
  }),
  details: 'In files alone. See [rules](graph.md#rules).',
};
