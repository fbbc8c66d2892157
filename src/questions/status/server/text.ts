/** The status of a server's repository for agents: what bears on answers; sizes and places of files are in the document. */
import { groupDigits } from '../../../base/digits.js';
import { visibleLine } from '../../../base/hygiene.js';
import type { ExplainResponse } from '../../explain/output.js';
import { explainText } from '../../explain/text.js';
import { formatCount, formatCounts } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import type { ServerStatus } from './output.js';

export function serverStatusText(document: ServerStatus | ExplainResponse, { pen }: { pen: Pen }): string {
  return 'files' in document ? explainText(document, { pen }) : statusText(document);
}

function statusText(status: ServerStatus): string {
  const { branch, chunks, vectors, grammars, notice, writer } = status;
  const rows = [
    `${branch === null ? 'no branch checked out' : `branch ${branch}`}; ${formatCount(chunks, 'chunk')}`,
    `vectors: ${groupDigits(vectors.covered)} of ${groupDigits(vectors.total)} by ${vectors.embedder} ${vectors.model}${faultOf(vectors)}`,
    `languages: ${formatCounts(status.languages) || 'none'}`,
    `not indexed: ${formatCounts(status.skipped) || 'nothing'}`,
    ...(Object.keys(status.degraded).length > 0 ? [`without symbols: ${formatCounts(status.degraded)}`] : []),
    ...(grammars.missing.length > 0 ? [`grammars missing: ${grammars.missing.join(', ')}`] : []),
    ...(notice === null ? [] : [notice]),
    `background: ${backgroundOf(status)}`,
    ...(writer === null ? [] : [`process ${writer} is writing the index`]),
    `work tree ${status.watches ? 'watched' : 'looked at with every question'}; git hook ${status.hook.installed ? 'installed' : 'not installed'}`,
  ];
  return `${rows.map(visibleLine).join('\n')}\n`;
}

function faultOf({ fault }: ServerStatus['vectors']): string {
  return fault === null ? '' : `: ${fault.message}; ${fault.hint}`;
}

function backgroundOf({ background }: ServerStatus): string {
  const { running, queued, last } = background;
  if (running !== null) {
    const total = running.total === null ? '' : ` ${running.done}/${running.total}`;
    const more = queued.length === 0 ? '' : `, then ${queued.map(({ ref }) => ref).join(', ')}`;
    return `${running.phase} ${running.ref}${total}${more}`;
  }
  if (last === null) return 'idle';
  if (last.ok) return `idle; ${last.ref} done at ${last.endedAt}`;
  return `idle; ${last.ref} failed: ${last.error?.message ?? 'unknown'}; ${last.error?.hint ?? ''}`;
}
