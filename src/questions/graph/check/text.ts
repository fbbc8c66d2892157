/** Text of violations: below each rule the lines that break it. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { at, count, more, VERBS } from '../text-parts.js';
import type { GraphCheckResponse, Violation } from './output.js';

export function checkText(response: GraphCheckResponse, { pen }: { pen: Pen }): string {
  const { violations, rules, dependencies, since, unmatched } = response;
  const number = count(violations, pen);
  const added = since === undefined ? '' : `, new since ${visibleLine(since.ref)}`;
  const head = `${number === 0 ? 'no violations' : formatCount(number, 'violation')}${added}`;
  const checked = pen.dim(
    `  (${formatCount(rules, 'rule')}, ${formatCount(dependencies, 'dependency', 'dependencies')})`,
  );
  const lines = [`${head}${checked}`];
  let rule = 0;
  for (const violation of violations.list) {
    if (violation.rule !== rule) lines.push('', ...ruleLines(violation, pen));
    rule = violation.rule;
    lines.push(...violationLines(violation, pen));
  }
  lines.push(...more(violations.leftOut, pen));
  if (unmatched.length > 0) lines.push('');
  for (const { rule: number, field, glob } of unmatched)
    lines.push(pen.dim(`rule ${number}: no file matches ${JSON.stringify(visibleLine(glob))} in ${field}`));
  return `${lines.join('\n')}\n`;
}

function ruleLines({ rule, says, why }: Violation, pen: Pen): string[] {
  const reason = why === undefined ? [] : [`  ${visibleLine(why)}`];
  return [`rule ${rule}: ${visibleLine(says)}`, ...reason.map((line) => pen.dim(line))];
}

function violationLines({ from, line, to, use, text, cycle }: Violation, pen: Pen): string[] {
  if (cycle === undefined) {
    const isImport = VERBS[use]?.includes('import') === true || use === 'require' || use === 'include';
    const name = isImport ? '' : `  ${pen.symbol(visibleLine(text))}`;
    return [`  ${at(from, line, pen)} ${VERBS[use] ?? use} ${pen.path(visibleLine(to))}${name}`];
  }
  const steps = cycle.map((step) => `  ${at(step.path, step.line, pen)}`);
  return [...steps, pen.dim(`  back to ${visibleLine(from)}`)];
}
