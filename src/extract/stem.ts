/**
 * Light English stemming for identifier parts and query words: plurals, -ing and -ed, so that "parsing requests"
 * meets `parseRequest`. Deliberately weaker than Porter's algorithm, which merges words that code keeps apart.
 */
const VOWEL = /[aeiouy]/;
const MIN_STEM = 3;

/** `word` is lower-case ASCII letters; anything else is returned as it is. */
export function stem(word: string): string {
  if (word.length <= MIN_STEM) return word;
  const last = word.charCodeAt(word.length - 1);
  if (last === 115) return finish(stemPlural(word));
  return finish(word);
}

function stemPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  // Schemas and lambdas, but alias and canvas; APIs and URIs, but axis and redis.
  if (/[^aeious]s$|[eo]s$|(?<!i|nv)as$|^(?:api|cli|gui|uri)s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Strips -ing and -ed, undoubles consonants, and drops a final e so that parse, parsed and parsing meet. */
function finish(word: string): string {
  let out = word;
  // Cookies, queried and verified meet cookie, query and verify; need and exceed are no past tense, nor is embed; united is no unit.
  if (out.length > 4 && /ied?$/.test(out)) return `${out.replace(/ied?$/, '')}y`;
  if (/[^rt]eed$|^(?:embed|united|hundred|sacred)$/.test(out)) return out;
  if (out.length > 5 && out.endsWith('ing') && VOWEL.test(out.slice(0, -3))) out = undouble(out.slice(0, -3));
  else if (out.length > 4 && out.endsWith('ed') && VOWEL.test(out.slice(0, -2))) out = undouble(out.slice(0, -2));
  if (out.length > MIN_STEM && out.endsWith('e')) out = out.slice(0, -1);
  return out;
}

function undouble(word: string): string {
  const last = word.charCodeAt(word.length - 1);
  const same = word.length > MIN_STEM && last === word.charCodeAt(word.length - 2);
  return same && !/[lsz]$/.test(word) ? word.slice(0, -1) : word;
}
