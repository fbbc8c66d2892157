/** Reads Debian's copyright files: the licence of the package as a whole, and the files that must not be used. */
import { permitted, permittedText } from './licences.js';

export interface Copyright {
  /** SPDX id for `Files: *`; null if it is not a permissive licence or cannot be read. */
  licence: string | null;
  /** Licence as the file states it, for messages. */
  stated: string;
  /** Patterns with the verdict of their stanza, in file order. The last one that matches a path decides. */
  files: ReadonlyArray<{ pattern: RegExp; free: boolean }>;
}

export function readCopyright(text: string): Copyright {
  const stanzas = text
    .replace(/\r/g, '')
    .split(/\n\s*\n/)
    .map(fieldsOf);
  const filed = stanzas.filter((stanza) => stanza.has('files') && stanza.has('license'));
  if (filed.length === 0) return { licence: permittedText(text), stated: 'prose', files: [] };
  const whole = filed.find((stanza) => patternsIn(stanza).includes('*')) ?? filed[0];
  const stated = synopsis(whole);
  const files = filed.flatMap((stanza) =>
    patternsIn(stanza).map((pattern) => ({ pattern: globOf(pattern), free: permitted(synopsis(stanza)) !== null })),
  );
  return { licence: permitted(stated), stated, files };
}

/** Fields of a stanza by lower-case name, with continuation lines. */
function fieldsOf(stanza: string): Map<string, string> {
  const fields = new Map<string, string>();
  let name = '';
  for (const line of stanza.split('\n')) {
    const start = /^([A-Za-z][\w-]*):\s*(.*)$/.exec(line);
    if (start !== null) {
      name = start[1].toLowerCase();
      fields.set(name, start[2]);
    } else if (name !== '') fields.set(name, `${fields.get(name)}\n${line}`);
  }
  return fields;
}

function patternsIn(stanza: Map<string, string>): string[] {
  return (stanza.get('files') ?? '').split(/[\s,]+/).filter((pattern) => pattern !== '');
}

function synopsis(stanza: Map<string, string>): string {
  return (stanza.get('license') ?? '').split('\n')[0].trim();
}

/** Compiles a pattern; `*` matches `/` too in these files. */
function globOf(pattern: string): RegExp {
  const escaped = pattern.replace(/^\.\//, '').replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`);
}
