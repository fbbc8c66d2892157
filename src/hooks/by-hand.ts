/** Snippets that users copy into the configuration of another hook manager, which we never write. */
import { type HookEvent, INDEX_EVENTS, SHARE_EVENT } from './events.js';

/** Shell command that starts the worker and returns at once. The worker holds none of the hook's streams. */
function backgroundCommand(event: HookEvent, argument = ''): string {
  const remote = argument === '' ? '' : ` --argument ${argument}`;
  return `(git-socraticode hooks run --event ${event}${remote} </dev/null >/dev/null 2>&1 &)`;
}

/** Shell commands by event, for hooks in any language. */
export function commandsByHand(events: readonly HookEvent[]): string {
  return events
    .map((event) => `${event}:\n  ${backgroundCommand(event, event === SHARE_EVENT ? '"$1"' : '')}\n`)
    .join('');
}

export function lefthookSnippet(share: boolean): string {
  const events: HookEvent[] = share ? [...INDEX_EVENTS, SHARE_EVENT] : [...INDEX_EVENTS];
  return events
    .map((event) => {
      const run = backgroundCommand(event, event === SHARE_EVENT ? '{1}' : '');
      return `${event}:\n  commands:\n    socraticode:\n      run: ${run}\n`;
    })
    .join('');
}

/** Snippet for the pre-commit tool, which supports all of our events but post-applypatch. */
export function preCommitSnippet(share: boolean): string {
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
