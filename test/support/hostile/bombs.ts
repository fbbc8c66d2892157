/** Repositories of some kilobytes that stand for more than any machine can hold: objects are written by hand, as no git would. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { createRepo, type TestRepo } from '../repositories/repo.js';

type Entry = readonly [mode: string, name: string, oid: string];

const FILE = '100644';
const DIRECTORY = '40000';
const PERSON = 'A U Thor <author@example.com> 1700000000 +0000';
const numbered = (i: number) => String(i).padStart(7, '0');

/** Found wherever a bomb leaves room for anything else. */
export const BESIDE = 'lampBeside';
const SOURCE = `export function ${BESIDE}(): number {\n  return 1;\n}\n`;

/** Writes loose objects without starting git for each. */
export class Forge {
  readonly repo: TestRepo = createRepo();
  readonly source = this.put('blob', SOURCE);

  put(type: string, content: string | Buffer): string {
    const bytes = Buffer.from(content);
    const object = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
    const oid = createHash('sha1').update(object).digest('hex');
    const path = join(this.repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2));
    if (existsSync(path)) return oid;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, deflateSync(object, { level: 9 }));
    return oid;
  }

  tree(entries: readonly Entry[]): string {
    return this.put(
      'tree',
      Buffer.concat(
        entries.map(([mode, name, oid]) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')])),
      ),
    );
  }

  commit(tree: string, parents: readonly string[] = [], message = 'change', author = PERSON): string {
    const lines = [`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), `author ${author}`];
    return this.put('commit', `${lines.join('\n')}\ncommitter ${PERSON}\n\n${message}\n`);
  }

  /** `content` repeated in a tree of `width` entries, `levels` deep: `width ** levels` of them. */
  power(content: Entry, width: number, levels: number): string {
    let [mode, , oid] = content;
    for (let level = 0; level < levels; level++) {
      const [below, of] = [oid, mode];
      oid = this.tree(Array.from({ length: width }, (_, i) => [of, `n${numbered(i)}`, below] as const));
      mode = DIRECTORY;
    }
    return oid;
  }

  /** `ok` is a branch with one small file; `main` the same with something beside it. */
  branches(beside: Entry | null, changes: readonly Entry[] = []): TestRepo {
    const small = [FILE, 'ok.ts', this.source] as const;
    const first = this.commit(this.tree([small]));
    const entries = [...(beside === null ? [] : [beside]), small, ...changes].sort((a, b) => (a[1] < b[1] ? -1 : 1));
    this.ref('refs/heads/ok', first);
    this.ref('refs/heads/main', this.commit(this.tree(entries), [first]));
    return this.repo;
  }

  /** By hand: git would read what it points at. */
  ref(name: string, oid: string): void {
    const path = join(this.repo.commonDir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${oid}\n`);
  }
}

/** 10^8 files in 2 kB. */
export function treeBomb(): TestRepo {
  const forge = new Forge();
  return forge.branches([DIRECTORY, 'bomb', forge.power([FILE, '', forge.put('blob', 'x')], 100, 4)]);
}

/** 10^8 directories without a file. */
export function hollowBomb(): TestRepo {
  const forge = new Forge();
  return forge.branches([DIRECTORY, 'bomb', forge.power([DIRECTORY, '', forge.put('tree', '')], 100, 4)]);
}

/** A file so many directories down. */
export function deepTree(levels: number): TestRepo {
  const forge = new Forge();
  let tree = forge.tree([[FILE, 'deep.ts', forge.source]]);
  for (let level = 0; level < levels; level++) tree = forge.tree([[DIRECTORY, 'd', tree]]);
  return forge.branches([DIRECTORY, 'd', tree]);
}

/** So many files of equal content in one directory. */
export function flatTree(files: number): TestRepo {
  const forge = new Forge();
  const tree = forge.tree(Array.from({ length: files }, (_, i) => [FILE, `f${numbered(i)}.ts`, forge.source] as const));
  return forge.branches([DIRECTORY, 'flat', tree]);
}

/** Paths of 8 kB, a hundred thousand of them. */
export function longPaths(): TestRepo {
  const forge = new Forge();
  let tree = forge.power([FILE, '', forge.source], 500, 1);
  for (let level = 0; level < 30; level++) tree = forge.tree([[DIRECTORY, 'd'.repeat(250) + level, tree]]);
  return forge.branches([DIRECTORY, 'long', forge.power([DIRECTORY, '', tree], 200, 1)]);
}

/** A blob, a tree or a commit message of so many zeros (or letters), which compress to a thousandth. */
export function swollen(kind: 'blob' | 'tree' | 'message' | 'author', bytes: number): TestRepo {
  const forge = new Forge();
  if (kind === 'blob') return forge.branches([FILE, 'zeros.ts', forge.put('blob', Buffer.alloc(bytes, 'a'))]);
  if (kind === 'tree') return forge.branches([DIRECTORY, 'zeros', forge.put('tree', Buffer.alloc(bytes))]);
  const repo = forge.branches(null);
  const tree = forge.tree([[FILE, 'ok.ts', forge.put('blob', `${SOURCE}// changed\n`)]]);
  const text = 'm'.repeat(bytes);
  const [message, author] = kind === 'message' ? [text, PERSON] : ['x', `${text} ${PERSON}`];
  forge.ref('refs/heads/main', forge.commit(tree, [repo.git('rev-parse', 'ok')], message, author));
  return repo;
}

/** So many branches and as many tags, in turn on the commits of a history of that length. */
export function manyRefs(count: number, commits = 1): TestRepo {
  const forge = new Forge();
  const repo = forge.branches(null);
  const oids = [repo.git('rev-parse', 'main'), ...(commits > 1 ? longHistory(repo, commits - 1) : [])];
  const names = ['heads/b', 'tags/t'].flatMap((prefix) =>
    Array.from({ length: count }, (_, i) => `${oids[i % oids.length]} refs/${prefix}${numbered(i)}\n`),
  );
  writeFileSync(
    join(repo.commonDir, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${names.join('')}`,
  );
  return repo;
}

const VERSIONS = 100;

/** So many commits after `main`, each with another of a hundred versions of one file; their ids, and the ref stays. */
function longHistory(repo: TestRepo, count: number): string[] {
  const stream = ['feature done'];
  for (let i = 0; i < VERSIONS; i++) stream.push('blob', `mark :${i + 1}`, data(`export const version = ${i};\n`));
  for (let i = 0; i < count; i++) {
    const before = i === 0 ? 'refs/heads/main' : `:${VERSIONS + i}`;
    stream.push(`commit refs/long`, `mark :${VERSIONS + 1 + i}`, `committer ${PERSON}`, data(`version ${i}`));
    stream.push(`from ${before}`, `M 100644 :${(i % VERSIONS) + 1} version.ts`);
  }
  repo.gitInput(`${stream.join('\n')}\ndone\n`, 'fast-import', '--quiet');
  return repo.git('rev-list', '--reverse', 'main..refs/long').split('\n');
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;

/** A merge of so many parents, and a tag of a tag of a tag… */
export function wideHistory(count: number): TestRepo {
  const forge = new Forge();
  const repo = forge.branches(null);
  const tree = forge.tree([[FILE, 'ok.ts', forge.source]]);
  const parents = Array.from({ length: count }, (_, i) => forge.commit(tree, [], `parent ${i}`));
  let [oid, type] = [forge.commit(tree, parents), 'commit'];
  forge.ref('refs/heads/main', oid);
  for (let i = 0; i < count; i++) {
    oid = forge.put('tag', `object ${oid}\ntype ${type}\ntag t\ntagger ${PERSON}\n\nx\n`);
    type = 'tag';
  }
  forge.ref('refs/tags/chain', oid);
  return repo;
}

/** Notes of this program's own name whose tree has 10^8 entries. `ref`: of a repository that was indexed before. */
export function notesBomb(forge: Forge, ref: string): void {
  forge.ref(ref, forge.commit(forge.power([FILE, '', forge.put('blob', 'x')], 100, 4)));
}

/** Rules and settings far beyond what anybody writes, one file of them; `stars`: rules that take forever to match. */
export function swollenSettings(
  kind: 'attributes' | 'ignore' | 'stars' | 'settings' | 'artifacts',
  bytes: number,
): TestRepo {
  const repo = createRepo();
  const fill = (line: string) => line.repeat(Math.ceil(bytes / line.length));
  const rules = (stars: number) => {
    const rule = 'a*'.repeat(stars);
    return Array.from({ length: 250_000 / (rule.length + 7) }, (_, i) => `${rule}b${i}\n`).join('');
  };
  const [name, text] = {
    attributes: () => ['.gitattributes', fill('*.ts linguist-generated\n')],
    ignore: () => ['.socraticodeignore', rules(3)],
    stars: () => ['.socraticodeignore', rules(20)],
    settings: () => ['.socraticode.json', `{"exclude":["b"${fill(',"a"')}]}`],
    artifacts: () => ['.socraticodecontextartifacts.json', '['.repeat(bytes)],
  }[kind]();
  repo.commit({ 'ok.ts': SOURCE, [`${'a'.repeat(200)}.ts`]: SOURCE, [name]: text });
  return repo;
}
