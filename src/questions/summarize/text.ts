/** Text of `summarize`: a place, what was written about it, and by whom. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { more } from '../graph/text-parts.js';
import { dateText, formatCount, quoted } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type { SummarizeDocument, SummaryItem } from './output.js';

export function summarizeText(document: SummarizeDocument, { pen }: { pen: Pen }): string {
  const { summaries, model, made, kept, left, dryRun, tokens, cost, failure } = document;
  const lines = dryRun
    ? []
    : [...summaries.list.flatMap((item) => itemLines(item, pen)), ...more(summaries.leftOut, pen)];
  const price = cost === null ? '' : `, ${cost.toFixed(4)} at the prices of the settings`;
  const size = `${groupDigits(tokens.input)} tokens in, ${groupDigits(tokens.output)} out${price}`;
  if (model === null) {
    if (summaries.list.some(({ by }) => by === 'extracted'))
      lines.push(pen.dim('extracted from the code: no model has written about it (summarizer.name)'));
  } else if (dryRun)
    lines.push(
      `${formatCount(left, 'summary', 'summaries')} to ask ${visibleLine(model)} for, about ${size}; ${groupDigits(kept)} kept`,
    );
  else
    lines.push(
      pen.dim(
        `${visibleLine(model)}: ${groupDigits(made)} made, ${groupDigits(kept)} kept, ${groupDigits(left)} left; ${size}`,
      ),
    );
  if (failure !== undefined) lines.push(`${visibleLine(failure.message)}`, pen.dim(visibleLine(failure.hint)));
  return `${lines.join('\n')}\n`;
}

function itemLines(item: SummaryItem, pen: Pen): string[] {
  const { path, symbol, kind, text } = item;
  const name = symbol === null ? '' : `  ${pen.symbol(visibleLine(symbol))}`;
  const place = kind === 'repository' ? 'the repository' : `${visibleLine(path)}${kind === 'folder' ? '/' : ''}`;
  const author = item.by === 'extracted' ? [] : [pen.dim(`  ${authorOf(item)}`)];
  return [`${pen.path(place)}${name}`, quoted(text), ...author];
}

export function authorOf({ by, model = '', date = '' }: Pick<SummaryItem, 'by' | 'model' | 'date'>): string {
  return by === 'extracted' ? 'extracted' : `written by the model ${visibleLine(model)}, ${dateText(date)}`;
}
