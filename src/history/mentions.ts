/** Pull requests and issues that a commit message names: `#123`, `GH-12`, addresses, `Merge pull request #4`, `Fixes: #5`. */

export interface Mention {
  kind: 'pull' | 'issue' | 'unknown';
  /** As written: `#123`, `owner/name#7`, or the address. */
  text: string;
}

/** More are a list of something else: a changelog, a batch of updates. */
const MAX_MENTIONS = 20;

/** Address of a pull request or an issue on any forge. */
const ADDRESS =
  /https?:\/\/[^\s<>"'()[\]]{1,200}?\/(pull|pulls|pull-requests|merge_requests|issues|issue|browse|bugs?)\/[\w-]{1,40}|https?:\/\/[^\s<>"'()[\]]{1,200}?\/show_bug\.cgi\?id=\d{1,9}/g;
/** `#12`, `owner/name#12`, `GH-12`, `!12` (GitLab); not in a word, and no colour: those have six digits and no more. */
const NUMBER = /(?<![\w#&/!-])(?:[\w.-]{1,100}\/[\w.-]{1,100})?(?:#|GH-|!)\d{1,7}(?![\w-])/g;
const PULL = /^(?:Merge (?:pull|merge) request|PR|pull request|See merge request)\b/i;
const CLOSES = /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|issue|bug|re|refs?|references|addresses|see)\b[:\s]*$/i;

/** In the order of the text, each once. */
export function mentionsIn({ subject, body }: { subject: string; body: string }): Mention[] {
  const found = new Map<string, Mention>();
  for (const [i, line] of [subject, ...body.split('\n')].entries()) {
    if (found.size >= MAX_MENTIONS) break;
    for (const mention of mentionsInLine(line, i === 0)) if (!found.has(mention.text)) found.set(mention.text, mention);
  }
  return [...found.values()].slice(0, MAX_MENTIONS);
}

/** Characters of a line that are read. */
const MAX_LINE = 1_000;

function mentionsInLine(whole: string, isSubject: boolean): Mention[] {
  const line = whole.slice(0, MAX_LINE);
  const addresses = [...line.matchAll(ADDRESS)].map(({ 0: text, 1: word, index }) => {
    const kind: Mention['kind'] = /^(?:pull|merge)/.test(word ?? '') ? 'pull' : 'issue';
    return { kind, text, index };
  });
  const isInAddress = (at: number) => addresses.some(({ text, index }) => at >= index && at < index + text.length);
  const numbers = [...line.matchAll(NUMBER)].flatMap(({ 0: text, index }) =>
    isInAddress(index) ? [] : [{ kind: kindOf(line, { text, index, isSubject }), text, index }],
  );
  const all = [...addresses, ...numbers].sort((a, b) => a.index - b.index);
  return all.map(({ kind, text }) => ({ kind, text }));
}

interface Place {
  text: string;
  index: number;
  isSubject: boolean;
}

function kindOf(line: string, { text, index, isSubject }: Place): Mention['kind'] {
  if (text.includes('!') || PULL.test(line)) return 'pull';
  // Forges end the subject of a squashed pull request with its number.
  const isAtEnd = isSubject && line.slice(index + text.length).trim() === ')' && line[index - 1] === '(';
  if (isAtEnd) return 'pull';
  return CLOSES.test(line.slice(0, index)) ? 'issue' : 'unknown';
}
