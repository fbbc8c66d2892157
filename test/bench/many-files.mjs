// A made repository of many small files, and what processes that work on it hold.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Words of code; file `i` takes some of them, so that words are as unevenly spread as in real repositories. */
const WORDS =
  'parse user config cache error route file string value test connection option log plugin escape version memory stream event sort date type query handle schema permission order parcel depot session token'.split(
    ' ',
  );
const wordOf = (i, k) => WORDS[(i * (k * 7 + 3) + (i >> 5) * k + k) % WORDS.length];
const capital = (word) => word[0].toUpperCase() + word.slice(1);

/** Text of file `i`: two definitions, one of which uses a definition of a file before. */
const TEXTS = [
  (i, [a, b, c]) => {
    const used = `${wordOf(i - 4, 1)}${i - 4}`;
    return {
      path: `ts/${a}${i}.ts`,
      text: `import { ${used} } from './${used}.js';\n\n/** Finds the ${a} of a ${b}. */\nexport function ${a}${i}(${c}: string): number {\n  const found = ${used}(${c});\n  return found + ${c}.length;\n}\n\nexport class ${capital(c)}Store${i} {\n  private readonly ${a} = new Map<string, number>();\n\n  ${b}(${c}: string): number | undefined {\n    return this.${a}.get(${c});\n  }\n}\n`,
    };
  },
  (i, [a, b, c]) => ({
    path: `py/${a}_${i}.py`,
    text: `"""The ${a} of each ${b}."""\n\n\ndef ${a}_${b}_${i}(${c}):\n    """Reads one ${c}."""\n    if not ${c}:\n        raise ValueError("no ${c}")\n    return ${c}.strip()\n\n\nclass ${capital(a)}${capital(c)}${i}:\n    def ${b}(self, ${c}):\n        return ${a}_${b}_${i}(${c})\n`,
  }),
  (i, [a, b, c]) => ({
    path: `go/${a}${i}.go`,
    text: `package ${a}${i % 100}\n\n// ${capital(b)}${i} keeps the ${c} of a ${a}.\ntype ${capital(b)}${i} struct {\n\t${c} string\n}\n\n// ${capital(a)} returns it.\nfunc (x *${capital(b)}${i}) ${capital(a)}() string {\n\treturn x.${c}\n}\n`,
  }),
  (i, [a, b, c]) => ({
    path: `docs/${a}-${i}.md`,
    text: `# The ${a} of a ${b}\n\nEvery ${b} has a ${c}, which the ${a} reads.\n\n## How to set the ${c}\n\nCall \`${a}${i}\` with it.\n`,
  }),
];

const commitHead = (i, message) =>
  `commit refs/heads/main\ncommitter bench <bench@example.invalid> ${1_700_000_000 + i * 600} +0000\ndata ${message.length}\n${message}\n`;

function fileOf(i) {
  const { path, text } = TEXTS[i % TEXTS.length](i, [wordOf(i, 1), wordOf(i, 2), wordOf(i, 3)]);
  return { path: `part${Math.floor(i / 10_000)}/group${Math.floor(i / 100)}/${path}`, text };
}

const entry = ({ path, text }) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;

/** A first commit with so many files, a hundred in a folder; each further commit adds a line to two of them. */
export function makeManyFiles(work, files, commits = 1) {
  const dir = join(work, `${files}-${commits}`);
  mkdirSync(dir);
  execFileSync('git', ['init', '-q', '-b', 'main', dir]);
  const parts = [commitHead(0, 'many'), ...Array.from({ length: files }, (_, i) => entry(fileOf(i)))];
  for (let i = 1; i < commits; i++) {
    parts.push(commitHead(i, `change ${wordOf(i, 1)} ${i}`));
    for (const at of [(i * 7) % files, (i * 13 + 5) % files]) {
      const { path, text } = fileOf(at);
      parts.push(
        entry({
          path,
          text: `${text}\n${path.endsWith('.md') ? '' : path.endsWith('.py') ? '# ' : '// '}${wordOf(i, 2)} ${i}\n`,
        }),
      );
    }
  }
  execFileSync('git', ['-C', dir, 'fast-import', '--quiet'], { input: parts.join('') });
  execFileSync('git', ['-C', dir, 'reset', '-q', '--hard', 'main']);
  return dir;
}

/** Bytes of memory, and most open descriptors of one process, of a process and everything below it. */
export function usage(pid) {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    const bytes = Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
    const descriptors = readdirSync(`/proc/${pid}/fd`).length;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    const all = [{ bytes, descriptors }, ...children.map(usage)];
    return {
      bytes: all.reduce((sum, each) => sum + each.bytes, 0),
      descriptors: Math.max(...all.map((each) => each.descriptors)),
    };
  } catch {
    return { bytes: 0, descriptors: 0 };
  }
}
