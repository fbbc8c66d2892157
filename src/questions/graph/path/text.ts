/** Text of a path: a step a line, with the verb of the edge. */
import { visibleLine } from '../../../base/hygiene.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { at, doubt, placeText, VERBS } from '../text-parts.js';
import type { GraphPathResponse } from './output.js';

type Step = NonNullable<GraphPathResponse['path']>['steps'][number];

/** Verbs of edges, and of steps that are no edges. */
const STEP_VERBS: Readonly<Record<string, string>> = {
  ...VERBS,
  override: 'may run instead',
  constructor: 'runs its constructor',
  contains: 'contains',
};

export function pathText({ from, to, path, reverse }: GraphPathResponse, { pen }: { pen: Pen }): string {
  const sides = `${visibleLine(from)} to ${visibleLine(to)}`;
  if (path === null) {
    const hint = reverse ? [`there is one from ${visibleLine(to)} to ${visibleLine(from)}: ${pen.words.reverse}`] : [];
    return `${[`no way leads from ${sides}`, ...hint].map((line) => pen.dim(line)).join('\n')}\n`;
  }
  const { by, steps } = path;
  const none = by === 'imports' ? ': no way by calls and uses is known' : '';
  const head = pen.dim(`${formatCount(steps.length, 'step')} by ${by}${none}`);
  return `${[head, placeText(steps[0].from, pen), ...steps.flatMap((step) => stepLines(step, pen))].join('\n')}\n`;
}

function stepLines(step: Step, pen: Pen): string[] {
  const { use, line, from, to } = step;
  const verb = Object.hasOwn(STEP_VERBS, use) ? STEP_VERBS[use] : use;
  const there = use === 'override' ? to.path : from.path;
  return [`  ${pen.dim(`${verb} at`)} ${at(there, line, pen)}${doubt(step, pen)}`, placeText(to, pen)];
}
