/** Views of the page as text, without a browser: templates are written out, and questions get answers that a test gives. */
import type { TestContext } from 'node:test';
import { nothing, type TemplateResult } from 'lit-html';
import { questionNamed } from '../../../src/questions/asker.js';
import { withBlocks } from '../../../src/web/answers.js';
import { onMove } from '../../../src/web/page/api.js';

type Answers = Readonly<Record<string, unknown>>;

export const ABOUT = {
  ...{ name: 'shop', version: '1.0.0', root: '/home/ann/shop/', editor: 'vscode', hasFleet: true },
  ...{ forge: { kind: 'github', base: 'https://github.com/acme/shop' }, head: { branch: 'feature', commit: null } },
};

/** Questions that are answered in blocks. They and their writers are loaded here, since a view does not wait for that. */
const IN_BLOCKS = await Promise.all(
  ['owners', 'coupling', 'docs links'].map(async (name) => {
    const question = await questionNamed(name);
    await question?.text();
    return question;
  }),
);

/** A document as the server sends it. */
async function sent(name: string, document: object | undefined, values: object): Promise<object | undefined> {
  const question = IN_BLOCKS.find((each) => each?.name === name);
  return question === undefined || document === undefined ? document : withBlocks(question, document, values);
}

/** Globals as they were before the first browser: a test may have several, and their hooks run in the order of their making. */
const BEFORE = new Map<string, PropertyDescriptor | undefined>();

/** The part of a browser that views use, for one test. */
export class Browser {
  /** Questions that the page asked, with their values. */
  readonly asked: [name: string, values: Record<string, unknown>][] = [];
  /** Addresses that it went to. */
  readonly visited: string[] = [];

  constructor(
    t: TestContext,
    private readonly answers: Answers,
    more: Readonly<Record<string, unknown>> = {},
  ) {
    const globals = globalThis as Record<string, unknown>;
    const own = {
      ...{ fetch: this.reply, location: {}, addEventListener: () => {} },
      history: { pushState: this.move, replaceState: this.move },
      localStorage: { getItem: () => 'key' },
      matchMedia: () => ({ matches: true }),
      ...{ innerHeight: 10_000, requestAnimationFrame: (draw: () => void) => setTimeout(draw) },
      document: {
        documentElement: { clientWidth: 1_000 },
        getElementById: () => null,
        querySelectorAll: () => [],
        querySelector: () => ({ value: new URLSearchParams(location.search).get('q') }),
      },
      ...more,
    };
    for (const name of Object.keys(own))
      if (!BEFORE.has(name)) BEFORE.set(name, Object.getOwnPropertyDescriptor(globals, name));
    for (const [name, value] of Object.entries(own))
      Object.defineProperty(globals, name, { value, configurable: true, writable: true });
    t.after(() => {
      for (const [name, descriptor] of BEFORE)
        if (descriptor === undefined) delete globals[name];
        else Object.defineProperty(globals, name, descriptor);
    });
    onMove(() => {});
  }

  private readonly reply = async (address: string, { body }: { body: string }) => {
    const name = address.slice('/api/'.length).replaceAll('-', ' ');
    const values = JSON.parse(body) as Record<string, unknown>;
    this.asked.push([name, values]);
    const given = name === 'about' ? ABOUT : this.answers[name];
    const document = await sent(name, await (typeof given === 'function' ? given(values) : given), values);
    return new Response(JSON.stringify(document ?? { error: { code: 'NONE', message: `no ${name}`, hint: 'none' } }));
  };

  private readonly move = (_: unknown, __: string, address: string) => {
    this.visited.push(address);
    this.at(address);
  };

  at(address: string): void {
    const { href, pathname, search, origin } = new URL(address, 'http://localhost');
    Object.assign(location, { href, pathname, search, origin });
  }

  /** The view at an address when all of its answers have arrived. */
  async draw(address: string, view: () => TemplateResult): Promise<Drawn> {
    this.at(address);
    view();
    for (let count = -1; count !== this.asked.length; ) {
      count = this.asked.length;
      await new Promise((done) => setTimeout(done, 5));
      view();
    }
    return new Drawn(view());
  }

  /** Values of the last time that a question was asked. */
  last(name: string): Record<string, unknown> | undefined {
    return this.asked.filter(([asked]) => asked === name).at(-1)?.[1];
  }
}

type Handler = (event: object) => unknown;

/** A template as markup; `@click=3` stands for the handler of that number. */
export class Drawn {
  readonly markup: string;
  private readonly handlers: Handler[] = [];

  constructor(template: TemplateResult) {
    this.markup = this.written(template);
  }

  /** The text as a reader sees it, a line for each block. */
  get text(): string {
    return this.markup
      .replace(/<wbr>|\s*\n\s*/g, (gap) => (gap === '<wbr>' ? '' : ' '))
      .replace(
        /<\/(?:h\d|p|li|div|summary|tr|dd|dt|a|label|td|th|option)>|<(?:ul|ol|li|p|h\d|details|div)\b[^>]*>/g,
        (tag) => (/^<\/(?:a|dt|label|td|th|option)>/.test(tag) ? ' ' : '\n'),
      )
      .replace(/<[^>]*>/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+/g, ' ').trim())
      .filter(Boolean)
      .join('\n');
  }

  /** Addresses by the text of their links, in order; of links with the same text the first. */
  get links(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [, address, inner] of this.markup.matchAll(/<a\b[^>]*?\shref=(\S+?)(?=[\s>])[^>]*>(.*?)<\/a\s*>/gs)) {
      const text = inner
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim();
      found[text] ??= address;
    }
    return found;
  }

  /** What the rows of its code are: chosen, changed, both or neither. */
  get rows(): string[] {
    return [...this.markup.matchAll(/class=row((?: (?:chosen|changed))*)/g)].map(([, is]) => is.trim());
  }

  /** Calls the handler of the first element whose markup matches. */
  fire(element: RegExp, event: string, given: object = {}): unknown {
    const at = this.markup.search(element);
    const number = new RegExp(`@${event}=(\\d+)`).exec(this.markup.slice(at))?.[1];
    return this.handlers[Number(number)]({ preventDefault: () => {}, ...given });
  }

  private written(value: unknown): string {
    if (value === nothing || value === undefined || value === null) return '';
    if (Array.isArray(value)) return value.map((each) => this.written(each)).join('');
    if (typeof value !== 'object' || !('strings' in value)) return String(value);
    const { strings, values } = value as TemplateResult;
    return strings.map((text, i) => (i < values.length ? this.part(text, values[i]) : text)).join('');
  }

  /** Text of a template and the value behind it. */
  private part(text: string, value: unknown): string {
    const [whole, sign, name] = /([@?.]?)([\w-]+)=$/.exec(text) ?? [];
    if (whole === undefined) return text + this.written(value);
    const before = text.slice(0, -whole.length);
    if (sign === '@') return `${text}${this.handlers.push(value as Handler) - 1}`;
    if (sign === '?') return value ? `${before}${name}` : before;
    if (name === 'chunk') return `${before}>${this.written((value as { rows: () => unknown }).rows())}<i`;
    if (value === nothing) return before;
    return `${before}${name}=${sign === '.' ? JSON.stringify(value) : value}`;
  }
}
