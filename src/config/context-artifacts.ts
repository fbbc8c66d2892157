/** `.socraticodecontextartifacts.json`, the list of further files and folders that belong to the code: its fields and its parser. */
import { SocraticodeError } from '../base/errors.js';
import { text as textParam } from '../params/param.js';
import { accepts, expectation } from '../params/read.js';
import { jsonFault, show } from './resolve.js';

export const ARTIFACTS_FILE = '.socraticodecontextartifacts.json';
/** Bytes that are read of the file: more than the 64 KiB that are allowed, so that a larger file is reported, not ignored. */
export const MAX_ARTIFACTS_READ = 4 << 20;
export const MAX_ARTIFACTS = 200;
const MAX_NAME = 100;
const MAX_PATH = 1_024;
const MAX_DESCRIPTION = 2_000;

export interface Artifact {
  name: string;
  /** Path as written in the file. */
  path: string;
  description: string;
  /** Path from the top of the repository, without "." and ".."; null if it leads outside. */
  inside: string | null;
}

/** Absolute on any system: a root, a network share, a drive. */
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:)/;

/** Path from the top of the repository; null if it leads outside. */
export function insidePath(path: string): string | null {
  if (ABSOLUTE.test(path)) return null;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/');
}

const isNotBlank = (text: string): boolean => text.trim() !== '';

/** True for a path that an artifact may have; whether it may be read is decided elsewhere. */
function isArtifactPath(path: string): boolean {
  if (path.includes('://')) return false;
  // A backslash separates folders on Windows and is part of a name for git, so such a path is ambiguous.
  return insidePath(path) !== '' && (ABSOLUTE.test(path) || !path.includes('\\'));
}

/** The fields of an artifact, all of them required. */
export const ARTIFACT_FIELDS = {
  name: textParam({
    summary: 'What the artifact is called in searches; different for each.',
    ...{ minLength: 1, maxLength: MAX_NAME, pattern: /^[^/\p{Cc}]+$/u, fits: isNotBlank },
    form: `at most ${MAX_NAME} characters without slashes, different for each artifact`,
  }),
  path: textParam({
    summary:
      'A file or folder, relative to the top of the repository, with "/" between folders. One outside of the repository is read only where the user allows it (context.allow).',
    ...{ minLength: 1, maxLength: MAX_PATH, pattern: /^\P{Cc}+$/u, fits: isArtifactPath },
    form: `a file or folder of the repository such as "docs/adr", written with "/", at most ${MAX_PATH} characters`,
  }),
  description: textParam({
    summary: 'What it is and when to look there; for people and agents.',
    ...{ minLength: 1, maxLength: MAX_DESCRIPTION, fits: isNotBlank },
    form: `text of at most ${MAX_DESCRIPTION} characters`,
  }),
} as const;

/** Parses the file. Throws BAD_CONFIG with the line or field. */
export function parseArtifacts({ text, origin }: { text: string; origin: string }): Artifact[] {
  const json = text.replace(/^\ufeff/, '');
  const fault = jsonFault(json);
  if (fault !== null)
    throw new SocraticodeError(
      'BAD_CONFIG',
      `${origin}:${fault.line}:${fault.column}: not valid JSON: ${fault.reason}`,
    );
  const { artifacts } = fields(JSON.parse(json), ['$schema', 'artifacts'], origin);
  if (!Array.isArray(artifacts) || artifacts.length > MAX_ARTIFACTS)
    return bad(origin, 'artifacts', artifacts, `a list of at most ${MAX_ARTIFACTS} artifacts`);
  const names = new Set<string>();
  return artifacts.map((item: unknown, index) => {
    const at = `artifacts[${index}]`;
    const artifact = parseOne(item, at, origin);
    if (names.has(artifact.name)) return bad(origin, `${at}.name`, artifact.name, expectation(ARTIFACT_FIELDS.name));
    names.add(artifact.name);
    return artifact;
  });
}

function parseOne(item: unknown, at: string, origin: string): Artifact {
  const given = fields(item, Object.keys(ARTIFACT_FIELDS), `${origin}: ${at}`);
  for (const [key, field] of Object.entries(ARTIFACT_FIELDS))
    if (!accepts(field, given[key])) return bad(origin, `${at}.${key}`, given[key], expectation(field));
  const { name, path, description } = given as Record<keyof typeof ARTIFACT_FIELDS, string>;
  return { name, path, description, inside: insidePath(path) };
}

/** Fields of an object. Throws BAD_CONFIG for another value, and for an unknown field. */
function fields(value: unknown, known: readonly string[], origin: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SocraticodeError('BAD_CONFIG', `${origin}: is ${show(value)}; allowed: an object`);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return value as Record<string, unknown>;
  throw new SocraticodeError('BAD_CONFIG', `${origin}: unknown key ${show(unknown)}; known: ${known.join(', ')}`);
}

function bad(origin: string, key: string, value: unknown, allowed: string): never {
  const shown = value === undefined ? 'missing' : show(value);
  throw new SocraticodeError('BAD_CONFIG', `${origin}: ${key} is ${shown}; allowed: ${allowed}`);
}

/** Returns whether a path is the artifact's file or lies in its folder. */
export function liesIn(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && path[folder.length] === '/');
}

/** Returns the name of the innermost artifact that contains a path. */
function artifactOf(path: string, artifacts: readonly Artifact[]): string | undefined {
  let found: Artifact | undefined;
  for (const artifact of artifacts) {
    const { inside } = artifact;
    if (inside !== null && liesIn(path, inside) && inside.length > (found?.inside?.length ?? -1)) found = artifact;
  }
  return found?.name;
}

/** Adds to each result the artifact that contains it, if any. */
export function withArtifacts<T extends { path: string }>(
  results: readonly T[],
  artifacts: readonly Artifact[] = [],
): (T & { artifact?: string })[] {
  if (artifacts.length === 0) return [...results];
  return results.map((result) => {
    const artifact = artifactOf(result.path, artifacts);
    return artifact === undefined ? result : { ...result, artifact };
  });
}
