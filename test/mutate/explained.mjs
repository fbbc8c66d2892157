// Mistakes that no test notices and whose reason is known: `explained.json` names them by file, compiled line and edit.
import { readFileSync } from 'node:fs';

/**
 * `kind` says why: `equal` changes nothing that anybody sees, and is not planted; `bound` is a limit that no test makes; `time` a pause or a
 * saving that no test waits for; `campaign` is noticed by a campaign, and those are never asked.
 */
const KINDS = new Set(['equal', 'bound', 'time', 'campaign']);

export class Explained {
  #entries;

  constructor(text = readFileSync(new URL('explained.json', import.meta.url), 'utf8')) {
    this.#entries = JSON.parse(text).map((entry) => ({ ...entry, isMet: false }));
    for (const { file, kind, why } of this.#entries)
      if (!KINDS.has(kind) || !why) throw new Error(`explained.json: ${file} wants a kind and a reason`);
  }

  /** Sets `kind` and `why` of those that are named. */
  mark(mutations) {
    for (const mutation of mutations) {
      const entry = this.#entries.find((each) => isOf(each, mutation));
      if (entry === undefined) continue;
      entry.isMet = true;
      Object.assign(mutation, { kind: entry.kind, why: entry.why });
    }
  }

  /** Entries about these files that name no mistake any more: the code is another since then. */
  stale(files) {
    const names = new Set(files.map(stemOf));
    return this.#entries.filter(({ file, isMet }) => !isMet && names.has(file));
  }
}

function isOf(entry, { file, source, line, what }) {
  return entry.file === stemOf(file) && entry.what === what && entry.line === source.split('\n')[line - 1].trim();
}

/** `share/push` of `build/src/share/push.js`. */
function stemOf(file) {
  return file.replace(/^build\/src\/(.*)\.js$/, '$1');
}
