/** `hooks install`, `uninstall` and `status`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockHolder } from '../../base/lock.js';
import { logPath } from '../../base/log.js';
import { findOnPath, PROGRAM_FILE } from '../../base/processes.js';
import { localStateDirectory } from '../../git/repository.js';
import {
  applyPlan,
  type Fallback,
  type HookEvent,
  type HookPlan,
  INDEX_EVENTS,
  planInstall,
  planUninstall,
  readEvents,
  readHook,
  readPlace,
  SHARE_EVENT,
} from '../../hooks/installed.js';
import { HookQueue, readHookLog, readOutput } from '../../hooks/queue.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import type { HooksChange, HooksInstallValues, HooksStatus, HooksUninstallValues } from './question.js';

interface HookInstallOptions {
  /** Shares the index after a push. */
  share?: boolean;
  /** Shows what would be written, and writes nothing. */
  print?: boolean;
  fallback: Fallback | null;
}

export async function answerHooksInstall({ session }: Asker, values: HooksInstallValues): Promise<HooksChange> {
  return installHooks(session, { ...values, fallback: { node: process.execPath, program: PROGRAM_FILE } });
}

export async function answerHooksUninstall({ session }: Asker, values: HooksUninstallValues): Promise<HooksChange> {
  return uninstallHooks(session, values);
}

export const answerHooksStatus = ({ session }: Asker): Promise<HooksStatus> => readHooksStatus(session);

const TOOL = 'git-socraticode';
const LOG_LINES = 5;

/** Throws DISK or GIT_FAILED. Running it twice changes nothing. */
async function installHooks(session: Session, options: HookInstallOptions): Promise<HooksChange> {
  const { repository, gitConfig } = session;
  const place = await readPlace(repository, gitConfig);
  const share = options.share ?? false;
  const plan = planInstall(place, gitConfig, { share, fallback: options.fallback });
  if (!options.print) await applyPlan(repository, plan);
  return report('install', plan, byHand(plan, share), options.print ?? false);
}

async function uninstallHooks(session: Session, options: { print?: boolean } = {}): Promise<HooksChange> {
  const { repository, gitConfig } = session;
  const plan = planUninstall(await readPlace(repository, gitConfig), gitConfig);
  if (!options.print) await applyPlan(repository, plan);
  return report('uninstall', plan, null, options.print ?? false);
}

export async function readHooksStatus(session: Session): Promise<HooksStatus> {
  const { repository, gitConfig } = session;
  const place = await readPlace(repository, gitConfig);
  const state = localStateDirectory(repository);
  const hooks = readEvents(repository, place, gitConfig);
  const commit = hooks.find(({ event }) => event === 'post-commit')?.path ?? '';
  return {
    schemaVersion: 1,
    manager: place.manager,
    managerFile: place.managerFile,
    directory: place.target,
    refusal: place.refusal,
    hooks,
    tool: findOnPath(TOOL),
    fallback: fallbackOf(readHook(commit) ?? gitConfig.filter(({ key }) => key === `${commit}.command`).pop()?.value),
    worker: lockHolder(join(state, 'hook.lock')),
    queued: new HookQueue(state).peek().length,
    log: {
      path: logPath(state),
      lines: readHookLog(state, LOG_LINES).map(({ time, message }) => `${time} ${message}`),
      output: readOutput(state),
    },
  };
}

function byHand({ place, changes }: HookPlan, share: boolean): string | null {
  if (place.manager === 'lefthook') return lefthookSnippet(share);
  if (place.manager === 'pre-commit') return preCommitSnippet(share);
  const refused = changes.filter(({ kind }) => kind === 'refuse').map(({ event }) => event);
  return refused.length === 0 ? null : commandsByHand(refused);
}

function report(
  action: HooksChange['action'],
  { place, changes }: HookPlan,
  hand: string | null,
  print: boolean,
): HooksChange {
  const writes = changes.some(({ kind }) => kind !== 'none' && kind !== 'refuse');
  return {
    schemaVersion: 1,
    action,
    manager: place.manager,
    managerFile: place.managerFile,
    directory: place.target,
    committed: place.committed,
    written: writes && !print,
    hooks: changes.map(({ event, path, kind, reason, text }) => ({
      ...{ event, path, change: kind, reason },
      text: print && text !== null ? Buffer.from(text, 'latin1').toString('utf8') : null,
    })),
    byHand: hand,
  };
}

function fallbackOf(text: string | undefined): string | null {
  const word = /^ {2}socraticode_program='((?:[^']|'\\'')+)'$/m.exec(text ?? '')?.[1];
  const path = word === undefined ? null : Buffer.from(word.replaceAll("'\\''", "'"), 'latin1').toString('utf8');
  return path !== null && existsSync(path) ? path : null;
}

type Change = HooksChange['hooks'][number];

const DONE: Record<Change['change'], string> = {
  ...{ create: 'created', add: 'added', update: 'updated', remove: 'removed', delete: 'deleted' },
  ...{ none: 'unchanged', refuse: 'left alone' },
};

export function hooksChangeText(change: HooksChange): string {
  const { action, hooks, byHand } = change;
  const texts = hooks.filter(({ text }) => text !== null);
  const printed = texts.map(({ path, text }) => `--- ${path}\n${text ?? ''}`);
  const shown = action === 'uninstall' ? hooks.filter(({ change }) => change !== 'none') : hooks;
  const lines = shown.map((hook) => {
    const reason = hook.reason === null ? '' : `: ${hook.reason}`;
    return `${hook.event.padEnd(15)} ${DONE[hook.change]} (${hook.path})${reason}`;
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
  const text = byHand.trimEnd();
  if (manager === 'lefthook') {
    return [`lefthook runs the hooks here: add this to ${name(managerFile, 'lefthook.yml')}`, '', text];
  }
  if (manager === 'pre-commit') {
    const file = name(managerFile, '.pre-commit-config.yaml');
    return [`pre-commit runs the hooks here: add this to ${file}, then run \`pre-commit install\``, '', text];
  }
  return ['To have it all the same, add the shell command to each hook:', '', text];
}

const name = (file: string | null, defaultName: string): string => file ?? defaultName;

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
  const lines = rows.map(([label, text]) => `${label.padEnd(15)} ${text}`);
  const shown = (texts: readonly string[]) => texts.map((text) => `  ${text}`);
  const output = log.output.length === 0 ? [] : ['the last worker said:', ...shown(log.output)];
  return `${[...lines, ...shown(log.lines), ...output].join('\n')}\n`;
}

function program({ tool, fallback }: HooksStatus): string {
  if (tool !== null) return tool;
  return fallback === null ? 'not found on PATH: the hooks do nothing' : `not on PATH; the hooks call ${fallback}`;
}

/** Shell command that starts the worker and returns at once. The worker does not keep the hook's streams open. */
function backgroundCommand(event: HookEvent, argument = ''): string {
  const remote = argument === '' ? '' : ` --argument ${argument}`;
  return `(git-socraticode hooks run --event ${event}${remote} </dev/null >/dev/null 2>&1 &)`;
}

/** Shell commands by event, for hooks in any language. */
function commandsByHand(events: readonly HookEvent[]): string {
  return events
    .map((event) => `${event}:\n  ${backgroundCommand(event, event === SHARE_EVENT ? '"$1"' : '')}\n`)
    .join('');
}

function lefthookSnippet(share: boolean): string {
  const events: HookEvent[] = share ? [...INDEX_EVENTS, SHARE_EVENT] : [...INDEX_EVENTS];
  return events
    .map((event) => {
      const run = backgroundCommand(event, event === SHARE_EVENT ? '{1}' : '');
      return `${event}:\n  commands:\n    socraticode:\n      run: ${run}\n`;
    })
    .join('');
}

/** Snippet for the pre-commit tool, which supports all of our events but post-applypatch. */
function preCommitSnippet(share: boolean): string {
  const events = INDEX_EVENTS.filter((event) => event !== 'post-applypatch');
  const types = ['pre-commit', ...events, ...(share ? [SHARE_EVENT] : [])].join(', ');
  const lines = [
    `default_install_hook_types: [${types}]`,
    'repos:',
    '  - repo: local',
    '    hooks:',
    ...preCommitHook('socraticode', 'update the code index', backgroundCommand('post-commit'), events),
  ];
  if (share) {
    const run = backgroundCommand(SHARE_EVENT, '"$PRE_COMMIT_REMOTE_NAME"');
    lines.push(...preCommitHook('socraticode-share', 'share the code index', run, [SHARE_EVENT]));
  }
  return `${lines.join('\n')}\n`;
}

function preCommitHook(id: string, name: string, run: string, stages: readonly string[]): string[] {
  const fields = [
    `name: ${name}`,
    'language: system',
    `entry: sh -c '${run}'`,
    `stages: [${stages.join(', ')}]`,
    'always_run: true',
    'pass_filenames: false',
  ];
  return [`      - id: ${id}`, ...fields.map((field) => `        ${field}`)];
}
