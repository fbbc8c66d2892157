/** Text of `config`: one line a setting, as git prints its own. */
import { visibleLine } from '../../base/hygiene.js';
import type { ConfigReport } from './output.js';
import type { ConfigValues } from './question.js';

export function configText({ values: settings }: ConfigReport, { values }: { values: ConfigValues }): string {
  const width = Math.max(...settings.map(({ origin }) => origin.length));
  const lines = settings.map(({ key, value, origin }) => {
    const prefix = values.showOrigin ? `${visibleLine(origin).padEnd(width)}  ` : '';
    return `${prefix}${key}=${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}\n`;
  });
  return lines.join('');
}
