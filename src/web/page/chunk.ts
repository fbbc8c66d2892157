/**
 * A part of a long file. While it is far from what is seen, it holds its text alone, so that a file of 30,000 lines opens at
 * once and the browser still finds text in it; near to it, it holds rows with numbers, links and colours.
 */
import { render, type TemplateResult } from 'lit-html';

export interface Chunk {
  text: string;
  rows: () => readonly TemplateResult[];
  /** Has rows wherever it is: of a short file, or with a line that is scrolled to. */
  isNear: boolean;
  /** Equal for chunks that look alike, which are not drawn again; without one, a chunk is drawn each time. */
  look?: readonly unknown[];
}

/** Distance from what is seen at which rows are made: a screen or two, so that scrolling meets rows. */
const MARGIN = '1600px';

const isAlike = (one: Chunk | undefined, { look, text }: Chunk): boolean =>
  look !== undefined && one?.text === text && look.every((part, i) => part === one.look?.[i]);

/** Defines `<code-chunk>`, whose property `chunk` is what to draw. */
export function defineChunks(): void {
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) (target as CodeChunk).showRows();
    },
    { rootMargin: MARGIN },
  );

  class CodeChunk extends HTMLElement {
    private drawn: Chunk | undefined;
    private hasRows = false;

    set chunk(chunk: Chunk) {
      const before = this.drawn;
      this.drawn = chunk;
      if (chunk.isNear) this.hasRows = true;
      if (isAlike(before, chunk)) return;
      if (this.hasRows) this.showRows();
      else if (before?.text !== chunk.text) render(chunk.text, this);
    }

    connectedCallback(): void {
      observer.observe(this);
    }

    disconnectedCallback(): void {
      observer.unobserve(this);
    }

    showRows(): void {
      this.hasRows = true;
      render(this.drawn?.rows() ?? [], this);
    }
  }
  customElements.define('code-chunk', CodeChunk);
}
