/** Text of a server's own jobs, for agents. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import { renderIndexReport } from '../text.js';
import type { About, Indexing, StopReport, WatchReport } from './output.js';

export function renderIndexing(indexing: Indexing): string {
  return `${[stateLine(indexing), ...(indexing.extensions ?? []).map(extensionLine)].join('\n')}\n`;
}

function stateLine({ ref, state, progress, report, error }: Indexing): string {
  if (state === 'done' && report !== null) {
    const fault = report.vectors.fault;
    const missing = fault === null ? '' : `\nvectors are missing: ${visibleLine(`${fault.message}; ${fault.hint}`)}`;
    return `${renderIndexReport(report).trimEnd()}${missing}`;
  }
  if (state === 'failed' && error !== null)
    return visibleLine(`indexing ${ref} failed: ${error.message}; ${error.hint}`);
  const { phase = 'starting', done = 0, total = null } = progress ?? {};
  const share = total === null ? '' : ` ${Math.floor((100 * done) / total)}% (${done}/${total})`;
  return `${visibleLine(ref)}: ${phase}${share}; searches answer from what there is meanwhile, call again to follow`;
}

function extensionLine({ extension, files, languages }: NonNullable<Indexing['extensions']>[number]): string {
  if (files === 0)
    return `${extension}: no such file is indexed; if a rule leaves it out: "include": ["*${extension}"] in .socraticode.json`;
  const as = languages.length === 0 ? 'as plain text' : `as ${languages.join(', ')}`;
  const parse = languages.length === 0 ? `; to parse: "languages": {"${extension}": "php"} in .socraticode.json` : '';
  return `${extension}: ${formatCount(files, 'file')} indexed ${as} without it${parse}`;
}

export function renderStop({ stopped, writer }: StopReport): string {
  const what = stopped ? 'stopped; what was finished is kept' : 'nothing was being indexed here';
  const other = writer === null ? '' : `; process ${writer} is writing the index, and is left alone`;
  return `${what}${other}\n`;
}

export function renderWatch({ action, watches, watcher, reason, indexing }: WatchReport): string {
  const state = watches
    ? 'changes of the work tree are noticed by themselves'
    : 'git is asked for changes with every question';
  const lines = [
    ...(indexing === null ? [] : [renderIndexing(indexing).trimEnd()]),
    reason ?? state,
    ...(action === 'stop' ? ['nothing to stop: answers always know uncommitted files'] : []),
    ...(watcher === null ? [] : [`process ${watcher} keeps this work tree ready, too`]),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderAbout({ version, licence, toolsets, embedder, limits, storage, documentation }: About): string {
  const short = (name: string) => name.replace(/^codebase_/, '');
  const lines = [
    `git-socraticode ${version} (${licence.split(';')[0]})`,
    ...toolsets.map(({ name, tools }) => `${name}: ${tools.map(short).join(' ')}`),
    `embedder: ${embedder.name} ${embedder.model}`,
    `limits: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    `stored in: ${Object.keys(storage).join(', ')}`,
    `read: ${documentation.join('; ')}`,
  ];
  return `${lines.map(visibleLine).join('\n')}\n`;
}
