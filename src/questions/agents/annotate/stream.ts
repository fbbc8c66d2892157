/**
 * `agents annotate`: the hook that tells an agent the symbols around what its own search found. It only looks up what is
 * indexed, and prints nothing where anything is missing: it must never disturb the agent's work.
 */
import { log } from '../../../base/log.js';
import type { Asker, CommandSide } from '../../asker.js';
import { readPiped } from '../../pack/piped.js';
import { hitsOf } from './hits.js';

/** Never throws: a hook that fails would be shown to the agent. */
export async function streamAnnotate({ command, signal }: Asker): Promise<void> {
  const { io, write } = command as CommandSide;
  const { isTTY } = io.stdin as { isTTY?: boolean };
  if (isTTY) return;
  try {
    const found = hitsOf(await readPiped(io.stdin, signal));
    if (found === null) return;
    // Loaded here: the hook runs after every command of a shell, and most of them search nothing.
    const { noteOf } = await import('./note.js');
    const note = await noteOf(found, signal);
    if (note === null) return;
    const hookSpecificOutput = { hookEventName: 'PostToolUse', additionalContext: note };
    await write(`${JSON.stringify({ hookSpecificOutput })}\n`);
  } catch (error) {
    log.debug(`nothing to add: ${(error as Error).message}`);
  }
}
