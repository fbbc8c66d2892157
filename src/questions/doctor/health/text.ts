/** The health check: what needs attention first, with what to do about it. */
import { visibleLine } from '../../../base/hygiene.js';
import type { HealthReport } from './output.js';

export function healthText({ checks }: HealthReport): string {
  const bad = checks.filter(({ ok }) => !ok);
  const good = checks.filter(({ ok }) => ok);
  const lines = [
    ...bad.map(({ name, detail, hint }) => `! ${name}: ${detail}${hint === null ? '' : `; ${hint}`}`),
    ...good.map(({ name, detail }) => `${name}: ${detail}`),
  ];
  return `${lines.map(visibleLine).join('\n')}\n`;
}
