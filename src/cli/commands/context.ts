/** `git socraticode context`: named files and folders beside the code. */
import { Command, InvalidArgumentError } from 'commander';
import { safeJson } from '../../base/hygiene.js';
import type { ContextArtifacts, ContextOptions } from '../../engine/context/context.js';
import { createPen } from '../../questions/writing/pen.js';
import {
  renderContextIndex,
  renderContextList,
  renderContextRemove,
  renderContextSearch,
} from '../../render/context.js';
import type { CommandContext } from '../context.js';
import { writeOut } from '../io.js';
import { collectGlob, wholeNumber } from '../options.js';
import { withSession } from './with-session.js';

interface Options {
  ref?: string;
  artifact?: string[];
  committed?: boolean;
  limit?: number;
  minScore?: number;
  content: boolean;
  lines: number;
  json?: boolean;
}

const DEFAULT_LINES = 8;

export function contextCommand(context: CommandContext): Command {
  return new Command('context')
    .description('files and folders that the repository names beside its code: specifications, schemas, decisions')
    .addCommand(listCommand(context))
    .addCommand(searchCommand(context))
    .addCommand(showCommand(context))
    .addCommand(indexCommand(context))
    .addCommand(removeCommand(context));
}

const named = (command: Command) => command.option('--artifact <name>', 'only this artifact; repeatable', collectGlob);
const atRef = (command: Command) =>
  named(command).option('--ref <ref>', 'branch, tag or commit (default: HEAD and what is not committed yet)');
const asJson = (command: Command) => command.option('--json', 'print the answer as JSON');

function listCommand(context: CommandContext): Command {
  const command = new Command('list').description('list the artifacts and how much of each can be searched');
  return asJson(atRef(command)).action((options: Options) =>
    answer(context, options, {
      ask: (artifacts, asked) => artifacts.list(asked),
      render: renderContextList,
      isEmpty: (list) => list.artifacts.list.length === 0,
      readOnly: true,
    }),
  );
}

function searchCommand(context: CommandContext): Command {
  const command = new Command('search')
    .description('search artifacts alone')
    .argument('<query...>', 'what to look for; several words need no quotes');
  return asJson(
    atRef(command)
      .option('--committed', 'leave uncommitted files out')
      .option('--limit <n>', 'results, 1 to 100 (default: 10)', wholeNumber)
      .option('--min-score <share>', 'leave out what scores less than this share of the best result, 0 to 1', share)
      .option('--no-content', 'leave the text out')
      .option('--lines <n>', 'lines shown of each result, 0 for all', wholeNumber, DEFAULT_LINES),
  ).action((words: string[], options: Options) => {
    const { limit, minScore, committed, lines, content } = options;
    const search = { query: words.join(' '), limit, minScore, committed, noContent: !content };
    return answer(context, options, {
      ask: (artifacts, asked) => artifacts.search({ ...asked, ...search }),
      render: (response, pen) => renderContextSearch(response, { pen, lines }),
      isEmpty: ({ results }) => results.length === 0,
      readOnly: true,
    });
  });
}

function showCommand(context: CommandContext): Command {
  const command = new Command('show')
    .description('print one artifact: its state, and the text of its files')
    .argument('<name>', 'the name of an artifact')
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD and what is not committed yet)');
  return asJson(command).action((name: string, options: Options) =>
    answer(context, options, { ask: (artifacts, { ref }) => artifacts.read(name, { ref }), render: renderContextList }),
  );
}

function indexCommand(context: CommandContext): Command {
  const command = new Command('index').description('bring them up to date; searches do it by themselves');
  return asJson(atRef(command)).action((options: Options) =>
    answer(context, options, { ask: (artifacts, asked) => artifacts.index(asked), render: renderContextIndex }),
  );
}

function removeCommand(context: CommandContext): Command {
  const command = new Command('remove').description('delete what is kept of artifacts outside of the repository');
  return asJson(named(command)).action((options: Options) =>
    answer(context, options, { ask: (artifacts, asked) => artifacts.remove(asked), render: renderContextRemove }),
  );
}

interface Question<T> {
  ask: (artifacts: ContextArtifacts, asked: ContextOptions) => Promise<T>;
  render: (document: T, pen: ReturnType<typeof createPen>) => string;
  isEmpty?: (document: T) => boolean;
  /** Works without git, too. */
  readOnly?: boolean;
}

async function answer<T>(context: CommandContext, options: Options, question: Question<T>): Promise<void> {
  const { io, setExit } = context;
  await withSession(
    context,
    async (session, signal) => {
      const [{ ContextArtifacts }, { Searcher }] = await Promise.all([
        import('../../engine/context/context.js'),
        import('../../session/search/searcher.js'),
      ]);
      const artifacts = new ContextArtifacts(session, new Searcher(session));
      const document = await question.ask(artifacts, { ref: options.ref, artifacts: options.artifact, signal });
      if (question.isEmpty?.(document)) setExit(1);
      await writeOut(io, options.json ? `${safeJson(document)}\n` : question.render(document, createPen(io)));
    },
    question,
  );
}

function share(text: string): number {
  if (!/^(?:0?\.\d+|[01](?:\.0*)?)$/.test(text)) throw new InvalidArgumentError('It takes a number from 0 to 1.');
  return Number(text);
}
