/** The frame of the page: its header, the view that an address names, dialogs over it, and keys. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TemplateResult } from 'lit-html';
import { onAnswer } from '../../../src/web/page/api.js';
import { onColours } from '../../../src/web/page/code.js';
import { onRest } from '../../../src/web/page/widgets.js';
import { Browser, Drawn } from './drawn.js';

/** An element that keeps what is drawn into it, as `render` of lit-html finds it. */
class Box {
  template: TemplateResult | undefined;
  open = false;
  readonly handlers: Record<string, (event: object) => void> = {};
  readonly stops: { focus: () => void }[] = [];
  _$litPart$ = {
    _$AI: (template: TemplateResult) => {
      this.template = template;
    },
  };
  get drawn(): Drawn {
    return new Drawn(this.template as TemplateResult);
  }
  addEventListener(name: string, handler: (event: object) => void): void {
    this.handlers[name] = handler;
  }
  setAttribute(): void {}
  querySelector(): null {
    return null;
  }
  querySelectorAll(): object[] {
    return this.stops;
  }
  showModal(): void {
    this.open = true;
  }
  close(): void {
    this.open = false;
    this.handlers.close?.({});
  }
}

class Input {}

const COMMIT = 'c0ffee0123456789';
/** More than are listed, so that the last ones are found by what is typed. */
const OLD = Array.from({ length: 60 }, (_, i) => ({ name: `old/${i}`, commit: 'dead' }));
const REFS = {
  branches: [{ name: 'feature', commit: COMMIT }, { name: 'main', commit: 'beef' }, ...OLD],
  tags: [{ name: 'v1', commit: 'abba' }],
  commits: [{ commit: COMMIT, subject: 'Add totals', author: 'Ann', date: '2024-05-31T10:00:00Z' }],
};
const PATHS = { paths: ['src/cart.ts', 'src/price.ts'] };
const root = new Box();
const dialog = new Box();
const handlers: Record<string, (event: object) => void> = {};
const stored = new Map<string, string>();

/** The page at an address, which is started once. */
async function opened(t: TestContext, address: string): Promise<Browser> {
  let hasDialog = false;
  const document = {
    title: '',
    body: { appendChild: (box: unknown) => box },
    documentElement: { clientWidth: 1_000 },
    createElement: (name: string) => {
      if (name === 'dialog') hasDialog = true;
      return name === 'dialog' ? dialog : root;
    },
    addEventListener: (name: string, handler: (event: object) => void) => {
      handlers[name] = handler;
    },
    querySelector: (selector: string) =>
      selector === 'dialog' ? (hasDialog ? dialog : null) : selector === 'dialog[open]' && dialog.open ? dialog : null,
    querySelectorAll: () => [],
    getElementById: (id: string) => (/^L[1-9]$/.test(id) ? { scrollIntoView: () => {} } : null),
  };
  const empty = class {
    observe(): void {}
  };
  const answers = { refs: REFS, files: PATHS, 'graph cycles': { cycles: { list: [], leftOut: 0 } } };
  const browser = new Browser(t, answers, {
    ...{ document, addEventListener: document.addEventListener },
    ...{ HTMLElement: empty, IntersectionObserver: empty, MutationObserver: empty },
    ...{ HTMLInputElement: Input, HTMLSelectElement: class {}, customElements: { define: () => {} } },
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    },
  });
  Object.assign(location, { hash: '' });
  browser.at(address);
  await import('../../../src/web/page/main.js');
  t.after(() => {
    for (const ends of [onAnswer, onColours, onRest]) ends(() => {});
  });
  return browser;
}

const drawn = () => new Promise((done) => setTimeout(done, 20));

/** Presses a key outside of inputs, or inside of one. */
const press = (key: string, given: object = {}) => {
  let isTaken = false;
  handlers.keydown({ key, target: {}, ...given, preventDefault: () => (isTaken = true) });
  return isTaken;
};

test('the frame of the page', async (t) => {
  const browser = await opened(t, '/people?ref=p1');
  await drawn();
  const goTo = async (address: string) => {
    browser.at(address);
    handlers.resize({});
    await drawn();
    return root.drawn;
  };

  await t.test('the header names the repository, the ref and the views, and marks the one that is shown', async () => {
    assert.deepEqual(
      root.drawn.text,
      `Skip to content shop p1
Search
Review
History
Map
Hotspots
People
Fleet
Files Keys
Who knows this repository
File, folder or symbol Show
no owners
none`,
    );
    assert.deepEqual(root.drawn.links, {
      'Skip to content': '"#main"',
      shop: '/?ref=p1',
      Search: '/?ref=p1',
      Review: '/review?ref=p1',
      History: '/history?ref=p1',
      Map: '/map?ref=p1',
      Hotspots: '/hotspots?ref=p1',
      People: '/people?ref=p1',
      Fleet: '/fleet?ref=p1',
    });
    assert.match(root.drawn.markup, /href=\/people\?ref=p1 aria-current=page/);
    assert.equal(document.title, 'People · shop');
    assert.match((await goTo(`/people?ref=${COMMIT.repeat(3).slice(0, 40)}`)).markup, /class="ref"[^>]*>c0ffee012</);
    assert.match((await goTo('/people?ref=v1&in=main..v1')).markup, /class="ref"[^>]*>main..v1</);
    assert.match((await goTo('/people')).markup, /class="ref"[^>]*>feature</);
    await goTo('/people?path=src');
    assert.equal(document.title, 'src · shop');
  });

  await t.test(
    'pages of the fleet have neither refs nor files, and an address without a page offers its file',
    async () => {
      assert.doesNotMatch((await goTo('/fleet')).text, /^Skip to content shop feature|Files/m);
      const none = await goTo('/src/a%20b.ts');
      assert.deepEqual(
        none.text,
        `Skip to content shop feature
Search
Review
History
Map
Hotspots
People
Fleet
Files Keys
There is no page /src/a%20b.ts
Open the file src/a b.ts , or choose one of these:
Search
Review
History
Map
Hotspots
People
Fleet`,
      );
      assert.equal(none.links['Open the file src/a b.ts'], '/read?path=src%2Fa+b.ts');
      assert.match((await goTo('/%E0%A4%A')).text, /Open the file %E0%A4%A/);
      assert.doesNotMatch((await goTo('/constructor')).text, /Who knows/);
    },
  );

  await t.test('keys open dialogs, unless one types, holds another key, or has turned them off', async () => {
    await goTo('/people');
    assert.equal(press('t', { target: new Input() }), false);
    assert.equal(press('t', { ctrlKey: true }), false);
    assert.equal(press('t', { metaKey: true }), false);
    assert.equal(press('t', { altKey: true }), false);
    assert.equal(press('toString'), false);
    assert.equal(dialog.open, false);
    assert.equal(press('?'), true);
    assert.equal(dialog.open, true);
    assert.deepEqual(
      dialog.drawn.text,
      `Close
Keys
/ search
t open a file by its name
r another branch, tag, commit or range
Esc from the query to its results, which stay; closes a dialog
↑ ↓ or j k move among results; Enter opens one
j k in the reader: choose the next line, the one before; J K several
b in the reader: who wrote the lines
y in the reader: the address of this very commit
? this list
Single keys are shortcuts`,
    );
    assert.equal(press('t'), false, 'a dialog lies over the page');
    dialog.drawn.fire(/type="checkbox"/, 'change', { target: { checked: false } });
    dialog.close();
    assert.equal(press('t'), false);
    stored.clear();
    assert.equal(press('b'), false, 'a key of the reader');
  });

  await t.test('a file is opened by a part of its name', async () => {
    press('t');
    await drawn();
    await goTo('/people?ref=p2');
    dialog.drawn.fire(/<input/, 'input', { target: { value: 'price' } });
    await drawn();
    dialog.drawn.fire(/<input/, 'input', { target: { value: 'price' } });
    assert.deepEqual(
      dialog.drawn.text,
      `Close
Open a file
src/price.ts`,
    );
    dialog.drawn.fire(/<input/, 'keydown', { key: 'x' });
    assert.equal(dialog.open, true);
    dialog.drawn.fire(/<input/, 'keydown', { key: 'Enter' });
    assert.equal(dialog.open, false);
    assert.equal(browser.visited.at(-1), '/read?ref=p2&path=src%2Fprice.ts');
  });

  await t.test(
    'another branch, tag, commit or range is chosen, and a branch is reviewed against this one',
    async () => {
      await goTo('/people?ref=v1&path=src&lines=3');
      press('r');
      await drawn();
      press('x');
      dialog.drawn.fire(/<input/, 'input', { target: { value: '' } });
      assert.deepEqual(
        dialog.drawn.text,
        `Close
Branch, tag, commit or range
Enter takes what is typed: a name shows the repository as of it; main..feature narrows searches to what changed, and marks it.
HEAD with uncommitted changes
Branches
feature c0ffee012
main beef review
${OLD.slice(0, 58)
  .map(({ name }) => `${name} dead review\n`)
  .join('')}Tags
v1 abba review
Recent commits
c0ffee012 Add totals Ann, 2024-05-31 review`,
      );
      assert.deepEqual(dialog.drawn.links, {
        'HEAD with uncommitted changes': '/people?path=src',
        'feature c0ffee012': '/people?ref=feature&path=src',
        'main beef': '/people?ref=main&path=src',
        ...Object.fromEntries(
          OLD.slice(0, 58).map(({ name }) => [`${name} dead`, `/people?ref=${encodeURIComponent(name)}&path=src`]),
        ),
        review: '/review?range=feature...main',
        'v1 abba': '/people?ref=v1&path=src',
        'c0ffee012 Add totals Ann, 2024-05-31': '/people?ref=c0ffee0123456789&path=src',
      });
      dialog.drawn.fire(/<input/, 'input', { target: { value: 'OLD/59' } });
      assert.match(dialog.drawn.text, /^old\/59 dead review$/m);
      dialog.drawn.fire(/<input/, 'input', { target: { value: 'ANN' } });
      assert.deepEqual(
        dialog.drawn.text.split('\n').slice(3).join('\n'),
        `HEAD with uncommitted changes
Recent commits
c0ffee012 Add totals Ann, 2024-05-31 review`,
      );
      dialog.drawn.fire(/<input/, 'input', { target: { value: ' main..v1 ' } });
      assert.match(dialog.drawn.markup, /href=\/review\?ref=v1&range=main..v1>Review main..v1</);
      dialog.drawn.fire(/<input/, 'keydown', { key: 'Enter' });
      press('r');
      assert.match(dialog.drawn.text, /^Branches$/m, 'what was typed before is gone');
      dialog.drawn.fire(/<input/, 'input', { target: { value: 'v2 ' } });
      dialog.drawn.fire(/<input/, 'keydown', { key: 'Enter' });
      assert.deepEqual(browser.visited.slice(-2), ['/people?path=src&in=main..v1', '/people?path=src&ref=v2']);
    },
  );

  await t.test('a click on a link of a dialog, or beside the dialog, closes it; one on its text does not', () => {
    const click = (target: object) => {
      dialog.showModal();
      dialog.handlers.click({ target });
      const isClosed = !dialog.open;
      dialog.close();
      return isClosed;
    };
    Object.assign(dialog, { closest: () => null });
    const inside = (link: object | null) => ({ closest: (selector: string) => (selector === 'a' ? link : null) });
    assert.deepEqual([inside({}), dialog, inside(null)].map(click), [true, true, false]);
  });

  await t.test('up and down move among the links of a dialog and stop at its ends', () => {
    const focused: number[] = [];
    dialog.stops.push(...[0, 1, 2].map((at) => ({ focus: () => focused.push(at) })));
    const move = (key: string, at: number) => {
      Object.assign(document, { activeElement: dialog.stops[at] });
      dialog.handlers.keydown({ key, preventDefault: () => {} });
    };
    move('ArrowDown', 0);
    move('ArrowDown', 2);
    move('ArrowUp', 2);
    move('ArrowUp', 0);
    move('x', 1);
    assert.deepEqual(focused, [1, 2, 1, 0]);
  });

  await t.test('keys of the reader choose lines, blame, and this very commit', async () => {
    await goTo('/read?path=a.ts&lines=3-4');
    const visited = (key: string) => press(key) && browser.visited.at(-1);
    assert.equal(visited('j'), '/read?path=a.ts&lines=5');
    assert.equal(visited('J'), '/read?path=a.ts&lines=5-6');
    assert.equal(visited('K'), '/read?path=a.ts&lines=5');
    assert.equal(visited('K'), '/read?path=a.ts&lines=4');
    assert.equal(visited('k'), '/read?path=a.ts&lines=3');
    assert.equal(visited('b'), '/read?path=a.ts&lines=3&blame=yes');
    assert.equal(visited('b'), '/read?path=a.ts&lines=3');
    await goTo('/read?path=a.ts&lines=9');
    const before = browser.visited.length;
    press('j');
    assert.equal(browser.visited.length, before, 'there is no such line');
  });

  await t.test('a slash goes to the search from a view without one', async () => {
    await goTo('/people?ref=p3');
    press('/');
    assert.equal(browser.visited.at(-1), '/?ref=p3');
  });
});
