/** The frame of tests of the page in a browser: a server of one repository, and a page that has its key. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import type { Page } from 'playwright-core';
import type { FleetAsking } from '../../src/questions/fleet/asking.js';
import { Projects } from '../../src/serve/projects.js';
import { listenForPages, type PageServing } from '../../src/web/serve.js';
import { axeProblems, noBrowser, type OpenPage, openAddress } from '../support/processes/browser.js';

export class InBrowser {
  serving!: PageServing;
  open!: OpenPage;

  get page(): Page {
    return this.open.page;
  }

  readonly address = (path: string): string => new URL(path, this.serving.url).href;

  /** Opens a view and checks it by the rules of axe; nothing is wider than the screen. */
  async checkView(path: string, what: string): Promise<void> {
    await this.page.goto(this.address(path));
    await this.page.waitForLoadState('networkidle');
    assert.deepEqual(await axeProblems(this.page), [], `${path} ${what}`);
    assert.equal(await this.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, `${path} fits`);
  }
}

/** Starts before the tests of a file and ends after them; `prepare` makes the index, or the fleet that pages may ask. */
export function inBrowser(directory: string, prepare: () => Promise<FleetAsking | undefined>): InBrowser {
  const frame = new InBrowser();
  const projects = new Projects({ directory, allow: [] });
  before(async () => {
    if (noBrowser) return;
    const fleet = await prepare();
    frame.serving = await listenForPages(projects, { port: 0, idleMinutes: 60, fleet });
    frame.open = await openAddress(frame.serving.ticketUrl());
    frame.page.setDefaultTimeout(20_000);
  });
  after(async () => {
    if (noBrowser) return;
    await frame.open.close();
    await frame.serving.close();
    await projects.close();
  });
  return frame;
}
