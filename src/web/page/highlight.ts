/** Colours code in a worker, so that a text on which a grammar takes long blocks nothing. */
import { type Coloured, ColourQueue, type Painter } from './colour-queue.js';
import { afterFrame } from './frame.js';

/** A longer text is no file of the index, which takes files up to 1 MiB. */
const MAX_LENGTH = 1_048_576;

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

function start(done: (lines: Coloured | null) => void): Painter {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedFactory };
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url });
  const url = new URL('../highlighter.js', import.meta.url).href;
  const worker = new Worker(policy?.createScriptURL(url) ?? url);
  worker.onmessage = ({ data }: MessageEvent<string>) => done(JSON.parse(data) as Coloured | null);
  worker.onerror = () => done(null);
  return {
    paint: (code, language) => worker.postMessage({ code, language }),
    end: () => worker.terminate(),
  };
}

const queue = new ColourQueue({ start, changed: () => coloured(), now: () => performance.now() });

/** Tells that a draw begins: texts that it does not ask for are not coloured any more. */
export const beginColours = (): void => queue.begin();

/** Colours what was drawn, once it is seen: at the same time, the worker took half of a processor from drawing. */
export const finishColours = (): void => afterFrame(() => queue.next());

/** Lines of a text with their colours; null while they are not known, and where there are none. */
export function coloursOf(code: string, language: string): Coloured | null {
  return code.length > MAX_LENGTH || language === '' ? null : queue.coloursOf(code, language);
}
