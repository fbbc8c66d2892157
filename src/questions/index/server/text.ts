/** Text of a server's own jobs, for agents. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import { indexReportText } from '../text.js';
import type { Indexing, StopReport } from './output.js';

export function indexingText(indexing: Indexing): string {
  return `${[stateLine(indexing), ...(indexing.extensions ?? []).map(extensionLine)].join('\n')}\n`;
}

function stateLine({ ref, state, progress, report, error }: Indexing): string {
  if (state === 'done' && report !== null) {
    const fault = report.vectors.fault;
    const missing = fault === null ? '' : `\nvectors are missing: ${visibleLine(`${fault.message}; ${fault.hint}`)}`;
    return `${indexReportText(report).trimEnd()}${missing}`;
  }
  if (state === 'failed' && error !== null)
    return visibleLine(`indexing ${ref} failed: ${error.message}; ${error.hint}`);
  const { phase = 'starting', done = 0, total = null } = progress ?? {};
  const share = total === null ? '' : ` ${Math.floor((100 * done) / total)}% (${done}/${total})`;
  return `${visibleLine(ref)}: ${phase}${share}; until then searches answer from the files indexed so far; call again to see progress`;
}

function extensionLine({ extension, files, languages }: NonNullable<Indexing['extensions']>[number]): string {
  if (files === 0)
    return `${extension}: no such file is indexed; if a rule leaves it out: "include": ["*${extension}"] in .socraticode.json`;
  const as = languages.length === 0 ? 'as plain text' : `as ${languages.join(', ')}`;
  const parse = languages.length === 0 ? `; to parse: "languages": {"${extension}": "php"} in .socraticode.json` : '';
  return `${extension}: ${formatCount(files, 'file')} indexed ${as} without it${parse}`;
}

export function stopText({ stopped, writer }: StopReport): string {
  const what = stopped ? 'stopped; what was finished is kept' : 'nothing was being indexed here';
  const other = writer === null ? '' : `; process ${writer} is writing the index, and is left alone`;
  return `${what}${other}\n`;
}
