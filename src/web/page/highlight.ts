/** Colours code in a worker, so that a text on which a grammar takes long blocks nothing. */

/** Runs of a line: class of the highlighter, and text. */
export type Run = readonly [kind: string, text: string];
export type Coloured = readonly (readonly Run[])[];

/** A longer text is shown plain: its colours would cost more than they tell. */
const MAX_LENGTH = 400_000;
const MAX_MS = 2_000;
const MAX_KEPT = 300;

const known = new Map<string, Coloured | null>();
const asked = new Map<number, { key: string; timer: number }>();
let worker: Worker | null = null;
let next = 1;
let coloured: () => void = () => {};

/** `draw` is called whenever colours arrive. */
export function onColours(draw: () => void): void {
  coloured = draw;
}

interface TrustedFactory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => {
    createScriptURL: (url: string) => string;
  };
}

let policy: ReturnType<TrustedFactory['createPolicy']> | undefined;

function startWorker(): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedFactory };
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url });
  const url = '/highlighter.js';
  const started = new Worker(policy?.createScriptURL(url) ?? url);
  started.onmessage = ({ data }: MessageEvent<{ id: number; lines: Coloured | null }>) => finish(data.id, data.lines);
  return started;
}

function finish(id: number, lines: Coloured | null): void {
  const request = asked.get(id);
  if (request === undefined) return;
  clearTimeout(request.timer);
  asked.delete(id);
  known.set(request.key, lines);
  coloured();
}

/** Ends a worker that takes too long; its other requests are asked again when they are drawn. */
function giveUp(id: number): void {
  worker?.terminate();
  worker = null;
  for (const [other, { key, timer }] of asked) {
    clearTimeout(timer);
    if (other !== id) known.delete(key);
  }
  const late = asked.get(id);
  asked.clear();
  if (late !== undefined) known.set(late.key, null);
  coloured();
}

/** Lines of a text with their colours; null while they are not known, and where there are none. */
export function coloursOf(code: string, language: string): Coloured | null {
  if (code.length > MAX_LENGTH || language === '') return null;
  const key = `${language}\0${code}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  known.set(key, null);
  for (const old of known.keys()) {
    if (known.size <= MAX_KEPT) break;
    known.delete(old);
  }
  worker ??= startWorker();
  const id = next++;
  asked.set(id, { key, timer: setTimeout(() => giveUp(id), MAX_MS) as unknown as number });
  worker.postMessage({ id, code, language });
  return null;
}
