/** Text of `mcp install` and `mcp uninstall`. */
import { safeJson, shellWord, visibleLine, visibleText } from '../../../base/hygiene.js';
import { optionText } from '../../../params/command-line.js';
import type { McpInstallReport } from './output.js';
import type { McpInstallValues } from './question.js';

type Change = McpInstallReport['clients'][number];

const DONE: Record<Change['change'], string> = {
  ...{ create: 'created', add: 'added', replace: 'replaced', remove: 'removed', delete: 'deleted' },
  ...{ none: 'unchanged', keep: 'kept', refuse: 'left alone', command: 'not done' },
};
const WOULD: Partial<Record<Change['change'], string>> = {
  ...{ create: 'would create', add: 'would add to', replace: 'would replace in' },
  ...{ remove: 'would remove from', delete: 'would delete' },
};
const STARTED: Record<McpInstallReport['launch']['kind'], string> = {
  path: 'found on PATH',
  npx: 'fetched by npx, which takes a while the first time',
  local: 'installed in this project',
  node: 'this checkout: a path that only this machine has',
};

/** Width of the longest name of a client. */
const NAMES = 14;
const INDENT = ' '.repeat(NAMES + 1);

export function mcpInstallText(report: McpInstallReport, { values }: { values: McpInstallValues }): string {
  return values.print ? snippetsText(report) : changesText(report);
}

function changesText(report: McpInstallReport): string {
  const { action, clients, launch, written } = report;
  if (clients.length === 0) return 'no client is set up to start git-socraticode\n';
  const lines = clients.flatMap((change) => renderChange(change, report));
  const changed = clients.some(({ change }) => WOULD[change] !== undefined || change === 'command');
  if (action === 'install' && changed) {
    lines.push(`started as: ${visibleLine(launch.command.join(' '))} … mcp (${STARTED[launch.kind]})`);
    if (written) lines.push('Restart the client, or reload its servers.');
    if (report.alsoHere.length > 0)
      lines.push(`With ${optionText('client')} also possible: ${report.alsoHere.join(', ')}.`);
  }
  return `${lines.join('\n')}\n`;
}

function renderChange(change: Change, { name, written, action }: McpInstallReport): string[] {
  const did = (written ? undefined : WOULD[change.change]) ?? DONE[change.change];
  const reason = change.reason === null ? '' : `: ${change.reason}`;
  const lines = [
    visibleLine(`${change.client.padEnd(NAMES)} ${did}${change.path === null ? '' : ` ${change.path}`}${reason}`),
  ];
  if (change.change === 'keep') lines.push(...kept(change, name, action));
  if (change.command !== null) lines.push(`${INDENT}Run: ${shellLine(change.command)}`);
  if (change.next !== null) lines.push(`${INDENT}${change.next}`);
  return lines;
}

function kept({ existing, wanted }: Change, name: string, action: string): string[] {
  const shown = (value: unknown) => visibleLine(safeJson(value));
  if (action === 'uninstall')
    return [`${INDENT}"${name}" starts another program (${optionText('force')} removes it): ${shown(existing)}`];
  return [
    `${INDENT}"${name}" is there already, and differs (${optionText('force')} replaces it):`,
    `${INDENT}- ${shown(existing)}`,
    `${INDENT}+ ${shown(wanted)}`,
  ];
}

/** Text to paste, each piece under the file where it belongs. */
function snippetsText({ clients }: McpInstallReport): string {
  const pieces = clients.map(({ path, snippet, command }) => {
    if (path === null || snippet === null) return `# to be run in a shell\n${shellLine(command ?? [])}\n`;
    return `${path.endsWith('.toml') ? '#' : '//'} ${visibleLine(path)}\n${visibleText(snippet)}`;
  });
  return pieces.join('\n');
}

/** A command to be typed in a shell. */
function shellLine(words: readonly string[]): string {
  return visibleLine(words.map(shellWord).join(' '));
}
