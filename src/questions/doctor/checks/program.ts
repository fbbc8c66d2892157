/** Checks of the program and of what it is made of: they need no repository. */
import { execPath } from 'node:process';
import { describeLocalKey } from '../../../base/local-key.js';
import { packageManifest, packageVersion } from '../../../base/version.js';
import { parseWithGrammar } from '../../../extract/grammar.js';
import { grammarStatus } from '../../../extract/grammar-files.js';
import { installCommand, loadPatternParsers } from '../../../extract/pattern-parser.js';
import { GRAMMAR_HASHES, NAPI_VERSION, PACKAGE_PREFIX, PARSER_VERSION, PATTERN_PINS } from '../../../extract/pins.js';
import { Git } from '../../../git/process.js';
import { describeEngine, engineVersion } from '../../../shard/vector-engine.js';
import { type Check, type DoctorCheck, type Finding, fine, settle, wrong } from '../check.js';

const MIN_NODE = 20;
const MIN_GIT = [2, 31] as const;
const REINSTALL = 'The package is damaged. Install it again: npm install -g git-socraticode';

export async function checkProgram(directory: string): Promise<DoctorCheck[]> {
  const settled = await Promise.all([
    settle('program', 'git-socraticode', () => ({ ...fine(packageVersion()), facts: { version: packageVersion() } })),
    settle('program', 'node', () => ({ ...checkNode(), facts: { version: process.versions.node, path: execPath } })),
    settle('program', 'git', () => checkGit(new Git(directory))),
    settle('program', 'parser', checkParser),
    settle('program', 'grammars', checkGrammars),
    settle('program', 'patterns', checkPatterns),
    settle('program', 'vectors', checkVectors),
    settle('program', 'key', checkKey),
  ]);
  return settled.flat();
}

export function checkNode(): Check {
  const version = process.versions.node;
  if (Number.parseInt(version, 10) >= MIN_NODE) return fine(version);
  return wrong(`${version} is too old`, `Install Node ${MIN_NODE} or newer.`);
}

export async function checkGit(git: Git): Promise<Finding> {
  const text = (await git.text(['version'])).replace(/^git version /, '');
  const [major, minor] = text.split('.').map(Number);
  const isNew = major > MIN_GIT[0] || (major === MIN_GIT[0] && minor >= MIN_GIT[1]);
  const check = isNew ? fine(text) : wrong(`${text} is too old`, `Install git ${MIN_GIT.join('.')} or newer.`);
  return { ...check, facts: { version: text } };
}

export function checkParser(): Finding {
  const facts = { version: PARSER_VERSION };
  try {
    const { available } = grammarStatus();
    if (available.length > 0) parseWithGrammar(available[0], '');
    return { ...fine(PARSER_VERSION), facts };
  } catch (error) {
    return {
      ...wrong(`does not start, so that every file is cut by lines: ${(error as Error).message}`, REINSTALL),
      facts,
    };
  }
}

export function checkGrammars(): Finding {
  const { available, missing } = grammarStatus();
  const facts = { ...GRAMMAR_HASHES };
  if (missing.length === 0) return { ...fine(`all ${available.length}`), facts };
  return { ...wrong(`missing, so that their files are cut by lines: ${missing.join(', ')}`, REINSTALL), facts };
}

/** Patterns of `grep --ast` are read by native grammars, most of which are packages of their own: none is needed for an index. */
async function checkPatterns(): Promise<Finding> {
  const ready = await loadPatternParsers();
  const names = Object.keys(PATTERN_PINS).map((name) => name.slice(PACKAGE_PREFIX.length));
  const missing = names.filter((name) => !ready.has(name));
  const facts = { wanted: NAPI_VERSION, ...Object.fromEntries(names.map((name) => [name, ready.has(name)])) };
  if (ready.size === 0)
    return { ...fine('@ast-grep/napi cannot be loaded here, so that no pattern of code can be searched for'), facts };
  const known = `patterns of code are read in ${[...ready]
    .map((name) => name.toLowerCase())
    .sort()
    .join(', ')}`;
  if (missing.length === 0) return { ...fine(known), facts };
  const others = missing.slice(1).join(', ');
  return {
    ...fine(
      `${known}. Patterns of ${missing[0]} need: ${installCommand([missing[0]])}${others === '' ? '' : `; likewise ${others}`}`,
    ),
    facts,
  };
}

export function checkVectors(): Finding {
  const { reason } = describeEngine();
  // Without usearch the results are equal and only slower, so its absence is no failure.
  const add = `npm install -g usearch@${packageManifest().peerDependencies.usearch} makes it faster`;
  const check = fine(reason === null ? 'compared by usearch' : `compared by JavaScript: ${reason}; ${add}`);
  return { ...check, facts: { usearch: reason === null ? engineVersion() : null } };
}

function checkKey(): Finding {
  const { kind, path, problem, id } = describeLocalKey();
  const facts = { kind, path, id };
  if (problem === null) return { ...fine(`${path}`), facts };
  const until = kind === 'boot' ? 'this machine is started again' : 'the process ends';
  const what = `what is built here is kept only until ${until}: ${problem}`;
  return { ...wrong(what, `Make ${path ?? 'the home directory'} a place that you alone can read and write.`), facts };
}
