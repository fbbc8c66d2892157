/** Answers `graph visualize`: draws the picture, and writes it where it was asked for. */
import { dirname, extname, resolve } from 'node:path';
import { SocraticodeError } from '../../../base/errors.js';
import { commandText } from '../../../params/command-line.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { PICTURE_NODES } from '../limits.js';
import { draw, type PictureFormat } from './draw.js';
import type { GraphPicture, GraphVisualizeReport } from './output.js';
import type { VisualizeValues } from './question.js';

/** Formats by the ending of the output's name. */
const FORMATS: Readonly<Record<string, PictureFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.mmd': 'mermaid',
  '.mermaid': 'mermaid',
  '.dot': 'dot',
  '.gv': 'dot',
  '.json': 'json',
};

type Visualized = GraphVisualizeReport | GraphPicture | GraphCandidates;

/** Throws BAD_ARGUMENT for a focus or path that nothing has, and for a page that would go to a terminal. */
export function answerVisualize(at: Asker, values: VisualizeValues): Promise<Visualized> {
  return at.server === undefined ? forPeople(at, values) : forAgents(at, values);
}

async function forPeople(at: Asker, values: VisualizeValues): Promise<Visualized> {
  const { output } = values;
  const isJson = at.command?.json === true;
  const toFile = output !== undefined && output !== '-';
  const format = values.format ?? FORMATS[extname(output ?? '').toLowerCase()] ?? (isJson ? 'json' : 'mermaid');
  if (format === 'html' && !toFile && !isJson && at.command?.io.stdout.isTTY) {
    throw new SocraticodeError('BAD_ARGUMENT', 'a page is nothing for a terminal', {
      hint: commandText('graph visualize', { format: 'html', output: 'graph.html' }),
    });
  }
  const drawn = await draw(at, {
    ...values,
    format,
    ...(toFile && { into: dirname(resolve(at.directory ?? '.', output)) }),
    limit: values.limit ?? PICTURE_NODES[format],
    candidates: values.limit,
  });
  if ('candidates' in drawn) return drawn;
  const { report, picture, document } = drawn;
  if (!toFile) return document ?? { ...report, output: null, picture };
  const { writeFileAtomic } = await import('../../../base/atomic.js');
  writeFileAtomic(resolve(at.directory ?? '.', output), picture);
  return { ...report, output };
}

/** Nodes of Mermaid text in a reply, whose tokens count. */
const MERMAID_NODES = 40;

async function forAgents(at: Asker, values: VisualizeValues): Promise<Visualized> {
  const { mode, focus, depth, view, path, ref, limit } = values;
  const isPage = mode === 'interactive';
  const nodes = limit ?? (isPage ? PICTURE_NODES.html : MERMAID_NODES);
  const drawn = await draw(at, { ...values, format: isPage ? 'html' : 'mermaid', limit: nodes, candidates: nodes });
  if ('candidates' in drawn) return drawn;
  const { report, picture } = drawn;
  if (!isPage) return { ...report, output: null, picture };
  const { keepPage } = await import('./kept-page.js');
  return { ...report, output: keepPage(at.session, picture, { focus, depth, view, path, ref, limit }) };
}
