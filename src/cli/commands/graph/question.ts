/** What the questions of `graph` have in common: options, a session, an answer as text or JSON, an exit code. */
import { Command } from 'commander';
import { safeJson } from '../../../base/hygiene.js';
import type { GraphCandidates } from '../../../questions/graph/candidates/output.js';
import { renderCandidates } from '../../../questions/graph/candidates/text.js';
import { type SnapshotHeader as Answer, renderFooter } from '../../../questions/graph/text-parts.js';
import { createPen, type Pen } from '../../../questions/writing/pen.js';
import type { Session } from '../../../session/session.js';
import type { CommandContext } from '../../context.js';
import { writeOut } from '../../io.js';
import { wholeNumber } from '../../options.js';

/** What every question takes. */
export interface CommonOptions {
  ref?: string;
  committed?: boolean;
  limit?: number;
  json?: boolean;
}

export function question(name: string, description: string, limit: string): Command {
  return new Command(name)
    .description(description)
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD and what is not committed yet)')
    .option('--committed', 'leave uncommitted files out')
    .option('--limit <n>', limit, wholeNumber)
    .option('--json', 'print the answer as JSON');
}

interface Asked<T> {
  /** Is it a negative answer? */
  isEmpty?: (answer: T) => boolean;
  render: (answer: T, pen: Pen) => string;
  options: CommonOptions;
}

/** Opens the repository, asks, prints. A name that means several things is answered with the list of them. */
export async function ask<T extends Answer>(
  { io, directory, setExit }: CommandContext,
  run: (session: Session, directory: string | undefined) => Promise<T | GraphCandidates>,
  { isEmpty = () => false, render, options }: Asked<T>,
): Promise<void> {
  const { Session } = await import('../../../session/session.js');
  const session = await Session.open({ directory: directory() });
  try {
    const answer = await run(session, directory());
    const pen = createPen(io);
    if ('candidates' in answer) {
      setExit(1);
      await writeOut(
        io,
        options.json ? `${safeJson(answer)}\n` : renderCandidates(answer, pen) + renderFooter(answer, pen),
      );
      return;
    }
    if (isEmpty(answer)) setExit(1);
    const text = options.json ? `${safeJson(answer)}\n` : render(answer, pen) + renderFooter(answer, pen);
    await writeOut(io, text);
  } finally {
    session.close();
  }
}
