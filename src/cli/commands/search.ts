/** `git socraticode search` */
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { SocraticodeError, unexpected } from '../../base/errors.js';
import { safeJson } from '../../base/hygiene.js';
import type { SearchResponse } from '../../engine/contract.js';
import { createPen } from '../../questions/writing/pen.js';
import { renderSearch } from '../../render/search-results.js';
import type { OpenLinks } from '../../session/linked/open-links.js';
import type { Searcher, SearchOptions } from '../../session/search/searcher.js';
import type { Session } from '../../session/session.js';
import type { CommandContext } from '../context.js';
import { writeOut } from '../io.js';
import { type FilterOptions, wholeNumber, withFilters } from '../options.js';

interface Options extends FilterOptions {
  mode?: SearchOptions['mode'];
  json?: boolean;
  explain?: boolean;
  content: boolean;
  lines?: number;
  in?: string;
  allRefs?: boolean;
  linked?: boolean;
  stdin?: boolean;
  jsonl?: boolean;
}

const DEFAULT_LINES = 8;

export function searchCommand(context: CommandContext): Command {
  const command = new Command('search')
    .description('find code by words, names, meaning or a question')
    .argument('[query...]', 'what to look for; several words need no quotes');
  return withFilters(command)
    .option('--in <A..B>', 'only files that are new or changed from A to B; "main.." is what this branch changes')
    .option('--all-refs', 'search every branch at once, local ones and those of remotes')
    .option('--linked', 'search the linked repositories and submodules, too, each as it is checked out')
    .option('--mode <mode>', 'hybrid (words and vectors; default), lexical or semantic', parseMode)
    .option('--json', 'print the answer as JSON')
    .option('--explain', 'show every contribution to the scores')
    .option('--no-content', 'leave the text out')
    .option(
      '--lines <n>',
      `lines of each result, those that match best, 0 for all (default: ${DEFAULT_LINES}; with --json: all)`,
      wholeNumber,
    )
    .option('--stdin', 'read queries from stdin, a line each: text, or a JSON object of these options')
    .option('--jsonl', 'with --stdin: print one JSON document a line (the default there)')
    .action((words: string[], options: Options) => run(context, words, options));
}

async function run(context: CommandContext, words: string[], options: Options): Promise<void> {
  const { io, directory } = context;
  const query = words.join(' ');
  if (!options.stdin && query.trim() === '') throw new SocraticodeError('EMPTY_QUERY', 'the query is empty');
  const { Session } = await import('../../session/session.js');
  // Git answers while the rest is loaded.
  const opening = Session.open({ directory: directory(), readOnly: true });
  opening.catch(() => {});
  const { Searcher } = await import('../../session/search/searcher.js');
  const session = await opening;
  const asking = new Asking(session, new Searcher(session));
  const base = searchOptions(options);
  try {
    if (options.stdin) return await serve(context, asking, base);
    const response = await asking.search({ ...base, query });
    if (response.results.length === 0) context.setExit(1);
    const text = options.json
      ? `${safeJson(await excerpted(response, options.lines))}\n`
      : renderSearch(response, { pen: createPen(io), lines: options.lines ?? DEFAULT_LINES });
    await writeOut(io, text);
  } finally {
    await asking.close();
  }
}

async function excerpted(response: SearchResponse, lines: number | undefined): Promise<SearchResponse> {
  if (lines === undefined) return response;
  const { withExcerpts } = await import('../../engine/search/excerpt.js');
  return withExcerpts(response, () => lines);
}

interface Question extends SearchOptions {
  linked?: boolean;
}

/** Asks this repository, or those linked to it as well. */
class Asking {
  private links: OpenLinks | null = null;

  constructor(
    readonly session: Session,
    readonly searcher: Searcher,
  ) {}

  async search({ linked, ...options }: Question): Promise<SearchResponse> {
    if (!linked) return this.searcher.search(options);
    // Loaded here: most searches are about one repository.
    const [{ searchLinked }, { OpenLinks }] = await Promise.all([
      import('../../session/linked/linked-search.js'),
      import('../../session/linked/open-links.js'),
    ]);
    this.links ??= new OpenLinks();
    return searchLinked(this, options, this.links);
  }

  async close(): Promise<void> {
    await this.links?.close();
    this.session.close();
  }
}

function searchOptions(options: Options): Omit<Question, 'query'> {
  const { ref, committed, limit, path, lang, kind, mode, explain, allRefs, linked } = options;
  return {
    ref,
    committed,
    in: options.in,
    allRefs,
    limit,
    path,
    lang,
    kind,
    mode,
    explain,
    linked,
    noContent: !options.content,
  };
}

/** One JSON document out per line in, in order; a bad line is answered with an error document, not with an end. */
async function serve({ io }: CommandContext, asking: Asking, base: Omit<Question, 'query'>): Promise<void> {
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    let document: unknown;
    try {
      document = await asking.search({ ...base, ...parseLine(line) });
    } catch (error) {
      const { code, message, hint } = error instanceof SocraticodeError ? error : unexpected(error);
      document = { schemaVersion: 1, error: { code, message, hint } };
    }
    await writeOut(io, `${safeJson(document)}\n`);
  }
}

const LINE_KEYS: Record<string, (value: unknown) => boolean> = {
  query: (value) => typeof value === 'string',
  ref: (value) => typeof value === 'string',
  in: (value) => typeof value === 'string',
  allRefs: (value) => typeof value === 'boolean',
  linked: (value) => typeof value === 'boolean',
  path: isStrings,
  lang: isStrings,
  kind: isStrings,
  limit: (value) => typeof value === 'number',
  mode: (value) => MODES.includes(value as (typeof MODES)[number]),
  committed: (value) => typeof value === 'boolean',
  explain: (value) => typeof value === 'boolean',
  noContent: (value) => typeof value === 'boolean',
};

function isStrings(value: unknown): boolean {
  return typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'));
}

/** A line is a query, or a JSON object of options. Throws BAD_ARGUMENT. */
export function parseLine(line: string): Question {
  if (!line.trimStart().startsWith('{')) return { query: line };
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(line) as Record<string, unknown>;
  } catch (cause) {
    throw new SocraticodeError('BAD_ARGUMENT', 'the line starts like a JSON object but is none', { cause });
  }
  for (const [key, item] of Object.entries(value)) {
    if (!Object.hasOwn(LINE_KEYS, key)) {
      throw new SocraticodeError('BAD_ARGUMENT', `unknown key in the request: ${key}`, {
        hint: `Keys: ${Object.keys(LINE_KEYS).join(', ')}`,
      });
    }
    if (!LINE_KEYS[key](item))
      throw new SocraticodeError('BAD_ARGUMENT', `bad value for ${key}: ${JSON.stringify(item)}`);
  }
  const list = (item: unknown) => (typeof item === 'string' ? [item] : (item as string[] | undefined));
  const lists = Object.fromEntries(
    ['path', 'lang', 'kind'].filter((key) => key in value).map((key) => [key, list(value[key])]),
  );
  return { query: '', ...value, ...lists };
}

const MODES = ['hybrid', 'lexical', 'semantic'] as const;

function parseMode(text: string): SearchOptions['mode'] {
  const mode = MODES.find((known) => known === text);
  if (mode === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `unknown mode: ${text}`, { hint: `Modes: ${MODES.join(', ')}` });
  return mode;
}
