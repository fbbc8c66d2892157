/** Every command of the program, with arguments that make it do its work in a repository with `PROJECT` in it. */
import assert from 'node:assert/strict';
import type { Command } from 'commander';
import { createProgram, loadCommands } from '../../../src/cli/program.js';
import { fakeIo } from '../../cli/io.js';

const READING = [
  'index',
  'index --dry-run',
  'index --ref HEAD~1',
  'search rememberToken',
  'search rememberToken --committed --explain --mode lexical',
  'search rememberToken --mode semantic --lines 3',
  'search rememberToken --in HEAD~1..HEAD',
  'search rememberToken --all-refs',
  'search rememberToken --linked',
  'grep rememberToken',
  'grep -wi remembertoken --context 2 --in HEAD~1..HEAD',
  'grep rememberToken --all-refs --count',
  'pack rememberToken --max-tokens 2000',
  'similar src/session.ts:8',
  'show src/session.ts:8 rememberToken',
  'show --in HEAD~1..HEAD',
  'history rememberToken',
  'history depot --words --max-commits 5',
  'history depot --deleted --max-commits 5',
  'diff HEAD~1 HEAD',
  'graph deps src/session.ts --transitive',
  'graph symbol rememberToken',
  'graph references SessionStore',
  'graph definition src/session.ts:1:1',
  'graph impact rememberToken',
  'graph impact',
  'graph flow',
  'graph path loadSessions readFileSync',
  'graph outline --signatures',
  'graph outline src/session.ts',
  'graph symbols token',
  'graph stats',
  'graph cycles',
  'graph unused',
  'graph unused --if rememberToken --since',
  'graph diff HEAD~1 HEAD',
  'graph check',
  'review HEAD~1..HEAD',
  'rename rememberToken keepToken --include strings',
  'rename rememberToken --delete',
  'why rememberToken',
  'why src/session.ts:8 --full',
  'search --commits token',
  'tests rememberToken',
  'tests HEAD~1..HEAD',
  'coupling src',
  'coupling rememberToken',
  'coupling HEAD~1..HEAD',
  'owners',
  'owners src --lines',
  'graph impact rememberToken --coupled',
  'hotspots',
  'hotspots src --symbols --since 5y',
  'review --format sarif',
  'conflicts',
  'conflicts HEAD~1',
  'fixed HEAD',
  'graph blame src/login.ts src/session.ts',
  'docs search parcels',
  'docs links rememberToken',
  'docs links README.md',
  'docs drift',
  'docs drift HEAD~1..HEAD',
  'graph visualize --format mermaid',
  'graph status',
  'context list',
  'context search depots',
  'context show notes',
  'context index',
  'status',
  'explain src/session.ts src nowhere.ts',
  'config --show-origin',
  'config --ref HEAD',
  'profiles',
  'share status',
  'hooks status',
  'mcp install --print --client cursor',
  'review --staged',
  'agents status',
  'note list',
  'tags',
  'summarize --all',
  'summarize src rememberToken',
  'tag list tests',
  'tag why rememberToken',
  'search token --tag !tests',
  'knowledge status',
  'knowledge fsck',
  'agents install --dry-run',
  'doctor',
  'fsck',
  'fsck --rederive',
  'completion bash',
];

const WRITING = [
  'review ok --all --range HEAD~1..HEAD',
  'review HEAD~1..HEAD --unseen',
  'note add src/session.ts:8 a note',
  'note add rememberToken --share another note',
  'note show last',
  'tag add rememberToken money --share',
  'tag remove rememberToken money',
  'task create round totals half up',
  'task get last',
  'task list',
  'task update last --status done --share',
  'task link last --commit HEAD',
  'note resolve last settled',
  'note share last',
  'hooks install',
  'hooks uninstall',
  'share enable',
  'share disable',
  'push',
  'pull',
  'knowledge push',
  'knowledge pull',
  'knowledge compact',
  'wiki --out OUT-wiki',
  'publish --to file://OUT-fleet --repo shop --as main',
  'fleet init --at file://OUT-fleet',
  'fleet status --at file://OUT-fleet',
  'fleet fsck --at file://OUT-fleet',
  'fleet rebuild --at file://OUT-fleet',
  'fleet token add ci --tokens OUT-tokens.json',
  'fleet drop shop --at file://OUT-fleet',
  'fleet maintain --now --at file://OUT-fleet',
  'export --output OUT',
  'import OUT',
  'compact --dry-run',
  'compact',
  'compact --remote',
  'graph remove',
  'context remove',
  'mcp install --client cursor --dry-run',
  'mcp uninstall --client cursor --dry-run',
  'agents uninstall --dry-run',
  'remove --dry-run',
  'remove --remote --dry-run',
  'remove',
];

/** Those that stay until they are ended, or change the process they run in; tests start them by themselves. */
const STAYING = ['mcp', 'web', 'lsp', 'serve', 'watch', 'hooks run', 'agents annotate'];

/** As arguments; `out` is a directory for what is exported. Those that write come last. */
export function everyCommand(out: string): string[][] {
  return [...READING, ...WRITING].map((line) =>
    line.split(' ').map((word) => word.replace(/(?<=^|file:\/\/)OUT(?=$|-)/, () => out)),
  );
}

/** Names of all commands of the program: `index`, `graph deps`, `mcp`, … */
export async function commandNames(): Promise<string[]> {
  const program = createProgram(fakeIo(), () => {}, await loadCommands([]));
  const names = (command: Command, prefix: string): string[] =>
    command.commands.flatMap((member) => {
      const name = `${prefix}${member.name()}`;
      return member.commands.length > 0 ? names(member, `${name} `) : [name];
    });
  // The commands with members that do something without any.
  return [...names(program, ''), 'mcp', 'review'];
}

/** Fails where a command of the program is missing above. */
export async function assertEveryCommand(): Promise<void> {
  const known = [...READING, ...WRITING, ...STAYING];
  const missing = (await commandNames()).filter((name) => !known.some((line) => `${line} `.startsWith(`${name} `)));
  assert.deepEqual(missing, []);
}
