/**
 * Makes the pictures of README.md from real runs in this repository: `terminal.svg`, what three commands print, and `web-light.png` and
 * `web-dark.png`, the web page in Chromium (CHROMIUM names another one). Run it by hand after `npm run build`: what it shows changes
 * with every commit, so that no test compares it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const ROOT = new URL('../', import.meta.url);
const PROGRAM = new URL('dist/cli/main.js', ROOT).pathname;
const OUT = new URL('pictures/', import.meta.url);

// The terminal: lines as text in an SVG, in the colours that the program wrote.

/** A function of this repository. Its name is put together, so that the runs do not find this file. */
const SYMBOL = ['is', 'Same', 'Secret'].join('');
/** Commands, and how many lines of each are shown. */
const RUNS = [
  { args: ['search', 'refuse a web page of another origin', '--path', 'src/**', '--limit', '1'], lines: 8 },
  { args: ['graph', 'impact', SYMBOL], lines: 13 },
  { args: ['grep', '-F', `${SYMBOL}(`, 'src'], lines: 9 },
];
const [ROW, COLUMN, COLUMNS, AROUND] = [19, 8.43, 104, 18];
/** Classes by the numbers of ANSI colours. */
const CLASSES = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow', 34: 'blue', 35: 'magenta', 36: 'cyan' };
const STYLE = `
  .ground { fill: #fbfcfd; stroke: #d5d9e0 }
  text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1c2128; white-space: pre }
  .bold, .prompt { font-weight: 700 } .dim { fill: #57606a } .red { fill: #b3202c } .green { fill: #1a7f37 }
  .yellow { fill: #8a4600 } .blue { fill: #0a55b8 } .magenta { fill: #8250df } .cyan { fill: #0b6b83 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #14171c; stroke: #363c46 } text { fill: #e3e7ed } .dim { fill: #a3adb9 } .red { fill: #ff8f96 }
    .green { fill: #7ee2a0 } .yellow { fill: #f0b070 } .blue { fill: #7ab4ff } .magenta { fill: #d2a8ff } .cyan { fill: #7fd7ea }
  }`;

/** An escape sequence that changes the colour, with its number. */
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`);

const escaped = (text) => text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);

/** A line with ANSI colours as parts of an SVG's text, cut at the right edge. */
function coloured(line) {
  let [out, kind, room] = ['', '', COLUMNS];
  for (const [i, text] of line.split(COLOUR).entries()) {
    if (i % 2 === 1) {
      kind = CLASSES[text] ?? '';
      continue;
    }
    const shown = text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
    if (shown !== '' && room > 0)
      out += kind === '' ? escaped(shown) : `<tspan class="${kind}">${escaped(shown)}</tspan>`;
    room -= text.length;
  }
  return out;
}

function printed(args) {
  const env = { ...process.env, FORCE_COLOR: '1' };
  return execFileSync(process.execPath, [PROGRAM, ...args], { cwd: ROOT, env, encoding: 'utf8' })
    .trimEnd()
    .split('\n');
}

function terminal() {
  const quoted = (word) => (/^[\w.-]+$/.test(word) ? word : `"${word}"`);
  const rows = RUNS.flatMap(({ args, lines }) => {
    const all = printed(args);
    const prompt = `<tspan class="prompt">$ git socraticode ${escaped(args.map(quoted).join(' '))}</tspan>`;
    const rest = all.length > lines ? ['<tspan class="dim">…</tspan>'] : [];
    return [prompt, ...all.slice(0, lines).map(coloured), ...rest, ''];
  }).slice(0, -1);
  const [width, height] = [Math.ceil(COLUMNS * COLUMN + 2 * AROUND), rows.length * ROW + 2 * AROUND];
  const texts = rows.map(
    (row, i) => `<text x="${AROUND}" y="${AROUND + 14 + i * ROW}" xml:space="preserve">${row}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>git socraticode searches, tells what a change affects, and finds lines</title><style>${STYLE}
</style>
<rect class="ground" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join('\n')}
</svg>
`;
}

// The web page, light and dark.

const VIEW = `/?q=${SYMBOL}&what=exact&folder=src`;
const [WIDTH, HEIGHT] = [1_100, 640];
const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

function served() {
  const server = spawn(process.execPath, [PROGRAM, 'web', '--no-open', '--port', '0'], { cwd: ROOT });
  const stop = () => server.kill('SIGINT');
  return new Promise((resolve, reject) => {
    let all = '';
    const read = (text) => {
      all += text;
      const [address] = /http:\S+(?=\s)/.exec(all) ?? [];
      if (address !== undefined) resolve({ address, stop });
    };
    for (const stream of [server.stdout, server.stderr]) stream.on('data', read);
    server.on('exit', () => reject(new Error(`the server ended: ${all}`)));
  });
}

async function page() {
  const { address, stop } = await served();
  const browser = await chromium.launch({ executablePath: PLACES.find(Boolean), args: ['--no-sandbox'] });
  try {
    for (const colorScheme of ['light', 'dark']) {
      const shown = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, colorScheme });
      await shown.goto(address);
      await shown.waitForSelector('#query');
      await shown.goto(new URL(VIEW, address).href);
      await shown.locator('.result .c-keyword').first().waitFor();
      await shown.waitForTimeout(1_000);
      await shown.screenshot({ path: new URL(`web-${colorScheme}.png`, OUT).pathname });
    }
  } finally {
    await browser.close();
    stop();
  }
}

writeFileSync(new URL('terminal.svg', OUT), terminal());
await page();
for (const name of ['terminal.svg', 'web-light.png', 'web-dark.png'])
  console.log(`${name}: ${readFileSync(new URL(name, OUT)).length.toLocaleString('en')} bytes`);
