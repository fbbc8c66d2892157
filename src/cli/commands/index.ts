/** `git socraticode index` */
import { Command } from 'commander';
import type { ErrorCode } from '../../base/error-codes.js';
import { SocraticodeError } from '../../base/errors.js';
import { safeJson } from '../../base/hygiene.js';
import { createProgress } from '../../base/progress.js';
import type { IndexReport } from '../../questions/index/output.js';
import { renderDryRun, renderIndexReport } from '../../questions/index/text.js';
import type { Session } from '../../session/session.js';
import type { ParserPool } from '../../session/speculation.js';
import type { CommandContext } from '../context.js';

interface Options {
  ref?: string;
  json?: boolean;
  dryRun?: boolean;
  pull?: boolean;
}

export function indexCommand(context: CommandContext): Command {
  return new Command('index')
    .description('index what a ref holds and no record covers yet')
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD)')
    .option('--dry-run', 'say what would be done and what it would cost; write nothing')
    .option('--pull', 'download a missing model to Ollama first')
    .option('--json', 'print the report as JSON')
    .action((options: Options) => run(context, options));
}

async function run({ io, directory }: CommandContext, options: Options): Promise<void> {
  const { startParsers } = await import('../../session/speculation.js');
  const parsers = options.dryRun ? undefined : startParsers();
  try {
    await runWith(parsers, { io, directory }, options);
  } finally {
    parsers?.stop();
  }
}

type Context = Pick<CommandContext, 'io' | 'directory'>;

async function runWith(parsers: ParserPool | undefined, { io, directory }: Context, options: Options): Promise<void> {
  const { Session } = await import('../../session/session.js');
  const { indexRef } = await import('../../session/indexing/index-operation.js');
  const { dryRun } = await import('../../questions/index/dry-run.js');
  const session = await Session.open({ directory: directory() });
  const cancel = new AbortController();
  const stop = () => cancel.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    if (options.dryRun) {
      const plan = await dryRun(session, { ref: options.ref });
      io.stdout.write(options.json ? `${safeJson({ schemaVersion: 1, ...plan })}\n` : renderDryRun(plan));
      return;
    }
    if (options.pull) await pullFirst(session, options.ref, cancel.signal);
    const report = await indexRef(session, { ref: options.ref, signal: cancel.signal, parsers });
    const { warmView } = await import('../../session/snapshot/prepare.js');
    await warmView(session, options.ref, cancel.signal);
    io.stdout.write(options.json ? `${safeJson({ schemaVersion: 1, ...report })}\n` : renderIndexReport(report));
    if (report.vectors.fault !== null) throw vectorFailure(report.vectors);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    session.close();
  }
}

async function pullFirst(session: Session, ref: string | undefined, signal: AbortSignal): Promise<void> {
  const { pullMissingModel } = await import('../../questions/index/pull-model.js');
  const progress = createProgress('pulling the model', 'MB');
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  try {
    await pullMissingModel(
      session,
      ref,
      ({ status, completed, total }) => progress.update(megabytes(completed), megabytes(total), status),
      signal,
    );
  } finally {
    progress.finish();
  }
}

/** The words are indexed whatever happens to the vectors: said once more where the failure is. */
function vectorFailure({ fault, covered, total }: IndexReport['vectors']): SocraticodeError {
  const { code, message, hint } = fault as NonNullable<typeof fault>;
  const kept = `words are indexed, ${covered.toLocaleString('en')} of ${total.toLocaleString('en')} chunks have vectors`;
  return new SocraticodeError(code as ErrorCode, `${message}; ${kept}`, { hint });
}
