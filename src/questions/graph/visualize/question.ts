/** `git socraticode graph visualize` */
import { extname, resolve } from 'node:path';
import { Command } from 'commander';
import { SocraticodeError } from '../../../base/errors.js';
import { safeJson } from '../../../base/hygiene.js';
import type { CommandContext } from '../../../cli/context.js';
import { writeOut } from '../../../cli/io.js';
import { collectGlob, wholeNumber } from '../../../cli/options.js';
import { withSession } from '../../../cli/commands/pull.js';

interface Options {
  format?: string;
  output?: string;
  view?: string;
  path?: string[];
  focus?: string;
  depth?: number;
  limit?: number;
  ref?: string;
  committed?: boolean;
  json?: boolean;
}

/** Formats that a file's name asks for. */
const FORMATS: Readonly<Record<string, string>> = {
  '.html': 'html',
  '.htm': 'html',
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
  '.dot': 'dot',
  '.gv': 'dot',
  '.json': 'json',
};

export function visualizeCommand(context: CommandContext): Command {
  return new Command('visualize')
    .description('draw the graph: a page to explore, or text for Mermaid, Graphviz or a program')
    .option('--format <format>', "mermaid, dot, json or html (default: by the output's name, else mermaid)")
    .option('--output <file>', 'where to ("-" for standard output)')
    .option('--view <view>', 'files or symbols (default: files, symbols around a symbol)')
    .option('--path <glob>', 'only these paths; "!glob" excludes; repeatable', collectGlob)
    .option('--focus <target>', 'a file or a symbol: only what is around it')
    .option('--depth <n>', 'how many steps around it (default: 2)', wholeNumber)
    .option('--limit <n>', 'nodes drawn, folders standing for the rest', wholeNumber)
    .option('--ref <ref>', 'branch, tag or commit (default: HEAD and what is not committed yet)')
    .option('--committed', 'leave uncommitted files out')
    .option('--json', 'print the picture as JSON; with --output or another format, a report about it')
    .action((options: Options) =>
      withSession(context, (session, signal) => run(context, session, { ...options, signal })),
    );
}

type Session = Parameters<Parameters<typeof withSession>[1]>[0];

async function run(
  { io, directory, setExit }: CommandContext,
  session: Session,
  { output, json, ...options }: Options & { signal: AbortSignal },
): Promise<void> {
  const { runVisualize } = await import('./answer.js');
  const toFile = output !== undefined && output !== '-';
  const format = options.format ?? FORMATS[extname(output ?? '').toLowerCase()] ?? (json ? 'json' : 'mermaid');
  if (format === 'html' && !toFile && !json && io.stdout.isTTY) {
    throw new SocraticodeError('BAD_ARGUMENT', 'a page is nothing for a terminal', {
      hint: 'git socraticode graph visualize --format html --output graph.html',
    });
  }
  const answer = await runVisualize(session, { ...options, format, directory: directory() });
  if ('candidates' in answer) {
    const [{ renderCandidates }, { renderFooter }, { createPen }] = await Promise.all([
      import('../candidates/text.js'),
      import('../text-parts.js'),
      import('../../writing/pen.js'),
    ]);
    const pen = createPen(io);
    setExit(1);
    await writeOut(io, json ? `${safeJson(answer)}\n` : renderCandidates(answer, pen) + renderFooter(answer, pen));
    return;
  }
  const { report, picture } = answer;
  if (toFile) {
    const { writeFileAtomic } = await import('../../../base/atomic.js');
    writeFileAtomic(resolve(directory() ?? '.', output), picture);
    const { renderVisualize } = await import('./text.js');
    await writeOut(io, json ? `${safeJson({ ...report, output })}\n` : renderVisualize({ ...report, output }));
  } else {
    await writeOut(io, json && format !== 'json' ? `${safeJson({ ...report, output: null, picture })}\n` : picture);
  }
}
