/** Answers `wiki`: reads the kept summaries, extracts the others, and writes the pages. Nothing is sent anywhere. */
import { basename, dirname, join, resolve } from 'node:path';
import { ownModel, readSummaries } from '../../session/summaries/kept.js';
import type { Asker } from '../asker.js';
import { prepareGraph } from '../graph/snapshot-graph.js';
import { summarizeAll } from '../summarize/answer.js';
import { gather } from '../summarize/make/gather.js';
import { Writer } from '../summarize/make/writer.js';
import { html, pageText } from './make/html.js';
import { Site } from './make/site.js';
import { openSite, writePage } from './make/write-site.js';
import type { WikiDocument } from './output.js';
import type { WikiValues } from './question.js';

/** Throws BAD_ARGUMENT for a directory that holds anything else. */
export async function answerWiki(at: Asker, values: WikiValues): Promise<WikiDocument> {
  const prepared = await prepareGraph(at, values);
  const { config } = await at.session.configOfOrigin(prepared.origin);
  const kept = await readSummaries(at.session, ownModel(config.summarizer));
  const writer = new Writer(at, kept, { chat: null }, config.summarizer);
  const items = await summarizeAll(at, prepared, await gather(at, prepared, { targets: ['.'] }), writer);
  const directory = resolve(at.directory ?? '.', values.out);
  openSite(directory);
  const site = new Site(prepared.graph, config.projectId ?? projectName(at), items);
  const { ref, commit } = prepared.header;
  const state = prepared.uncommitted.size > 0 ? ', with uncommitted changes' : '';
  const footer = html`${ref} ${commit ?? ''}${state}. Made from the code graph by git socraticode; counts are of uses that the graph knows.`;
  let [pages, bytes] = [0, 0];
  for (const page of site.pages()) {
    at.signal.throwIfAborted();
    const text = pageText(page, footer);
    writePage(directory, page.name, text);
    pages++;
    bytes += Buffer.byteLength(text);
  }
  const byModel = items.filter(({ by }) => by === 'model').length;
  const summaries = { model: byModel, extracted: items.length - byModel };
  return { ...prepared.header, output: join(directory, 'index.html'), pages, bytes, summaries };
}

/** The folder that the repository is in. */
function projectName({ session: { repository } }: Asker): string {
  return basename(repository.workTree ?? dirname(resolve(repository.commonDir))) || 'repository';
}
