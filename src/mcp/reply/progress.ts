/** Sends the progress notifications of one request: rising values only, at most five a second. */

/** Pause between two notifications, in ms. */
const PAUSE = 200;

type Progress = (done: number, total: number | null, message: string) => void;

/** Sends a notification; rejects if the client has disconnected. */
type Send = (params: { progress: number; total?: number; message?: string }) => Promise<void>;

export function throttled(send: Send, now: () => number = () => performance.now()): Progress {
  let last = -1;
  let at = Number.NEGATIVE_INFINITY;
  return (done, total, message) => {
    const isEnd = total !== null && done >= total;
    if (done <= last || (!isEnd && now() - at < PAUSE)) return;
    last = done;
    at = now();
    send({ progress: done, ...(total === null ? {} : { total }), message }).catch(() => {});
  };
}
