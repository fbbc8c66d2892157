/** Parameters that many questions share. */
import { FILE_CLASSES, isFileClass } from '../base/glob.js';
import { TAG_NAME } from '../config/rules.js';
import { flag, integer, list, number, text } from '../params/param.js';
import type { ToolParam } from './question.js';

const refOf = (defaultText: string) =>
  text({
    summary: 'branch, tag or commit',
    defaultText,
    maxLength: 1_024,
    minLength: 1,
    completes: 'ref',
    cli: { value: 'ref' },
  });

/** The work tree or a ref. */
export const oneSnapshot = {
  ref: refOf('HEAD and uncommitted changes'),
  committed: flag({ summary: 'leave uncommitted files out' }),
} as const;

/** The snapshot of a question about the work tree, a ref, or what branches make when they are merged into one of these. */
export const snapshot = {
  ...oneSnapshot,
  merged: list({
    summary:
      'with this branch or work tree merged in, before anybody merges it; repeatable: one after another. No ref is written',
    maxLength: 1_024,
    minLength: 1,
    maxEntries: 200,
    completes: 'ref',
    cli: { value: 'ref' },
  }),
} as const;

/** Compares HEAD with the index instead of the work tree. */
export const staged = flag({ summary: 'what is staged (git add), compared with HEAD, without other changes' });

/** A range of commits that narrows a search; `summary` says what it narrows. */
export const inRange = (summary: string) =>
  text({ summary, maxLength: 1_024, minLength: 1, completes: 'range', cli: { value: 'A..B' } });

/** The snapshot of a question about commits alone. */
export const committedRef = refOf('HEAD');

export const path = list({
  summary: 'only these paths, from the current directory, or with ":/" from the top; "!glob" excludes; repeatable',
  maxLength: 512,
  globs: true,
  completes: 'path',
  cli: { short: '-g', value: 'glob' },
});

export const lang = list({
  summary: 'only these languages; repeatable',
  maxLength: 64,
  commas: true,
  completes: 'language',
  cli: { short: '-l', value: 'id' },
});

export const kind = list({
  summary: 'only these kinds of chunks (function, class, text and others); repeatable',
  maxLength: 64,
  commas: true,
  cli: { short: '-k', value: 'kind' },
});

/** Conditions on files and code that all searches share; in the words of a query: `author:ann since:2w is:test uses:Cart tag:auth`. */
export const fileFilters = {
  author: text({
    summary: 'only files that this author changed: a part of the name or address',
    minLength: 1,
    maxLength: 200,
    cli: { value: 'who' },
  }),
  since: text({
    summary:
      "only files whose last change (the author's, with an author) is not before this date: 2w, 2024-05-31, yesterday",
    minLength: 1,
    maxLength: 64,
    cli: { value: 'date' },
  }),
  until: text({
    summary: 'only files whose last change is not after this date',
    minLength: 1,
    maxLength: 64,
    cli: { value: 'date' },
  }),
  is: list({
    summary: `only files of this class, "!class" for all others: ${FILE_CLASSES.join(', ')}; repeatable`,
    maxLength: 32,
    commas: true,
    fits: isFileClass,
    words: FILE_CLASSES,
    form: `${FILE_CLASSES.join(', ')}, or one of them after "!"`,
    cli: { value: 'class' },
  }),
  uses: text({
    summary: 'only code that uses this symbol, as the graph has it',
    minLength: 1,
    completes: 'symbol',
    cli: { value: 'symbol' },
  }),
  tag: list({
    summary: 'only code with this tag, "!tag" for code without; `tags` lists them; repeatable',
    maxLength: 65,
    commas: true,
    fits: (name) => TAG_NAME.test(name.replace(/^!/, '')),
    form: 'a tag such as auth, or one after "!"',
    cli: { value: 'tag' },
  }),
} as const;

export const minScore = number({
  summary: 'leave out what scores less than this share of the best result',
  min: 0,
  max: 1,
  defaultText: 'the setting search.minScore',
  cli: { value: 'share' },
});

/** Most lines of context on each side. */
const MAX_CONTEXT = 200;

export const context = integer({
  summary: 'lines before and after the lines shown of each result',
  min: 0,
  max: MAX_CONTEXT,
  cli: { value: 'n' },
});

/** Most results of a search. */
export const MAX_RESULTS = 100;

export const resultLimit = integer({
  summary: 'results',
  min: 1,
  max: MAX_RESULTS,
  defaultText: 'the setting search.limit',
  cli: { short: '-n', value: 'n' },
});

/** The file or directory that narrows an ambiguous name. */
export const file = text({
  summary: 'only definitions in this file, or below this directory',
  completes: 'path',
  cli: { value: 'path' },
});

export const noContent = flag({ summary: 'leave the text out' });

/** Most entries of a list about the graph. */
export const MAX_GRAPH_LIMIT = 10_000;

/**
 * Limit of each list; `counted` names what is counted. It has no declared default, because a list of candidates for an ambiguous name has
 * its own: answers take `size` if no limit is given.
 */
export const graphLimit = (counted: string, size: number | string) =>
  integer({
    summary: counted,
    min: 1,
    max: MAX_GRAPH_LIMIT,
    defaultText: String(size),
    cli: { short: '-n', value: 'n' },
  });

/** Limit of the entries that an answer lists. */
export const listLimit = (counted: string, size: number) =>
  integer({ summary: counted, min: 1, max: MAX_GRAPH_LIMIT, default: size, cli: { short: '-n', value: 'n' } });

/** How tools describe `ref` to agents. */
export const REF: ToolParam = 'Any git ref.';
/** Description of a path glob for tools, which take one; people may repeat the option. */
export const ONE_GLOB = { summary: 'Path glob; !glob excludes.', one: true, minLength: 1 } as const;

/** The remote of a command that sends or fetches records. */
export const remoteArgument = text({
  summary: 'a configured remote',
  defaultText: "the current branch's, or origin",
  minLength: 1,
  completes: 'remote',
  cli: { argument: '[remote]' },
});

/** Value of `--remote` without a name. No remote can be called this, since it holds a space. */
export const DEFAULT_REMOTE = 'usual remote';

/** Option of a command that changes local records unless a remote is named. */
export const remoteOption = (summary: string) =>
  text({ summary, minLength: 1, completes: 'remote', cli: { value: 'name', bare: DEFAULT_REMOTE } });

/** Adds uses by repositories of a fleet. */
export const fleetUsers = flag({
  summary: 'uses by the repositories of the fleet (setting fleet.url), too, as they were published',
});

/** Adds uses by other repositories. */
export const linkedUsers = flag({
  summary: 'uses by the linked repositories and submodules, too, each as it is checked out',
});
