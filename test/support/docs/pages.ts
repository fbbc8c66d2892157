/** The written documentation: its files, the code that it shows, and the lines of a shell that it tells readers to type. */
import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from '../../house/root.js';

/** Pages whose tables are generated from the program: their lines are as long as a row needs. */
export const GENERATED = ['docs/cli.md', 'docs/tools.md', 'docs/configuration.md', 'docs/languages.md'];

const TOP = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'src/README.md',
  'test/README.md',
  'model/README.md',
  'fleet/README.md',
];

/** Paths of all pages, from the top of the project. */
export function pageNames(): string[] {
  const docs = readdirSync(new URL('docs/', ROOT)).filter((name) => name.endsWith('.md'));
  return [...TOP, ...docs.sort().map((name) => `docs/${name}`)];
}

export function readPage(name: string): string {
  return readFileSync(new URL(name, ROOT), 'utf8');
}

export interface Fence {
  language: string;
  text: string;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** Blocks of code between lines of three backticks. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(FENCE)].map(([, language, text]) => ({ language, text }));
}

/** Code within a line of prose; a span may go on in the next line. */
export function spansOf(page: string): string[] {
  return [...page.replace(FENCE, '').matchAll(/`([^`]+)`/g)].map(([, span]) => span.replace(/\s+/g, ' '));
}

/** `Search & find: a test` -> `search--find-a-test`, as code hosts make the anchor of a heading. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/`/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

export function anchorsOf(page: string): Set<string> {
  return new Set([...page.replace(FENCE, '').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading)));
}
