/** Answers `summarize`: kept summaries first, then a model for the rest, files before the folders around them. */

import { mapConcurrently } from '../../base/concurrently.js';
import { SocraticodeError } from '../../base/errors.js';
import type { Config } from '../../config/types.js';
import type { Chat } from '../../embed/chat.js';
import { cut } from '../../graph/query/place.js';
import { summaryKey } from '../../knowledge/summary.js';
import { commandText, optionText } from '../../params/command-line.js';
import { claimNow } from '../../session/knowledge/author.js';
import { readSummaries } from '../../session/summaries/kept.js';
import type { Asker, ServerSide } from '../asker.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { isoTime } from '../note/notes.js';
import { extractFolder } from './make/extract.js';
import { type Gathered, gather, type Unit } from './make/gather.js';
import { Writer, type Written } from './make/writer.js';
import type { SummarizeDocument, SummaryItem } from './output.js';
import type { SummarizeValues } from './question.js';

/** Throws BAD_ARGUMENT without a target, and for a target that nothing is called; BAD_CONFIG without a model's name. */
export async function answerSummarize(at: Asker, values: SummarizeValues): Promise<SummarizeDocument> {
  const targets = values.all ? ['.'] : (values.targets ?? []);
  if (targets.length === 0)
    throw new SocraticodeError('BAD_ARGUMENT', 'nothing is named', {
      hint: commandText('summarize', { all: true, dryRun: true }),
    });
  const prepared = await prepareGraph(at, values);
  const { summarizer } = (await at.session.configOfOrigin(prepared.origin)).config;
  const chat = await chatOf(at, summarizer, values);
  const gathered = await gather(at, prepared, { targets, symbols: values.symbols });
  const writer = new Writer(at, await readSummaries(at.session, chat?.id ?? null), { chat, ...values }, summarizer);
  const items = await summarizeAll(at, prepared, gathered, writer);
  const { model, made, kept, left, tokens, cost, failure } = writer.report();
  return {
    ...prepared.header,
    ...{ model, made, kept, left, dryRun: values.dryRun === true, tokens, cost },
    ...(failure !== null && { failure }),
    summaries: cut(inOrder(items), values.limit),
  };
}

/** Without `ask`, agents read what is there: such a question sends nothing and costs nothing. */
async function chatOf(at: Asker, settings: Config['summarizer'], values: SummarizeValues): Promise<Chat | null> {
  const { inputPrice, outputPrice } = settings;
  if (values.maxCost !== undefined && inputPrice === undefined && outputPrice === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'the cost is limited, and no price is known', {
      hint: 'Set summarizer.inputPrice and summarizer.outputPrice, for a million tokens.',
    });
  const chat = at.server === undefined ? await ownChat(at, settings, values) : hostChat(at.server, settings, values);
  // Every summary names who had it made: better to fail before anything was paid for.
  if (chat !== null && values.dryRun !== true) claimNow(at.session, { isAgent: true, agent: chat.id });
  return chat;
}

async function ownChat(at: Asker, settings: Config['summarizer'], { pull }: SummarizeValues): Promise<Chat | null> {
  const { createChat } = await import('../../embed/chat.js');
  const chat = createChat(settings, process.env);
  if (!pull) return chat;
  if (chat?.pull === undefined)
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      `${optionText('pull')} downloads models to Ollama, and summarizer.name is ${settings.name}`,
      { hint: 'git config --global socraticode.summarizer.name ollama' },
    );
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  await chat.pull(
    ({ status, completed, total }) => at.progress(megabytes(completed), megabytes(total), status),
    at.signal,
  );
  return chat;
}

/** The model of the agent's host, as the user chose in the settings. Throws BAD_CONFIG where it may not, or cannot, be asked. */
function hostChat({ model }: ServerSide, { name }: Config['summarizer'], { ask }: SummarizeValues): Chat | null {
  if (!ask) return null;
  if (name !== 'host')
    throw new SocraticodeError('BAD_CONFIG', `summarizer.name is ${name}: the host's model may not be asked`, {
      hint: 'The user can allow it: git config --global socraticode.summarizer.name host',
    });
  if (model === undefined)
    throw new SocraticodeError('BAD_CONFIG', 'the host offers no model to its servers (sampling)', {
      hint: 'The user can name one: git config --global socraticode.summarizer.name ollama, then git socraticode summarize',
    });
  return {
    id: 'host',
    async ask(system, user) {
      const said = model.ask(system, user);
      return said && { text: said.text, model: `host:${said.model}`, inputTokens: null, outputTokens: null };
    },
  };
}

/** Files and symbols at once, then folders from the deepest: each is shown what was written about its children. */
export async function summarizeAll(
  at: Asker,
  prepared: GraphAndHeader,
  { units, folders }: Gathered,
  writer: Writer,
): Promise<SummaryItem[]> {
  const items: SummaryItem[] = [];
  // By folder: what was written about its children.
  const texts = new Map<string, Map<string, Written>>();
  const tell = (path: string, written: Written) => {
    const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
    texts.set(parent, (texts.get(parent) ?? new Map()).set(path, written));
  };
  try {
    await mapConcurrently(units, writer.atOnce, async (unit) => {
      const written = await writer.write({ ...unit, key: summaryKey(unit.kind, unit.shown), objects: [unit.blob] });
      items.push(itemOf(unit, written));
      if (unit.kind === 'file') tell(unit.path, written);
    });
    for (const level of byDepth(folders))
      await mapConcurrently(level, writer.atOnce, async (folder) => {
        const children = [...(texts.get(folder) ?? [])];
        const { unit, written } = await summarizeFolder(at, prepared, { folder, children, writer });
        items.push(itemOf(unit, written));
        if (folder !== '') tell(folder, written);
      });
  } finally {
    await writer.finish();
  }
  return items;
}

/** Folders of equal depth, the deepest first. */
function byDepth(folders: readonly string[]): string[][] {
  const levels = new Map<number, string[]>();
  for (const folder of folders) {
    const depth = folder === '' ? 0 : folder.split('/').length;
    levels.set(depth, [...(levels.get(depth) ?? []), folder]);
  }
  return [...levels].sort(([a], [b]) => b - a).map(([, level]) => level);
}

/** Children that a folder is shown. */
const MAX_CHILDREN = 150;

async function summarizeFolder(
  at: Asker,
  { graph, origin, uncommitted }: GraphAndHeader,
  { folder, children, writer }: { folder: string; children: [path: string, written: Written][]; writer: Writer },
): Promise<{ unit: Unit; written: Written }> {
  const isBelow = (path: string) => folder === '' || path.startsWith(`${folder}/`);
  const start = folder === '' ? 0 : folder.length + 1;
  children.sort(([a], [b]) => (a < b ? -1 : 1));
  const files: number[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) if (isBelow(path)) files.push(file);
  const isCommitted = ![...uncommitted].some(isBelow) && origin.resolved.commit !== null;
  const shown = children
    .slice(0, MAX_CHILDREN)
    .map(([path, { text }]) => `${path.slice(start)}: ${text}`)
    .join('\n');
  const kind = folder === '' ? 'repository' : 'folder';
  const unit: Unit = {
    kind,
    path: folder,
    symbol: null,
    shown,
    extracted: extractFolder(graph, files),
    blob: '',
    isCommitted,
  };
  const [only] = children;
  // The only child's words hold for the folder, too, and cost nothing.
  if (children.length === 1 && only !== undefined && kind === 'folder') return { unit, written: only[1] };
  const isWhole = children.length > 0 && children.every(([, { isFinal }]) => isFinal);
  const tree = isCommitted ? await at.session.objects.info(`${origin.resolved.commit}:${folder}`) : null;
  const written = isWhole
    ? await writer.write({
        ...unit,
        key: summaryKey(kind, shown),
        objects: tree === null ? [] : [tree.oid],
        isCommitted: tree !== null,
      })
    : writer.leave(unit);
  return { unit, written };
}

function itemOf({ kind, path, symbol }: Unit, { text, by }: Written): SummaryItem {
  const about = { kind, path, symbol, text };
  if (by === null) return { ...about, by: 'extracted' };
  return { ...about, by: 'model', model: by.model, date: isoTime(by.time) };
}

const RANK = { repository: 0, folder: 1, file: 2, symbol: 3 } as const;

/** The repository, then folders with what is in them. */
function inOrder(items: readonly SummaryItem[]): SummaryItem[] {
  return [...items].sort((a, b) => {
    if (a.kind === 'repository' || b.kind === 'repository') return RANK[a.kind] - RANK[b.kind];
    if (a.path !== b.path) return a.path < b.path ? -1 : 1;
    return RANK[a.kind] - RANK[b.kind] || ((a.symbol ?? '') < (b.symbol ?? '') ? -1 : 1);
  });
}
