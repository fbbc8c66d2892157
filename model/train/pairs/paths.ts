/** Makes pairs from paths with their code, and from messages with the code that prints them. */
import { PAIRS } from '../recipe.js';
import { prose, wordsOf } from './clean.js';
import { nameWords } from './names.js';
import { cutCode, type Draft, hashOf, type Source } from './types.js';

const SMALLEST_CHUNK = 300;

/** Generic directory names. */
const COMMON = new Set(
  'src lib libs source sources index main mod init package pkg packages dist build core common include internal impl code app java org com net js ts py usr share debian test tests spec cjs esm es scripts tools bin inc kt python cpp rs lua ruby perl php nodejs gocode github gems all doc docs example examples default cargo registry python_3 dist_packages site_packages vendor_ruby perl_5 github_com gitlab_com google_golang_org golang_org'.split(
    ' ',
  ),
);

export function pathPairs(source: Source): Draft[] {
  const query = pathWords(source.path);
  if (query === null) return [];
  return source.chunks
    .filter(({ start, end, kind }) => end - start >= SMALLEST_CHUNK && kind !== 'imports' && kind !== 'comment')
    .filter(({ start, end }) => /[a-z]{3}\W+[a-z]{3}/i.test(source.text.slice(start, end)))
    .sort((a, b) => b.end - b.start - (a.end - a.start) || a.start - b.start)
    .slice(0, PAIRS.chunksPerFile)
    .map(({ start, end }) => ({ kind: 'path', query, code: cutCode(withoutLicence(source.text.slice(start, end))) }))
    .filter(({ code }) => code.length >= SMALLEST_CHUNK) as Draft[];
}

const LICENCE = /copyright|licen[sc]e|this file is part of|all rights reserved|@author/i;

/** Text without the usual beginnings of files: magic comments and copyright notices. */
function withoutLicence(code: string): string {
  const text = code.replace(/^\s*<\?php\s*/, '').replace(/^(?:#!.*|# (?:frozen_string|-\*-).*|\s*)\n/gm, '');
  const comment = /^\s*(?:\/\*[\s\S]*?\*\/|(?:[ \t]*(?:\/\/|#|--|;|%).*\n)+)/.exec(text);
  return comment !== null && LICENCE.test(comment[0]) ? text.slice(comment[0].length) : text;
}

/** Words of the file's name and of the nearest directory with a meaningful name. */
export function pathWords(path: string): string | null {
  const parts = path
    .split('/')
    .map((part) => nameWords(part.replace(/(?<=.)\.\w{1,6}$/, '').replace(/[-.\s+@]+/g, '_')));
  const telling = parts.filter((part) => part !== '' && !COMMON.has(part.replace(/ /g, '_')) && !/^[\d ]+$/.test(part));
  const words = [...new Set(telling.slice(-2).join(' ').split(' '))].filter((word) => !/^\d+$/.test(word));
  if (words.filter((word) => word.length > 2).length < 2 || words.length > 10) return null;
  return words.join(' ');
}

const MESSAGE =
  /(?:\b(?:throw|raise|error|errorf|warn|warning|warnf|fatal|fatalf|fail|die|croak|carp|panic|abort|log|logger|logging|debug|info|printf|fprintf|eprintln|exit|invalid_arg|failwith|help|description|message|msg|err|assert|invariant|reject|Exception|Error|_)\w*!?[^"'`\n]{0,60}?)(["'`])((?:(?!\1)[^\\\n]|\\.){15,200})\1/gi;

/** Pairs a message with the definition that prints it, without the message. */
export function messagePairs({ text, definitions, test, language }: Source): Draft[] {
  if (test) return [];
  // Searches backwards, so that the innermost definition is found first.
  const bodies = definitions.filter(({ kind }) => /^(?:function|method|constructor)$/.test(kind)).reverse();
  const drafts: Draft[] = [];
  for (const match of text.matchAll(MESSAGE)) {
    if (drafts.length >= PAIRS.messagesPerFile) break;
    const at = match.index + match[0].length - match[2].length - 1;
    const body = bodies.find(({ start, end }) => start < at && at < end);
    const query = body === undefined ? null : messageText(match[2], language);
    if (body === undefined || query === null) continue;
    const begin = body.doc !== null && body.doc.end < at ? Math.max(body.start, body.doc.end + 1) : body.start;
    const from = Math.max(begin, text.lastIndexOf('\n', at - 900) + 1);
    const to = Math.min(body.end, at + 600);
    const kept = hashOf(query) % PAIRS.oneInKeptMessage === 0;
    const rest = text.slice(kept ? at : at + match[2].length, to);
    const code = cutCode(text.slice(from, at) + rest);
    if (code.length >= 120) drafts.push({ kind: 'message', query, code });
  }
  return drafts;
}

function messageText(raw: string, language: string): string | null {
  const plain = raw
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(.)/g, '$1')
    .replace(
      /\$\{[^}]*\}|#\{[^}]*\}|\{[\w.:!?#<>]*\}|%[-+#0]*[\d.*]*(?:\.\d+)?[hlzjt]*[sdifuxXpgecrqvTo](?![a-z])|%\(\w+\)s/g,
      ' ',
    )
    .replace(language === 'perl' || language === 'bash' || language === 'php' ? /[$@][\w{}>[\]-]+/g : /$^/g, ' ')
    .replace(/["`<>[\]]+|(?<![a-z])'|'(?![a-z])/gi, ' ');
  return wordsOf(plain).length < 4 ? null : prose(plain);
}
