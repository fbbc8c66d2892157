/**
 * `agents annotate`: the hook that tells an agent which symbols surround the hits of its own search. It only reads the index, and prints
 * nothing if anything is missing: it must never disturb the agent's work.
 */
import { log } from '../../base/log.js';
import { safeJson } from '../../base/printable.js';
import type { Asker, CommandCaller } from '../asker.js';
import { readPiped } from '../asker.js';

/** Never throws: a hook that fails would be shown to the agent. */
export async function streamAnnotate({ command, signal }: Asker): Promise<void> {
  const { io, write } = command as CommandCaller;
  const { isTTY } = io.stdin as { isTTY?: boolean };
  if (isTTY) return;
  try {
    const found = hitsOf(await readPiped(io.stdin, signal));
    if (found === null) return;
    // Loaded late: the hook runs after every shell command, and most of them search nothing.
    const { noteOf } = await import('./annotation.js');
    const note = await noteOf(found, signal);
    if (note === null) return;
    const hookSpecificOutput = { hookEventName: 'PostToolUse', additionalContext: note };
    await write(`${safeJson({ hookSpecificOutput })}\n`);
  } catch (error) {
    log.debug(`nothing to add: ${(error as Error).message}`);
  }
}

// Reads the file and line of each hit from the JSON that the agent's host gives to a hook.

/** Most hits that are read, and most characters of one line. */
const MAX_HITS = 200;
const MAX_LINE = 2_000;

export interface Hit {
  /** As the tool printed it: absolute, or relative to the tool's directory. */
  path: string;
  /** From 1. */
  line: number;
}

export interface Found {
  /** Directory that relative paths begin at. */
  directory: string;
  hits: Hit[];
}

/** Shell commands whose output has `path:line:` at the beginning of lines. */
const SEARCHES = /(?:^|[\s;&|(])(?:git\s+(?:-\S+\s+)*grep|rg|grep|ag|ack)\s/;
const HIT = /^([^:\n]+):(\d{1,7})[:,]/;

/** Null for invalid JSON, and for any tool or event but a finished search. */
export function hitsOf(json: string): Found | null {
  const event = parse(json);
  if (event?.hook_event_name !== 'PostToolUse' || typeof event.cwd !== 'string') return null;
  const text = outputOf(event);
  if (text === null) return null;
  const hits: Hit[] = [];
  for (const each of text.split('\n')) {
    const [, path, line] = HIT.exec(each.slice(0, MAX_LINE)) ?? [];
    if (path !== undefined) hits.push({ path, line: Number(line) });
    if (hits.length === MAX_HITS) break;
  }
  return hits.length === 0 ? null : { directory: event.cwd, hits };
}

/** Text that the tool printed; null for a tool that does not search. */
function outputOf({ tool_name: tool, tool_input: input, tool_response: response }: Data): string | null {
  const isShell = tool === 'Bash';
  if (!isShell && tool !== 'Grep') return null;
  if (isShell && !(isData(input) && typeof input.command === 'string' && SEARCHES.test(input.command))) return null;
  const printed = isData(response) ? response[isShell ? 'stdout' : 'content'] : response;
  return typeof printed === 'string' ? printed : null;
}

type Data = Record<string, unknown>;

const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(json: string): Data | null {
  try {
    const value: unknown = JSON.parse(json);
    return isData(value) ? value : null;
  } catch {
    return null;
  }
}
