/** Text of `doctor`: by group, one line a check; below a failed one, the next step. */
import { visibleLine } from '../../base/hygiene.js';
import { formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { DoctorReport } from './output.js';

type Check = DoctorReport['checks'][number];

export function doctorText({ checks }: DoctorReport, { pen }: { pen: Pen }): string {
  const groups = [...new Set(checks.map(({ group }) => group))];
  const lines = groups.flatMap((group) => {
    const own = checks.filter((check) => check.group === group);
    const width = Math.max(...own.map(({ name }) => visibleLine(name).length));
    return [pen.symbol(group), ...own.flatMap((check) => linesOf(check, width, pen))];
  });
  return `${[...lines, '', summary(checks)].join('\n')}\n`;
}

function linesOf({ name, ok, detail, hint }: Check, width: number, pen: Pen): string[] {
  const mark = ok ? pen.line('ok') : pen.match('! ');
  const line = `  ${mark} ${visibleLine(name).padEnd(width)}  ${visibleLine(detail)}`;
  return hint === null ? [line] : [line, `     ${' '.repeat(width)}  -> ${visibleLine(hint)}`];
}

function summary(checks: readonly Check[]): string {
  const bad = checks.filter(({ ok }) => !ok);
  if (bad.length === 0) return `all is well (${formatCount(checks.length, 'check')})`;
  const names = [...new Set(bad.map(({ group, name }) => (group === name ? name : `${group} ${name}`)))];
  return visibleLine(`${bad.length} of ${formatCount(checks.length, 'check')} need attention: ${names.join(', ')}`);
}
