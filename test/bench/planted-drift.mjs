/**
 * Recall of `docs drift`: changes code that documents mention, in a copy of a repository, and counts the mentions that are told as out of
 * date. What to change is drawn from the documents by their words, not by what the program reads of them.
 *
 * Usage: npm run bench -- planted-drift REPO... [--each 12] [--seed 1] [--show]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { randomOf } from './random.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    each: { type: 'string', default: '12' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
  },
});
const MAIN = join(fileURLToPath(new URL('../..', import.meta.url)), 'dist/cli/main.js');
const DOCUMENT = /\.(?:md|mdx|rst|adoc|ipynb)$/;
const CODE = /\.(?:py|go|rb|java|ts|tsx|js|rs|kt|ex)$/;
const NOT_PRODUCTION =
  /(?:^|\/)(?:tests?|spec|examples?|docs?|website|vendor|fixtures|__tests__)\/|_test\.|\.test\.|_spec\./;
/** Documents that may name what is gone. */
const RECORD = /chang|history|news|release|migrat|upgrad|blog/i;

const git = (repo, ...args) => execFileSync('git', args, { cwd: repo, encoding: 'utf8', maxBuffer: 1 << 28 });
const ours = (repo, ...args) => {
  try {
    return execFileSync('node', [MAIN, ...args], { cwd: repo, encoding: 'utf8', maxBuffer: 1 << 28, stdio: 'pipe' });
  } catch (error) {
    // Drift exits with 1 if there is any.
    if (error.status === 1) return error.stdout;
    throw error;
  }
};

/** `name`, `Type.name()`, ``:meth:`Type.name` ``: words set as code that are written as names are, with their lines. */
function* spansOf(path, text) {
  for (const [at, line] of text.split('\n').entries())
    for (const [, span] of line.matchAll(
      /`{1,2}[~.!]?((?:[A-Za-z_]\w*(?:\.|::|#))*[A-Za-z_]\w*[?!]?)(?:\(\))?`{1,2}/g,
    )) {
      const name = span.split(/\.|::|#/).at(-1);
      if (/[a-z][A-Z]|[a-z]_[a-z]/.test(name) || /^[A-Z][a-z]+$/.test(name) || (span !== name && name.length > 3))
        yield { path, line: at + 1, span, name };
    }
}

/** Paths of files that the document names, from the top or from where it stands. */
function* pathsOf(path, text, files) {
  for (const [at, line] of text.split('\n').entries())
    for (const [, , span] of line.matchAll(/(`{1,2}|\]\()([\w./-]+\.\w{1,5})(?=`|\)|#)/g))
      for (const each of [span.replace(/^\.\//, ''), join(path, '..', span)])
        if (files.has(each)) yield { path, line: at + 1, span, name: each };
}

/** Calls in samples, whose number of arguments is plain: not in JavaScript, where any fits. */
function* callsOf(path, text) {
  let inside = false;
  for (const [at, line] of text.split('\n').entries()) {
    if (/^\s*(```|----)/.test(line)) inside = !inside;
    const isSample = path.endsWith('.rst') ? /^\s{4}/.test(line) : inside;
    if (isSample)
      for (const [, span, name] of line.matchAll(/((?:\w+\.)?(\w{4,}))\([^()'"]*\w[^()]*\)/g))
        if (!/^\s*(?:def|func|class|fun)\b/.test(line)) yield { path, line: at + 1, span, name };
  }
}

const declares = (name) =>
  new RegExp(
    String.raw`^[ \t]*(?:(?:export|public|protected|static|final|abstract|default|async|pub|open|override|declare)[ \t]+)*(?:(?:def|func|function|class|interface|type|struct|enum|trait|fn|fun|module)[ \t]+(?:\([^)]*\)[ \t]*)?(?:self\.)?${name}\b|(?:public|protected)[ \t]+[\w<>\[\], .?]+[ \t]+${name}[ \t]*\(|export const ${name}\b)`,
    'm',
  );

function copyOf(repo) {
  const copy = mkdtempSync(join(tmpdir(), 'planted-'));
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', resolve(repo), copy]);
  git(copy, 'config', 'user.name', 'Planter');
  git(copy, 'config', 'user.email', 'planter@example.invalid');
  // The records come with it, so that nothing is read twice.
  const refs = git(resolve(repo), 'for-each-ref', '--format=%(refname)')
    .split('\n')
    .filter((ref) => /socraticode/.test(ref));
  if (refs.length > 0) git(copy, 'fetch', '--quiet', 'origin', ...refs.map((ref) => `${ref}:${ref}`));
  return copy;
}

/** What may be changed: each name with its declaring file, of which there is one, and all places that mention it. */
function candidatesOf(copy) {
  const files = git(copy, 'ls-files').trim().split('\n');
  const code = files.filter((path) => CODE.test(path));
  const texts = new Map(code.map((path) => [path, readFileSync(join(copy, path), 'utf8')]));
  const known = new Set(files);
  const byKind = { names: new Map(), calls: new Map(), files: new Map() };
  const add = (map, found) => {
    if (!map.has(found.name)) map.set(found.name, []);
    map.get(found.name).push(found);
  };
  for (const path of files.filter((one) => DOCUMENT.test(one) && !RECORD.test(one) && !/(?:^|\/)tests?\//.test(one))) {
    const text = readFileSync(join(copy, path), 'utf8');
    for (const found of spansOf(path, text)) add(byKind.names, found);
    for (const found of callsOf(path, text)) add(byKind.calls, found);
    for (const found of pathsOf(path, text, known)) if (CODE.test(found.name)) add(byKind.files, found);
  }
  const owners = (name) =>
    code.filter(
      (path) => !NOT_PRODUCTION.test(path) && texts.get(path).includes(name) && declares(name).test(texts.get(path)),
    );
  const declared = (map) =>
    [...map].flatMap(([name, mentions]) => {
      const [owner, ...others] = owners(name);
      const often = owner === undefined ? [] : texts.get(owner).match(new RegExp(declares(name).source, 'gm'));
      return owner !== undefined && others.length === 0 && often.length === 1 ? [{ name, mentions, owner }] : [];
    });
  return {
    texts,
    names: declared(byKind.names),
    calls: declared(byKind.calls),
    files: [...byKind.files].map(([name, mentions]) => ({ name, mentions, owner: name })),
  };
}

function shuffled(list, next) {
  const left = [...list];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [left[i], left[j]] = [left[j], left[i]];
  }
  return left;
}

/** The lines of a declaration, by its indent and its brackets. */
function withoutDeclaration(text, name) {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => declares(name).test(line));
  const indent = lines[first].search(/\S/);
  let end = first + 1;
  const isOneLine = /[;}]\s*$/.test(lines[first]) && !/\{\s*$/.test(lines[first]);
  if (!isOneLine) {
    while (
      end < lines.length &&
      (lines[end].trim() === '' || lines[end].search(/\S/) > indent || /^\s*\)/.test(lines[end]))
    )
      end++;
    if (/^\s*(?:[})\]]+[;,]?|end)\s*$/.test(lines[end] ?? '')) end++;
  }
  return [...lines.slice(0, first), ...lines.slice(end)].join('\n');
}

const word = (name) => new RegExp(String.raw`(?<![\w$])${name}(?![\w$])`, 'g');

function plant(copy, { name, owner }, kind, texts) {
  const write = (path, text) => {
    texts.set(path, text);
    writeFileSync(join(copy, path), text);
  };
  if (kind === 'file') {
    rmSync(join(copy, owner));
    texts.delete(owner);
    return;
  }
  if (kind === 'signature') {
    const head = new RegExp(`(${declares(name).source}[^(]*\\()(\\s*(?:self|cls)\\s*,?)?`, 'm');
    const type = owner.endsWith('.go')
      ? 'planted string, planted2 string, planted3 string'
      : owner.endsWith('.java')
        ? 'int planted, int planted2, int planted3'
        : 'planted, planted2, planted3';
    const text = texts
      .get(owner)
      .replace(head, (whole) => `${whole}${/(?:self|cls)\s*$/.test(whole) ? ', ' : ''}${type}, `);
    write(owner, text);
    return;
  }
  if (kind === 'remove') write(owner, withoutDeclaration(texts.get(owner), name));
  for (const [path, text] of texts)
    if (text.includes(name)) write(path, text.replace(word(name), kind === 'rename' ? `${name}Anew` : 'planted'));
}

const total = {};
for (const repo of positionals.filter((one) => one !== 'planted-drift')) {
  const copy = copyOf(repo);
  try {
    const { texts, names, calls, files } = candidatesOf(copy);
    const next = randomOf(Number(values.seed));
    const used = new Set();
    const planted = [];
    const draw = (list, kind, many) => {
      for (const one of shuffled(list, next)) {
        if (planted.filter((each) => each.kind === kind).length >= many) break;
        if (used.has(one.name) || (kind !== 'rename' && [...used].includes(one.owner)) || !texts.has(one.owner))
          continue;
        if (kind === 'signature' && /\.(?:js|rb)$/.test(one.owner)) continue;
        used.add(one.name).add(one.owner);
        plant(copy, one, kind, texts);
        planted.push({ ...one, kind });
      }
    };
    const each = Number(values.each);
    draw(files, 'file', each);
    draw(calls, 'signature', each);
    draw(names, 'remove', each);
    draw(names, 'rename', each);
    git(copy, 'commit', '--quiet', '-am', 'planted');
    ours(copy, 'index');
    const { drift } = JSON.parse(ours(copy, 'docs', 'drift', 'HEAD~1..HEAD', '--json', '--limit', '1000'));
    for (const kind of ['rename', 'remove', 'signature', 'file']) {
      const all = planted.filter((one) => one.kind === kind);
      const mentions = all.flatMap((one) => one.mentions);
      const told = ({ path, line }) => drift.list.some((one) => one.path === path && one.line === line);
      const found = mentions.filter(told);
      const some = all.filter((one) => one.mentions.some(told));
      const sum = total[kind] ?? { changes: 0, told: 0, mentions: 0, found: 0 };
      total[kind] = sum;
      sum.changes += all.length;
      sum.told += some.length;
      sum.mentions += mentions.length;
      sum.found += found.length;
      console.log(
        `${basename(repo)} ${kind}: ${some.length} of ${all.length} changes, ${found.length} of ${mentions.length} mentions`,
      );
      if (values.show)
        for (const one of mentions.filter((each) => !told(each)))
          console.log(`  not told: ${one.path}:${one.line} ${one.span}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
for (const [kind, { changes, told, mentions, found }] of Object.entries(total))
  console.log(`all ${kind}: ${told} of ${changes} changes, ${found} of ${mentions} mentions`);
