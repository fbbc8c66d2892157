/** A one-line progress meter on stderr; silent unless stderr is a terminal. */
import { groupDigits } from './digits.js';

export interface Progress {
  /** `note` follows the counts, e.g. "8,120 chunks". */
  update(done: number, total: number, note?: string): void;
  finish(): void;
}

export const silentProgress: Progress = { update() {}, finish() {} };

const REDRAW_MS = 100;
const DEFAULT_COLUMNS = 80;

/** `unit` names the things counted. */
export function createProgress(label: string, unit = 'files', stream: NodeJS.WriteStream = process.stderr): Progress {
  if (!stream.isTTY) return silentProgress;
  const started = performance.now();
  let drawn = 0;
  return {
    update(done, total, note) {
      const now = performance.now();
      if (now - drawn < REDRAW_MS && done < total) return;
      drawn = now;
      // A terminal that does not tell its width says 0.
      const columns = stream.columns || DEFAULT_COLUMNS;
      const line = meterLine(label, done, total, now - started, { note, unit, columns });
      stream.write(`\r\x1b[K${line}`);
    },
    finish() {
      if (drawn > 0) stream.write('\r\x1b[K');
    },
  };
}

interface MeterParts {
  note?: string;
  unit?: string;
  /** Width of the terminal. */
  columns?: number;
}

/**
 * `indexing  41% 1,204/2,930 files, 8,120 chunks, 930/s, 2 s left`. Parts that do not fit are left out from the end: a line that
 * the terminal wraps cannot be drawn over, and floods the screen.
 */
export function meterLine(
  label: string,
  done: number,
  total: number,
  elapsedMs: number,
  { note, unit = 'files', columns = Number.POSITIVE_INFINITY }: MeterParts = {},
): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const rate = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const counts = `${groupDigits(done)}/${groupDigits(total)} ${unit}`;
  const parts = [`${label} ${String(percent).padStart(3)}% ${counts}`];
  if (note) parts.push(note);
  parts.push(`${Math.round(rate)}/s`);
  if (rate > 0) parts.push(`${Math.ceil((total - done) / rate)} s left`);
  let line = parts[0].slice(0, columns - 1);
  for (const part of parts.slice(1)) {
    const longer = `${line}, ${part}`;
    if (longer.length >= columns) break;
    line = longer;
  }
  return line;
}
