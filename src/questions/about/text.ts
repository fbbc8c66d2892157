/** Text of `codebase_about`. */
import { visibleLine } from '../../base/hygiene.js';
import type { About } from './output.js';

export function aboutText({ version, licence, toolsets, embedder, limits, storage, documentation }: About): string {
  const short = (name: string) => name.replace(/^codebase_/, '');
  const lines = [
    `git-socraticode ${version} (${licence.split(';')[0]})`,
    ...toolsets.map(({ name, tools }) => `${name}: ${tools.map(short).join(' ')}`),
    `embedder: ${embedder.name} ${embedder.model}`,
    `limits: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    `stored in: ${Object.keys(storage).join(', ')}`,
    `read: ${documentation.join('; ')}`,
  ];
  return `${lines.map(visibleLine).join('\n')}\n`;
}
