/** A headless Chromium, where the machine has one: continuous integration has only Node, npm and git. */
import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { makeDirectory } from '../repositories/repo.js';

const PLACES = [
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'],
  ...['/snap/bin/chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update'],
];

/** Where the browser is: what CHROMIUM says, or where it usually is. */
export function findBrowser(): string | undefined {
  return [process.env.CHROMIUM ?? '', ...PLACES].find((path) => path !== '' && existsSync(path));
}

/** Why a test that needs a browser is skipped; false where there is one. */
export const noBrowser: string | false = findBrowser() === undefined && 'no Chromium here (CHROMIUM names one)';

/** axe-core is under the Mozilla licence, so it is no dependency: AXE names its `axe.min.js`. */
const { AXE } = process.env;
export const noAxe: string | false = noBrowser || (AXE === undefined && 'AXE names no axe.min.js of axe-core');

/** What breaks a rule of axe on the page as it stands: the rule, and where. */
export async function axeProblems(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(AXE as string, 'utf8'));
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { target: string[] }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].target.join(' ')}`);
}

export interface OpenPage {
  page: Page;
  /** Whatever it wrote to its console, could not do, or asked of others than its own origin. */
  complaints: string[];
  close: () => Promise<void>;
}

/** Opens a file in a browser with nothing of this machine's user in it. */
export const openPage = (file: string): Promise<OpenPage> => openAddress(`file://${file}`);

/** Opens an address; requests to its own origin are no complaint. */
export async function openAddress(address: string): Promise<OpenPage> {
  const own = address.startsWith('http') ? new URL(address).origin : 'file:';
  const context = await chromium.launchPersistentContext(makeDirectory('browser'), {
    executablePath: findBrowser(),
    args: FLAGS,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`console: ${message.text()} ${message.location().url}`));
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  page.on('request', (request) => {
    const isOwn = request.url().startsWith(own) || /^(?:data|blob):/.test(request.url());
    if (!isOwn) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  return { page, complaints, close: () => context.close() };
}
