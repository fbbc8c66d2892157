/** Checks of the program and of what it is made of: they need no repository. */
import { execPath } from 'node:process';
import { describeLocalKey } from '../../../base/local-key.js';
import { packageVersion } from '../../../base/version.js';
import { grammarStatus, grammarVersions } from '../../../extract/grammar.js';
import { NAPI_VERSION } from '../../../extract/pins.js';
import { Git } from '../../../git/process.js';
import { describeEngine, engineVersion } from '../../../shard/vector-engine.js';
import { type Check, type DoctorCheck, type Finding, fine, settle, wrong } from '../check.js';

const MIN_NODE = 20;
const MIN_GIT = [2, 31] as const;
const REINSTALL = 'Install again with optional packages: npm install --include=optional';

export async function checkProgram(directory: string): Promise<DoctorCheck[]> {
  const settled = await Promise.all([
    settle('program', 'git-socraticode', () => ({ ...fine(packageVersion()), facts: { version: packageVersion() } })),
    settle('program', 'node', () => ({ ...checkNode(), facts: { version: process.versions.node, path: execPath } })),
    settle('program', 'git', () => checkGit(new Git(directory))),
    settle('program', 'parser', checkParser),
    settle('program', 'grammars', checkGrammars),
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

export async function checkParser(): Promise<Finding> {
  const { available } = await grammarStatus();
  const facts = { wanted: NAPI_VERSION, loads: available.length > 0 };
  if (available.length > 0) return { ...fine('@ast-grep/napi is loaded'), facts };
  const platform = `${process.platform}-${process.arch}`;
  return { ...wrong(`@ast-grep/napi cannot be loaded on ${platform}: every file is cut by lines`, REINSTALL), facts };
}

export async function checkGrammars(): Promise<Finding> {
  const { available, missing } = await grammarStatus();
  const facts = grammarVersions();
  if (missing.length === 0) return { ...fine(`all ${available.length}`), facts };
  const broken = missing.map((name) => {
    const found = facts[`@ast-grep/lang-${name}`];
    return typeof found === 'string' ? `${name} (${found} is there)` : name;
  });
  return { ...wrong(`missing, so that their files are cut by lines: ${broken.join(', ')}`, REINSTALL), facts };
}

export function checkVectors(): Finding {
  const { reason } = describeEngine();
  // Without usearch the results are equal and only slower, so its absence is no failure.
  const check = fine(reason === null ? 'compared by usearch' : `compared by JavaScript, more slowly: ${reason}`);
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
