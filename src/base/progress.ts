/** A one-line progress meter on stderr; silent unless stderr is a terminal. */

export interface Progress {
  /** `note` follows the counts, e.g. "8,120 chunks". */
  update(done: number, total: number, note?: string): void;
  finish(): void;
}

export const silentProgress: Progress = { update() {}, finish() {} };

const REDRAW_MS = 100;

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
      stream.write(`\r\x1b[K${meterLine(label, done, total, now - started, { note, unit })}`);
    },
    finish() {
      if (drawn > 0) stream.write('\r\x1b[K');
    },
  };
}

/** `indexing  41% 1,204/2,930 files, 8,120 chunks, 930/s, 2 s left` */
export function meterLine(
  label: string,
  done: number,
  total: number,
  elapsedMs: number,
  { note, unit = 'files' }: { note?: string; unit?: string } = {},
): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const rate = elapsedMs > 0 ? (done / elapsedMs) * 1000 : 0;
  const left = rate > 0 ? `, ${Math.ceil((total - done) / rate)} s left` : '';
  const counts = `${done.toLocaleString('en')}/${total.toLocaleString('en')} ${unit}`;
  return `${label} ${String(percent).padStart(3)}% ${counts}${note ? `, ${note}` : ''}, ${Math.round(rate)}/s${left}`;
}
