// The web page as a person meets it: `npm run bench -- web DIR [--rounds N]`. DIR is an indexed repository. A headless Chromium
// (CHROMIUM names one) opens the page of a fresh server, types queries key by key, and opens the first view again and again
// in new tabs. Times run from the start of a navigation, or from a key, to the frame that shows the answer.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(3);
const rounds = args.includes('--rounds') ? Number(args[args.indexOf('--rounds') + 1]) : 20;
const directory = resolve(args.find((arg, i) => !arg.startsWith('--') && args[i - 1] !== '--rounds') ?? '.');
const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const QUERIES = ['connection pool', 'createQuery', 'transaction isolation', 'lazy relation load', 'where are errors'];
/** Shorter than the pause after which vectors are searched as well. */
const BETWEEN_KEYS_MS = 120;

/** Runs in the page before its own program: `seen` resolves with the milliseconds to the frame in which `isThere` is true. */
const WATCH = `globalThis.seen = (isThere, from) => new Promise((done) => {
  const look = () => {
    if (!isThere()) return false;
    observer.disconnect();
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => done(performance.now() - from());
      port2.postMessage(0);
    });
    return true;
  };
  const observer = new MutationObserver(look);
  if (!look()) observer.observe(document, { subtree: true, childList: true, attributes: true });
});
globalThis.keyed = 0;
addEventListener('input', () => { globalThis.keyed = performance.now(); }, true);`;
/** What is indexed, with the folders: search, files and the reader answer. */
const FIRST_VIEW = `seen(() => document.querySelector('.indexed') !== null, () => 0)`;
/** The map of the same view, which needs the code graph. */
const MAP = `seen(() => document.querySelector('.overview .card') !== null, () => 0)`;
/** The results of what stands in the field now. */
const ANSWERED = `seen(() => {
  const typed = document.querySelector('#query').value.trim();
  return document.querySelector('.results:not(.stale)')?.dataset.query.trim() === typed;
}, () => keyed)`;

// Started before the support of tests is loaded, which cuts this process off from the user's key, with which caches are sealed.
const server = spawn(process.execPath, [CLI, '-C', directory, 'web', '--no-open', '--port', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
});
const url = await new Promise((found) => {
  createInterface({ input: server.stderr }).on('line', (line) => {
    const address = /http:\/\/\S+/.exec(line)?.[0];
    if (address !== undefined) found(address);
  });
});

const { openAddress } = await import('../../build/test/support/processes/browser.js');
const open = await openAddress('about:blank');
try {
  const context = open.page.context();
  await context.addInitScript(WATCH);
  const cold = await firstView(context, url);
  const typed = [];
  for (const query of QUERIES) typed.push(...(await type(context, query)));
  const warm = [];
  for (let i = 0; i < rounds; i++) warm.push(await firstView(context, new URL('/', url).href));
  console.log(
    `fresh server: first view ${Math.round(cold.view)} ms, its map ${Math.round(cold.map)} ms, first key ${Math.round(typed[0])} ms`,
  );
  console.log(`first view, warm: ${summary(warm.map(({ view }) => view))}`);
  console.log(`its map, warm: ${summary(warm.map(({ map }) => map))}`);
  console.log(`search as typed: ${summary(typed.slice(1))}`);
} finally {
  await open.close();
  server.kill('SIGINT');
}

async function firstView(context, address) {
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'commit' });
  const [view, map] = await Promise.all([page.evaluate(FIRST_VIEW), page.evaluate(MAP)]);
  await page.close();
  return { view, map };
}

/** Milliseconds of each key. */
async function type(context, query) {
  const page = await context.newPage();
  await page.goto(new URL('/', url).href);
  await page.waitForSelector('.overview .card');
  const took = [];
  for (const key of query) {
    await page.keyboard.press(key === ' ' ? 'Space' : key);
    took.push(await page.evaluate(ANSWERED));
    await page.waitForTimeout(BETWEEN_KEYS_MS);
  }
  await page.close();
  return took;
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
  return `median ${at(0.5)} ms, p90 ${at(0.9)} ms, worst ${at(1)} ms of ${times.length}`;
}
