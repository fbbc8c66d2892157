/** Text of `hooks`. */
import { visibleLine, visibleText } from '../../base/hygiene.js';
import { formatCount } from '../writing/format.js';
import type { HooksChange, HooksStatus } from './output.js';

type Change = HooksChange['hooks'][number];

const DONE: Record<Change['change'], string> = {
  ...{ create: 'created', add: 'added', update: 'updated', remove: 'removed', delete: 'deleted' },
  ...{ none: 'unchanged', refuse: 'left alone' },
};

export function hooksChangeText(change: HooksChange): string {
  const { action, hooks, byHand } = change;
  const texts = hooks.filter(({ text }) => text !== null);
  const printed = texts.map(({ path, text }) => `--- ${visibleLine(path)}\n${visibleText(text ?? '')}`);
  const shown = action === 'uninstall' ? hooks.filter(({ change }) => change !== 'none') : hooks;
  const lines = shown.map((hook) => {
    const reason = hook.reason === null ? '' : `: ${hook.reason}`;
    return visibleLine(`${hook.event.padEnd(15)} ${DONE[hook.change]} (${hook.path})${reason}`);
  });
  if (action === 'uninstall' && lines.length === 0) lines.push('no hooks of git-socraticode are installed here');
  return `${[...printed, ...lines, ...notes(change), ...manual(change, byHand)].join('\n')}\n`;
}

function notes({ manager, committed, hooks }: HooksChange): string[] {
  const touched = hooks.some(({ change }) => change !== 'refuse' && change !== 'none');
  if (!committed || !touched) return [];
  const whose = manager === 'husky' ? 'husky runs these files; they' : 'These files';
  return [`${whose} belong to the work tree: commit them, and everybody who has git-socraticode gets an index.`];
}

function manual({ manager, managerFile }: HooksChange, byHand: string | null): string[] {
  if (byHand === null) return [];
  const text = visibleText(byHand).trimEnd();
  if (manager === 'lefthook') {
    return [`lefthook runs the hooks here: add this to ${name(managerFile, 'lefthook.yml')}`, '', text];
  }
  if (manager === 'pre-commit') {
    const file = name(managerFile, '.pre-commit-config.yaml');
    return [`pre-commit runs the hooks here: add this to ${file}, then run \`pre-commit install\``, '', text];
  }
  return ['To have it all the same, add the shell command to each hook:', '', text];
}

const name = (file: string | null, usual: string): string => visibleLine(file ?? usual);

export function hooksStatusText(status: HooksStatus): string {
  const { hooks, log } = status;
  const place = status.directory ?? 'unknown';
  const rows: [string, string][] = [
    ['run by', status.manager === 'files' ? place : `${status.manager} (${status.managerFile ?? place})`],
    ...hooks.map(({ event, state, path }): [string, string] => [
      event,
      state === 'absent' ? state : `${state} (${path})`,
    ]),
    ['program', program(status)],
    ['worker', status.worker === null ? 'not running' : `process ${status.worker}`],
    ['queue', formatCount(status.queued, 'event')],
    ['log', log.path],
  ];
  if (status.refusal !== null) rows.push(['refused', status.refusal]);
  const lines = rows.map(([label, text]) => `${label.padEnd(15)} ${visibleLine(text)}`);
  const shown = (texts: readonly string[]) => texts.map((text) => `  ${visibleLine(text)}`);
  const output = log.output.length === 0 ? [] : ['the last worker said:', ...shown(log.output)];
  return `${[...lines, ...shown(log.lines), ...output].join('\n')}\n`;
}

function program({ tool, fallback }: HooksStatus): string {
  if (tool !== null) return tool;
  return fallback === null ? 'not found on PATH: the hooks do nothing' : `not on PATH; the hooks call ${fallback}`;
}
