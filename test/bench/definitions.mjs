// How many definitions are found: `npm run bench -- definitions DIR… [--language ID] [--judge NAME] [--files N]
// [--differences N] [--json FILE]`.
// Symbols of the records of HEAD are compared with those that another parser of the language finds, or else Universal Ctags or rules of
// lines (definitions-judges.mjs); so is what records tell as unread. `--differences` prints so many of each kind that one side lacks, and
// of files that are told wrongly; `--json` writes all of them.
// `--files`: at most so many files of a language and repository, spread over its paths.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { blobsOf, readBlobs } from './blobs.mjs';
import { compare, groupBy, JUDGE, JUDGES } from './definitions-judges.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { Session } = await import(new URL('session/session.js', dist));
const { extract, loadAllRules, decode } = await import(new URL('extract/extract.js', dist));

/** Symbols of the files of one language, and the regions that their records tell as unread, by path. */
function symbolsOf(files, language) {
  const ours = new Map();
  const said = new Map();
  for (const { path, content } of files) {
    const extraction = extract(content, language);
    if (!('facts' in extraction)) continue;
    const { lineOf } = decode(content);
    const { symbols, parseErrors } = extraction.facts;
    ours.set(
      path,
      symbols.map(({ name, kind, nameStart, startLine, endLine }) => ({
        ...{ path, name, kind, startLine, endLine, line: lineOf(nameStart) },
      })),
    );
    if (parseErrors.length > 0) said.set(path, parseErrors);
  }
  return { ours, said };
}

/**
 * What records tell of what was not read. `alarms`: files that the judge can read, and of which the record says that definitions may be
 * lost; `mute`: files that it cannot read and of which the record says nothing; `silent`: lost definitions in files of which it says nothing.
 */
function told(ours, said, lost, unread) {
  const mayLose = [...said].filter(([, regions]) => regions.some((region) => region.lost)).map(([path]) => path);
  return {
    broken: [...said.keys()],
    alarms: mayLose.filter((path) => !unread.has(path)),
    mute: [...unread].filter((path) => ours.has(path) && !said.has(path)),
    silent: lost.filter(({ path }) => !mayLose.includes(path)),
  };
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
    const { ours, said } = symbolsOf(chosen, language);
    const judge = found.name === null ? () => ({ definitions: [], unread: new Set() }) : JUDGE[found.name].judge;
    const answer = judge({ directory: work, paths: [...ours.keys()], language });
    const compared =
      found.name === null ? { judged: 0, lost: [], counted: 0, extra: [] } : compare(ours, answer.definitions, answer);
    rows.push({
      ...{ repository: basename(directory), language, judge: found.name, files: ours.size },
      ...{ ...compared, unread: [...answer.unread], ...told(ours, said, compared.lost, answer.unread) },
    });
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
      ...{ alarms: sum((row) => row.alarms.length), unread: sum((row) => row.unread.length) },
      ...{ mute: sum((row) => row.mute.length), silent: sum((row) => row.silent.length) },
      ...{ judged, recall: share(judged - lost, judged) },
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
      for (const { repository, language, alarms, mute } of rows)
        for (const [word, paths] of Object.entries({ alarms, mute }))
          for (const path of paths.slice(0, differences)) console.log(`${language}: ${word} ${repository}/${path}`);
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
