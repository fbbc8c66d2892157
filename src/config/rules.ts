/** Rules in settings: about dependencies between files (`graph.rules`), which code has which tag (`tags.rules`), and where code may be sent. */
import { FILE_CLASSES, globFault, isFileClass } from '../base/glob.js';
import { choice, flag, integer, list, records, text, type Values } from '../params/param.js';

/** Rules for lists of globs in settings: each is matched in bounded time. */
export const globs = {
  ...{ minLength: 1, maxLength: 512, fits: (pattern: string) => globFault(pattern) === null },
  form: 'a list of globs such as "docs/**" or "*.gen.ts", each with at most 3 "*" between two slashes',
};

const files = (summary: string) => list({ summary, ...globs });

/** Limits on functions; a rule may have several. */
export const LIMITS = ['cognitive', 'cyclomatic', 'lines', 'parameters'] as const;

const most = (of: string) => integer({ summary: `Most ${of} of a function in from.`, min: 0, max: 100_000 });

/** Each rule has one of `to`, `only`, `layers`, `independent` and `cycles`, or limits. */
const RULE_FIELDS = {
  from: files('Files that the rule is about; default: all.'),
  to: files('Files that those in from must not use.'),
  allow: flag({ summary: 'True: an exception from the rules above, for files in from that use files in to.' }),
  only: files('The only files that those in from may use, besides each other.'),
  layers: files('Folders or globs from bottom to top; what is in one must not use what is in a later one.'),
  independent: files('Folders or globs; what is in one must not use what is in another: "features/*" are many.'),
  cycles: flag({ summary: 'False: files in from must not import each other in circles.' }),
  cognitive: most('cognitive complexity'),
  cyclomatic: most('cyclomatic complexity'),
  lines: most('lines'),
  parameters: most('parameters'),
  imports: choice(['all', 'values', 'static', 'types'], {
    summary:
      'Imports that count: those that only name types are left out (values), or alone (types). For cycles, static leaves lazy imports out as well.',
  }),
  why: text({ summary: 'The reason, shown with each violation.', minLength: 1, maxLength: 500 }),
} as const;

export type GraphRule = Values<typeof RULE_FIELDS>;

export const GRAPH_RULES = {
  ...records({
    summary:
      'Which files may use which others, and how complex functions may be; `graph check` lists what breaks a rule.',
    fields: RULE_FIELDS,
    maxEntries: 200,
    form: 'a list of rules, each with one of to, only, layers, independent and cycles, or with limits of functions',
    default: [],
  }),
  details: 'In files alone. See [rules](graph.md#rules).',
};

/** Tags with built-in rules. */
export const STARTER_TAGS = ['auth', 'database', 'http', 'logging', 'caching', 'tests', 'configuration'] as const;

/** A tag is short and in lower case, so that nobody has to guess how it is written. */
export const TAG_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
export const TAG_FORM = 'lower-case letters, digits, ".", "_" and "-", at most 64';

const names = (summary: string) => list({ summary, minLength: 1, maxLength: 256, maxEntries: 500 });

/** All conditions of a rule must hold; of a list of values, one of them. */
export const TAG_RULE_FIELDS = {
  tag: text({ summary: 'The tag.', pattern: TAG_NAME, form: TAG_FORM, required: true }),
  path: list({ summary: 'Globs of files; "!" before one excludes.', ...globs }),
  is: list({
    summary: `Classes of files: ${FILE_CLASSES.join(', ')}; "!" before one excludes.`,
    fits: isFileClass,
    words: FILE_CLASSES,
    form: 'a list of classes of files, such as "test" or "!test"',
    maxLength: 32,
  }),
  language: names('Ids of languages.'),
  imports: names('Modules or packages that the file imports, or parts of them; "*" stands for any text.'),
  symbol: names('Names of symbols, qualified ones with a dot; "*" stands for any text, case does not count.'),
  calls: names('Names that the symbol calls, with receiver or without (jwt.sign, fetch); "*" stands for any text.'),
  regex: text({
    summary: 'An expression (RE2) that a line of the symbol matches, or of the file outside of its symbols.',
    minLength: 1,
    maxLength: 1_000,
  }),
  why: text({ summary: 'The reason, shown where the rule is.', minLength: 1, maxLength: 500 }),
} as const;

export type TagRule = Values<typeof TAG_RULE_FIELDS>;

export const TAG_RULES = {
  ...records({
    summary: 'Rules that give tags to files and symbols; `tag why` says which of them gave one.',
    fields: TAG_RULE_FIELDS,
    maxEntries: 200,
    form: 'a list of rules, each with tag and at least one condition',
    default: [],
  }),
  details: 'In files alone. See [tags](knowledge.md#tags).',
};

export const TAGS_STARTER = list({
  summary: 'Tags whose built-in rules apply; an empty list turns them all off.',
  choices: STARTER_TAGS,
  form: `a list of ${STARTER_TAGS.join(', ')}`,
  default: STARTER_TAGS,
});

/** Tells whether requests may go to a URL. A URL with a password is refused: messages would show it. Keys come from the environment. */
export function isEndpoint(url: string): boolean {
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(url) || /[?#\\]/.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === '' && password === '' && !url.includes('@');
}

/** Tells whether code may be published to an address; plain HTTP only within this machine. */
export function isFleet(address: string): boolean {
  if (/^(?:file|s3|gs|az):\/\/[\x21-\x7e]+$/.test(address)) return !address.includes('@');
  const isLocal = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?(?:\/|$)/.test(address);
  return isEndpoint(address) && (isLocal || address.startsWith('https:'));
}

/** Settings of a fleet. They say to whom code is sent, and under which name, so only the user sets them. */
export const FLEET_SETTINGS = {
  'fleet.url': {
    ...text({
      summary: 'Fleet that is published to: the address of a server, or of a store.',
      ...{ maxLength: 1_024, fits: isFleet },
      form: 'an https URL, or file:///dir, s3://bucket/folder, gs://bucket or az://container, without user and password',
    }),
    details: 'See [fleet](fleet.md).',
    userOnly: true as const,
  },
  'fleet.repo': {
    ...text({
      summary: 'Name of the repository in a fleet; the default is made of the address of its remote.',
      ...{ maxLength: 200, pattern: /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u, form: 'letters, digits and "._/-"' },
    }),
    userOnly: true as const,
  },
  'fleet.family': {
    ...text({
      summary: 'Name of the repository that this one is a fork of: units are stored once for both.',
      ...{ maxLength: 200, pattern: /^[\p{L}\p{N}][\p{L}\p{N}._/-]*$/u, form: 'letters, digits and "._/-"' },
    }),
    details: 'Whoever may publish to one repository of a family can change what searches of the others propose.',
    userOnly: true as const,
  },
  'fleet.refs': {
    ...list({
      summary: 'Branches that `publish` sends where none is named, as globs; by default the current one.',
      ...{ maxEntries: 100, minLength: 1, maxLength: 200, form: 'a list of globs such as "release/*"', default: [] },
    }),
    userOnly: true as const,
  },
  'fleet.content': {
    ...flag({ summary: 'Whether a store that is published to directly keeps the text of files.', default: true }),
    details: 'Without text, answers have no excerpts. A server decides by itself.',
    userOnly: true as const,
  },
} as const;
