// How many definitions are found: `npm run bench -- definitions DIR… [--language ID] [--judge NAME] [--files N]
// [--differences N] [--json FILE]`.
// Symbols of the records of HEAD are compared with those that another parser of the language finds, or else Universal Ctags or rules of
// lines (definitions-judges.mjs). `--differences` prints so many of each kind that one side lacks; `--json` writes all of them.
// `--files`: at most so many files of a language and repository, spread over its paths.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { blobsOf, readBlobs } from './blobs.mjs';
import { compare, groupBy, JUDGE, JUDGES } from './definitions-judges.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { Session } = await import(new URL('session/session.js', dist));
const { extract, loadAllRules, decode } = await import(new URL('extract/extract.js', dist));
const { parseByRules } = await import(new URL('extract/syntax-tree.js', dist));
const { languageOf, rulesOf } = await import(new URL('languages/registry.js', dist));

/** Symbols and mistakes of the files of one language: `ours` by path. */
function symbolsOf(files, language) {
  const grammar = languageOf(language)?.grammar?.name;
  const { definitions } = rulesOf(language);
  const ours = new Map();
  const broken = [];
  for (const { path, content } of files) {
    const extraction = extract(content, language);
    if (!('facts' in extraction)) continue;
    const { text, lineOf } = decode(content);
    ours.set(
      path,
      extraction.facts.symbols.map(({ name, kind, nameStart, startLine, endLine }) => ({
        ...{ path, name, kind, startLine, endLine, line: lineOf(nameStart) },
      })),
    );
    if (definitions === undefined || grammar === undefined) continue;
    const tree = parseByRules(grammar, text, definitions);
    if (tree !== null && tree.mistakes() > 0) broken.push(path);
  }
  return { ours, broken };
}

/** Files of HEAD that `index` would take, by language, copied to `to`. */
async function filesOf(directory, to, wanted, most) {
  const session = await Session.open({ directory });
  const { catalog } = await session.files('HEAD');
  session.close();
  const all = catalog.files.filter(({ language }) => language !== null && wanted(language));
  const chosen = [...groupBy(all, ({ language }) => language).values()].flatMap((files) => spread(files, most));
  const contents = new Map();
  for (const { oid, content } of blobsOf(readBlobs(directory, new Set(chosen.map(({ oid }) => oid)))))
    contents.set(oid, content);
  const byLanguage = new Map();
  for (const { path, oid, language } of chosen) {
    const content = contents.get(oid);
    if (content === undefined || /[\n\t]/.test(path)) continue;
    mkdirSync(join(to, dirname(path)), { recursive: true });
    writeFileSync(join(to, path), content);
    byLanguage.set(language, byLanguage.get(language) ?? []);
    byLanguage.get(language).push({ path, content });
  }
  return byLanguage;
}

/** At most `most` of a list, from all parts of it. */
function spread(list, most) {
  const step = Math.max(1, list.length / most);
  return Array.from({ length: Math.min(list.length, most) }, (_, i) => list[Math.floor(i * step)]);
}

/** The judge to ask for a language, and the commands that install better ones. */
function judgeOf(language, forced) {
  const missing = [];
  for (const name of forced === undefined ? JUDGES[language] : [forced]) {
    JUDGE[name].isHere ??= JUDGE[name].has();
    if (JUDGE[name].isHere) return { name, missing };
    missing.push(`${name}: ${JUDGE[name].install}`);
  }
  return { name: null, missing };
}

async function judgeRepository(directory, work, options, missing) {
  const rows = [];
  const wanted = (language) => (options.language === undefined ? language in JUDGES : language === options.language);
  const files = await filesOf(directory, work, wanted, options.files);
  for (const [language, chosen] of files) {
    const found = judgeOf(language, options.judge);
    for (const each of found.missing) missing.add(each);
    const { ours, broken } = symbolsOf(chosen, language);
    const row = { repository: basename(directory), language, judge: found.name, files: ours.size, broken };
    if (found.name === null) rows.push({ ...row, judged: 0, lost: [], counted: 0, extra: [], unread: [] });
    else {
      const answer = JUDGE[found.name].judge({ directory: work, paths: [...ours.keys()], language });
      rows.push({ ...row, ...compare(ours, answer.definitions, answer), unread: [...answer.unread] });
    }
  }
  return rows;
}

const share = (part, whole) => (whole === 0 ? '-' : (part / whole).toFixed(4));

/** Rows of one language are one. */
function sums(rows) {
  return [...groupBy(rows, ({ language }) => language)].map(([language, all]) => {
    const sum = (read) => all.reduce((total, row) => total + read(row), 0);
    const [judged, lost] = [sum((row) => row.judged), sum((row) => row.lost.length)];
    const [counted, extra] = [sum((row) => row.counted), sum((row) => row.extra.length)];
    return {
      ...{ language, judge: [...new Set(all.map(({ judge }) => judge ?? 'none'))].join(', ') },
      ...{ repositories: all.length, files: sum((row) => row.files), broken: sum((row) => row.broken.length) },
      ...{ unread: sum((row) => row.unread.length), judged, recall: share(judged - lost, judged) },
      ...{ counted, precision: share(counted - extra, counted) },
    };
  });
}

function print(rows, differences) {
  console.table(sums(rows));
  if (differences === 0) return;
  const place = ({ repository }, { path, line, kind, name }) => `    ${repository}/${path}:${line}  ${kind} ${name}`;
  for (const language of new Set(rows.map((row) => row.language)))
    for (const side of ['lost', 'extra']) {
      const all = rows.filter((row) => row.language === language).flatMap((row) => row[side].map((one) => [row, one]));
      for (const [kind, list] of groupBy(all, ([, one]) => one.kind)) {
        console.log(`\n${language}: ${side} ${kind}, ${list.length}`);
        const step = Math.max(1, list.length / differences);
        for (let at = 0; at < list.length; at += step) console.log(place(...list[Math.floor(at)]));
      }
    }
}

async function main() {
  const args = process.argv.slice(3);
  const optionOf = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
  const directories = args.filter((arg, i) => !arg.startsWith('--') && !args[i - 1]?.startsWith('--'));
  const options = {
    language: optionOf('--language'),
    judge: optionOf('--judge'),
    files: Number(optionOf('--files') ?? 1e9),
  };
  await loadAllRules();
  const rows = [];
  const missing = new Set();
  for (const directory of directories.map((each) => resolve(each))) {
    const work = mkdtempSync(join(tmpdir(), 'socraticode-definitions-'));
    try {
      rows.push(...(await judgeRepository(directory, work, options, missing)));
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  }
  print(rows, Number(optionOf('--differences') ?? 0));
  for (const each of missing) console.log(`not here: ${each}`);
  const file = optionOf('--json');
  if (file !== undefined) writeFileSync(file, JSON.stringify({ languages: sums(rows), repositories: rows }, null, 1));
}

if (process.argv[2] === 'definitions') await main();
