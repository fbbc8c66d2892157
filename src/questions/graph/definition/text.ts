/** Text of the definition that a name means. */
import type { Pen } from '../../writing/pen.js';
import { definitionLines } from '../text-parts.js';
import type { GraphDefinitionResponse } from './output.js';

export function definitionText(
  { name, definitions, possible }: GraphDefinitionResponse,
  { pen }: { pen: Pen },
): string {
  if (name === '') return 'no name stands at that place\n';
  if (definitions.length > 0) return `${definitionLines(definitions, pen, definitions.length).join('\n')}\n`;
  if (possible.length === 0) return `no definition of ${pen.symbol(name)} is known for that place\n`;
  const lines = definitionLines(possible, pen, possible.length);
  return `${['the target of this use is not known; definitions of that name:', ...lines].join('\n')}\n`;
}
