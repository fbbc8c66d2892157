// Pairs of branches that git merges and that break: planted by transformations of text into the newest commit of a repository, and held
// against what `conflicts --plan` names: `npm run bench -- conflicts --planted DIR [PAIRS] [SEED]`. One side changes a definition with all
// of its uses, as a refactoring does; the other adds a use as it was. Nothing here knows how the program finds anything. Every pair is asked
// for by itself, so that each finding beside the planted one counts as false unless a reader says otherwise.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** How each language writes functions, classes, and imports of a file by its stem. */
const LANGUAGES = {
  '.py': {
    functions: /^def ([a-z]\w{4,})\(([^()\n]*)\)/gm,
    methods: /^ {4}def ([a-z]\w{4,})\(self/gm,
    classes: /^class (\w+)\((\w+)\):/gm,
    extra: (text) => `${text}\n\ndef PLANTED():\n    return None\n`,
    call: (call) => `\n\ndef planted_user():\n    return ${call}\n`,
    parameter: 'planted_extra',
    first: (list) => !/^\s*(?:self|cls)\b/.test(list),
    movable: true,
    abstract: (name, body) =>
      `\n    @abstractmethod\n    def ${name}(self):\n        ${body ? 'return None' : '...'}\n`,
  },
  '.ts': {
    functions: /^export (?:async )?function ([a-z]\w{4,})\(([^()\n]*)\)/gm,
    methods: /^ {2,4}(?:public |protected |async )*([a-z]\w{4,})\([^()\n]*\)[^;\n]*\{$/gm,
    classes: /^export class (\w+) (?:extends|implements) (\w+)[^{\n]*\{/gm,
    extra: (text) => `${text}\nexport function PLANTED() {\n  return null\n}\n`,
    call: (call) => `\nexport function plantedUser(): unknown {\n  return ${call}\n}\n`,
    parameter: 'plantedExtra: number',
    first: () => true,
    movable: true,
  },
  '.go': {
    functions: /^func ([A-Z]\w{4,})\(([^()\n]*)\)/gm,
    methods: /^func \(\w+ \*?\w+\) ([A-Z]\w{4,})\(/gm,
    classes: /^type (\w+) struct \{/gm,
    extra: (text) => `${text}\nfunc PLANTED() int {\n\treturn 1\n}\n`,
    call: (call) => `\nfunc plantedUser() {\n\t_ = ${call}\n}\n`,
    parameter: 'plantedExtra int',
    first: () => true,
    movable: false,
  },
  '.java': {
    functions: /^ {2,4}public static [\w<>[\], ]+ ([a-z]\w{4,})\(([^()\n]*)\)/gm,
    methods: /^ {2,4}(?:public|protected) (?!static|class)[\w<>[\], ]+ ([a-z]\w{4,})\([^()\n]*\) \{$/gm,
    classes: /^public class (\w+) (?:extends|implements) (\w+)[^{\n]*\{/gm,
    extra: null,
    call: null,
    parameter: 'int plantedExtra',
    first: () => true,
    movable: false,
  },
};

function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

const word = (name) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`, 'g');
const stemOf = (path) => path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, '');
const isTest = (path) =>
  /(?:^|\/)(?:tests?|testing|spec|fixtures|sample)\/|[._]test\.|[._]spec\.|(?:^|\/)test_|Test\.java$/.test(path);

/** The repository with the texts of its files in one language. */
class Copy {
  constructor(source, folder) {
    this.dir = join(folder, 'repo');
    execFileSync('git', [
      'clone',
      '-q',
      '--no-local',
      '--single-branch',
      '--depth',
      '1',
      `file://${resolve(source)}`,
      this.dir,
    ]);
    for (const [key, value] of [
      ['user.name', 'b'],
      ['user.email', 'b@b'],
    ])
      this.git('config', key, value);
    this.git('checkout', '-q', '-B', 'main');
    this.head = this.git('rev-parse', 'HEAD');
    const paths = this.git('ls-files', '-z').split('\0');
    const counts = new Map();
    for (const path of paths)
      if (LANGUAGES[extname(path)]) counts.set(extname(path), (counts.get(extname(path)) ?? 0) + 1);
    [[this.extension]] = [...counts].sort((a, b) => b[1] - a[1]);
    this.language = LANGUAGES[this.extension];
    this.texts = new Map();
    for (const path of paths.filter((one) => one.endsWith(this.extension) && !one.endsWith('.d.ts')))
      if (existsSync(join(this.dir, path))) this.texts.set(path, readFileSync(join(this.dir, path), 'utf8'));
    this.owners = new Map();
    for (const [path, text] of this.texts)
      for (const name of new Set(text.match(/[A-Za-z_]\w{4,}/g))) {
        const known = this.owners.get(name);
        if (known === undefined) this.owners.set(name, [path]);
        else if (known.length < 40) known.push(path);
      }
  }

  git(...args) {
    return execFileSync('git', args, {
      cwd: this.dir,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  }

  /** Commits files on a branch of main; null removes one. */
  branch(name, files) {
    this.git('checkout', '-q', '-f', '-B', name, this.head);
    for (const [path, text] of Object.entries(files)) {
      const at = join(this.dir, path);
      if (text === null) rmSync(at);
      else {
        mkdirSync(dirname(at), { recursive: true });
        writeFileSync(at, text);
      }
    }
    this.git('add', '-A');
    this.git('commit', '-q', '-m', name);
    this.git('checkout', '-q', '-f', 'main');
  }

  users(name, except) {
    const all = this.owners.get(name) ?? [];
    return all.length >= 40 ? [] : all.filter((path) => path !== except && !isTest(path));
  }

  /** Every file with a name, with the text after a replacement of it. */
  renamed(name, to) {
    return Object.fromEntries(
      (this.owners.get(name) ?? []).map((path) => [path, this.texts.get(path).replace(word(name), to)]),
    );
  }
}

/** A copy of a file beside it, as somebody makes who needs something similar; classes get a name of their own. */
function copyOf(copy, path, { drop } = {}) {
  const stem = stemOf(path);
  const to = path.replace(
    new RegExp(`${stem}(\\.\\w+)$`),
    `${stem}${copy.extension === '.java' ? 'Planted' : '_planted'}$1`,
  );
  let text = copy.texts.get(path);
  if (copy.extension === '.java') text = text.replace(word(stem), `${stem}Planted`);
  else if (copy.extension === '.go') return null;
  return { [to]: drop ? text.replace(drop, '') : text };
}

/** An existing call of a function in a file that is no definition of it, without nested brackets. */
function callIn(text, name) {
  const found = new RegExp(`(?<![\\w$.])((?:[A-Za-z_]\\w*\\.)?${name}\\([^()\\n]*\\))`).exec(
    text.replace(/^.*\b(?:def|func|function|import|from)\b.*$/gm, ''),
  );
  return found?.[1] ?? null;
}

/** What the other side adds: a call at the end of a file that has one, or a copy of such a file. */
function addedUse(copy, { name, path }, random) {
  for (const user of copy.users(name, path).sort(() => random() - 0.5)) {
    const text = copy.texts.get(user);
    const call = callIn(text, name);
    // An interface may declare a member of the same name: a static function is called through its class.
    if (call === null || (copy.extension === '.java' && !call.startsWith(`${stemOf(path)}.`))) continue;
    if (copy.language.call === null || (random() < 0.4 && copy.extension !== '.go')) return copyOf(copy, user);
    return { [user]: `${text.trimEnd()}\n${copy.language.call(call)}` };
  }
  return null;
}

function* functionsOf(copy, random) {
  const all = [];
  for (const [path, text] of copy.texts) {
    if (isTest(path)) continue;
    for (const [whole, name, list] of text.matchAll(copy.language.functions)) all.push({ path, name, list, whole });
  }
  const names = new Map();
  for (const { name } of all) names.set(name, (names.get(name) ?? 0) + 1);
  const alone = all.filter(({ name }) => names.get(name) === 1).sort(() => random() - 0.5);
  yield* alone;
}

const KINDS = {
  rename(copy, random) {
    for (const one of functionsOf(copy, random)) {
      const adds = addedUse(copy, one, random);
      if (adds) return { changes: copy.renamed(one.name, `${one.name}Anew`), adds, name: one.name };
    }
    return null;
  },
  parameter(copy, random) {
    for (const one of functionsOf(copy, random)) {
      const { name, list, whole, path } = one;
      if (!copy.language.first(list) || /[*=.?]/.test(list)) continue;
      const adds = addedUse(copy, one, random);
      const own = Object.values(adds ?? {})[0];
      if (!own || new RegExp(`${name}\\(\\s*\\*|\\.\\.\\.`).test(callIn(own, name) ?? '...')) continue;
      const changes = {};
      for (const user of copy.owners.get(name)) {
        const text = copy.texts.get(user);
        const called = text.replace(
          new RegExp(`(?<!(?:def|func|function|static [\\w<>\\[\\], ]+) )(?<![\\w$])${name}\\((\\s*\\))?`, 'g'),
          (_, end) => `${name}(0${end ? ')' : ', '}`,
        );
        const written = list.trim() === '' ? copy.language.parameter : `${copy.language.parameter}, ${list}`;
        const declared = whole.replace(`(${list})`, () => `(${written})`);
        changes[user] = user === path ? called.replace(whole, () => declared) : called;
      }
      return { changes, adds, name };
    }
    return null;
  },
  move(copy, random) {
    if (!copy.language.movable) return null;
    const paths = [...copy.texts.keys()]
      .filter((path) => !isTest(path) && /^[a-z]\w{5,}$/i.test(stemOf(path)))
      .sort(() => random() - 0.5);
    for (const path of paths) {
      const stem = stemOf(path);
      const line = new RegExp(`^(?:import|from|export)\\b[^\\n]*(?<![\\w$])${stem}(?![\\w$])[^\\n]*$`, 'm');
      const users = [...copy.texts.keys()].filter((user) => user !== path && line.test(copy.texts.get(user)));
      const same = [...copy.texts.keys()].filter((one) => stemOf(one) === stem);
      if (users.length < 1 || users.length > 6 || same.length > 1) continue;
      const production = users.filter((user) => !isTest(user) && !/index\.ts$|__init__/.test(user));
      if (production.length === 0) continue;
      const quoted =
        copy.extension === '.ts'
          ? new RegExp(`(from ["'][./\\w-]*/)${stem}(["'])`)
          : new RegExp(`^((?:from|import) [\\w.]*?\\b)${stem}(\\b)`, 'm');
      if (!production.every((user) => quoted.test(copy.texts.get(user)))) continue;
      const changes = {
        [path]: null,
        [path.replace(new RegExp(`${stem}(\\.\\w+)$`), `${stem}_moved$1`)]: copy.texts.get(path),
      };
      for (const user of users)
        changes[user] = copy.texts.get(user).replace(new RegExp(quoted, 'gm'), `$1${stem}_moved$2`);
      const adds = copyOf(copy, production[0]);
      if (adds) return { changes, adds, name: stem };
    }
    return null;
  },
  twice(copy, random) {
    if (copy.language.extra === null) return null;
    const lineOf = ({ path, whole }) => copy.texts.get(path).lastIndexOf('\n', copy.texts.get(path).indexOf(whole)) + 1;
    const isFree = (one) => {
      const text = copy.texts.get(one.path);
      // No doc comment or decorator may stand above, and the end has to be far away.
      return lineOf(one) < text.length / 2 && /^\s*$/.test(text.slice(0, lineOf(one)).split('\n').at(-2) ?? '');
    };
    const one = [...functionsOf(copy, random)].find(isFree);
    if (!one) return null;
    const text = copy.texts.get(one.path);
    const name = copy.extension === '.go' ? 'PlantedHelper' : 'planted_helper';
    const before = copy.language.extra('').replace('PLANTED', name).trim();
    const at = lineOf(one);
    return {
      changes: { [one.path]: `${text.slice(0, at)}${before}\n\n\n${text.slice(at)}` },
      adds: { [one.path]: copy.language.extra(text.trimEnd()).replace('PLANTED', name) },
      name,
    };
  },
  demand(copy, random) {
    if (!['.java', '.ts', '.py'].includes(copy.extension)) return null;
    for (const { base, path, below } of families(copy, random)) {
      const text = copy.texts.get(path);
      const head =
        copy.extension === '.py'
          ? new RegExp(`^class ${base}\\([^)]*ABC[^)]*\\):\\n(?: {4}"""[^"]*"""\\n)?`, 'm').exec(text)
          : new RegExp(`^(?:export |public )?(abstract class|interface) ${base}\\b[^{;]*\\{`, 'm').exec(text);
      if (head === null || (copy.extension === '.py' && !text.includes('abstractmethod'))) continue;
      const isFace = head[1] === 'interface';
      const demanded =
        copy.extension === '.py'
          ? copy.language.abstract('planted_demand', false)
          : copy.extension === '.ts'
            ? isFace
              ? '\n  plantedDemand(): void\n'
              : '\n  abstract plantedDemand(): void\n'
            : isFace
              ? '\n    void plantedDemand();\n'
              : '\n    public abstract void plantedDemand();\n';
      const put = (whole, at, add) => `${whole.slice(0, at)}${add}${whole.slice(at)}`;
      const changes = { [path]: put(text, head.index + head[0].length, demanded) };
      for (const { file, header } of below) {
        const given =
          copy.extension === '.py'
            ? '\n    def planted_demand(self):\n        return None\n'
            : copy.extension === '.ts'
              ? '\n  plantedDemand(): void {}\n'
              : '\n    public void plantedDemand() {}\n';
        const old = changes[file] ?? copy.texts.get(file);
        changes[file] = put(old, old.indexOf(header) + header.length, given);
      }
      const adds = copyOf(copy, below[0].file);
      if (adds && below[0].file !== path)
        return { changes, adds, name: copy.extension === '.py' ? 'planted_demand' : 'plantedDemand' };
    }
    return null;
  },
  override(copy, random) {
    if (!['.java', '.ts', '.py'].includes(copy.extension)) return null;
    for (const { path, below, base } of families(copy, random)) {
      const text = copy.texts.get(path);
      const own = [...text.matchAll(copy.language.methods)].map(([, name]) => name);
      for (const { file } of below) {
        if (file === path) continue;
        const name = [...copy.texts.get(file).matchAll(copy.language.methods)]
          .map(([, one]) => one)
          .find((one) => own.includes(one) && (copy.owners.get(one)?.length ?? 99) < 25);
        if (name === undefined || name === base) continue;
        const adds = copyOf(copy, file);
        if (adds) return { changes: copy.renamed(name, `${name}Anew`), adds, name };
      }
    }
    return null;
  },
};

/** Types with those right below them, where the file of both is known. */
function* families(copy, random) {
  const byBase = new Map();
  for (const [file, text] of copy.texts) {
    if (isTest(file)) continue;
    for (const [header, name, base] of text.matchAll(copy.language.classes)) {
      const known = byBase.get(base) ?? [];
      byBase.set(base, [...known, { file, header, name }]);
    }
  }
  for (const [base, below] of [...byBase].sort(() => random() - 0.5)) {
    const homes = (copy.owners.get(base) ?? []).filter((path) =>
      new RegExp(`^(?:export |public )?(?:abstract )?(?:class|interface) ${base}\\b`, 'm').test(copy.texts.get(path)),
    );
    const [path] = homes;
    // A type from elsewhere may have the same name.
    const own = below.filter(
      ({ file }) => file === path || dirname(file) === dirname(path) || word(stemOf(path)).test(copy.texts.get(file)),
    );
    if (homes.length === 1 && own.length === below.length && below.length <= 8) yield { base, path, below };
  }
}

export function measurePlanted(source, pairs = 15, seed = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'planted-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const copy = new Copy(source, folder);
  const random = randomOf(seed);
  const kinds = Object.keys(KINDS);
  const sums = {};
  const seen = new Set();
  let [planted, named, beside] = [0, 0, 0];
  for (let i = 0, tries = 0; planted < pairs && tries < pairs * 4; i++, tries++) {
    const kind = kinds[i % kinds.length];
    const pair = KINDS[kind](copy, random);
    const key = pair && `${kind} ${pair.name} ${Object.keys(pair.adds)}`;
    if (!pair || seen.has(key)) continue;
    seen.add(key);
    copy.branch('planted-a', pair.changes);
    copy.branch('planted-b', pair.adds);
    const merge = spawnSync('git', ['merge-tree', '--write-tree', 'planted-a', 'planted-b'], { cwd: copy.dir });
    if (merge.status !== 0) continue;
    planted++;
    const args = [CLI, '-C', copy.dir, 'conflicts', '--plan', '--ref', 'main', 'planted-a', 'planted-b', '--json'];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    const { list } = stdout === '' ? { list: [] } : JSON.parse(stdout).breaks;
    if (stdout === '') console.log(stderr);
    const added = Object.keys(pair.adds);
    const isIt = ({ change, use, why }) =>
      added.includes(use.path) && JSON.stringify([change, use, why]).includes(pair.name);
    const hits = list.filter(isIt);
    const others = list.filter((one) => !isIt(one));
    sums[kind] ??= { planted: 0, named: 0 };
    const sum = sums[kind];
    sum.planted++;
    if (hits.length > 0) [named, sum.named] = [named + 1, sum.named + 1];
    beside += others.length;
    const sure = hits.some(({ certainty }) => certainty === 'certain')
      ? 'certain'
      : hits.length > 0
        ? 'likely'
        : 'MISSED';
    console.log(`${sure.padEnd(8)} ${kind.padEnd(10)} ${pair.name}  in ${added[0]}`);
    for (const { certainty, kind: of, change, use, why } of others)
      console.log(
        `  beside: ${certainty} ${of} ${change.what} ${change.symbol ?? change.path} ${use.path}:${use.line} ${use.text} ${why ?? ''}`,
      );
  }
  console.log(
    `${copy.extension} ${named} of ${planted} planted pairs named, ${beside} findings beside them  ${JSON.stringify(sums)}`,
  );
}
