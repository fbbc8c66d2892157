/** Table of the hosts of coding agents: where each reads instructions in a project (data). */
import type { Hook } from './files/hook.js';
import { CURSOR_RULE, NAME, SKILL } from './guide.js';

export const HOSTS = ['agents', 'claude', 'gemini', 'cursor'] as const;
export type Host = (typeof HOSTS)[number];

interface HostFiles {
  title: string;
  /** File that gets our section; null for a host that reads files of ours alone. */
  section: string | null;
  /** Files that are ours alone, by path. */
  own: Readonly<Record<string, string>>;
  /** Settings that take our hook, by path. */
  hooks?: Readonly<Record<string, Hook>>;
  /** Signs, in a project, that the host is used there. */
  signs: readonly string[];
}

const COMMAND = 'git-socraticode agents annotate';

/** Adds the symbols around what the agent's own search found; silent where the program is missing. The plugin has the same. */
const ANNOTATE: Hook = {
  event: 'PostToolUse',
  entry: {
    matcher: 'Grep|Bash',
    hooks: [{ type: 'command', command: `${COMMAND} 2>/dev/null || true`, timeout: 5 }],
  },
  mark: COMMAND,
};

export const HOST_TABLE: Readonly<Record<Host, HostFiles>> = {
  agents: { title: 'AGENTS.md (Codex, Copilot, opencode and others)', section: 'AGENTS.md', own: {}, signs: [] },
  claude: {
    title: 'Claude Code',
    section: 'CLAUDE.md',
    own: { [`.claude/skills/${NAME}/SKILL.md`]: SKILL },
    hooks: { '.claude/settings.json': ANNOTATE },
    signs: ['.claude'],
  },
  gemini: { title: 'Gemini CLI', section: 'GEMINI.md', own: {}, signs: ['.gemini'] },
  cursor: { title: 'Cursor', section: null, own: { [`.cursor/rules/${NAME}.mdc`]: CURSOR_RULE }, signs: ['.cursor'] },
};
