/** Ends a server that nobody uses: a forgotten one would keep its memory and its port. */
export class Idle {
  readonly ended: Promise<void>;
  private end: () => void = () => {};
  private timer: NodeJS.Timeout | undefined;
  private users = 0;

  constructor(private readonly ms: number) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    this.start();
  }

  /** A request begins: while it is answered, the server is in use. */
  busy(): void {
    this.users++;
    this.stop();
  }

  free(): void {
    this.users--;
    if (this.users === 0) this.start();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): void {
    this.stop();
    this.timer = setTimeout(() => this.end(), this.ms);
  }
}
