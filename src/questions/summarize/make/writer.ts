/** Takes summaries from what is kept, and asks a model for the others within the limits that the user set. */
import { isSocraticodeError, unexpected } from '../../../base/errors.js';
import { estimateTokens } from '../../../base/tokens.js';
import type { Config } from '../../../config/types.js';
import type { Chat } from '../../../embed/chat.js';
import type { SummaryBody, SummaryKind } from '../../../knowledge/summary.js';
import { claimNow } from '../../../session/knowledge/author.js';
import type { KeptSummaries } from '../../../session/summaries/kept.js';
import type { Asker } from '../../asker.js';
import type { SummarizeDocument } from '../output.js';
import { ANSWER_TOKENS, promptOf, textOf } from './prompt.js';

interface Limits {
  chat: Chat | null;
  dryRun?: boolean;
  maxTokens?: number;
  maxCost?: number;
}

export interface Request {
  kind: SummaryKind;
  key: string;
  shown: string;
  extracted: string;
  objects: readonly string[];
  isCommitted: boolean;
}

export interface Written {
  text: string;
  /** Null: extracted. */
  by: { model: string; time: number } | null;
  /** A model wrote it, or would have, so that the folder around it can be summarized. */
  isFinal: boolean;
}

/** Finished summaries that are written together: a killed run loses fewer. */
const BATCH = 16;

export class Writer {
  private made = 0;
  private kept = 0;
  private left = 0;
  private readonly tokens = { input: 0, output: 0 };
  private failure: SummarizeDocument['failure'] | null = null;
  private pending: { body: SummaryBody; isShared: boolean }[] = [];
  private writing: Promise<void> = Promise.resolve();
  private added = 0;

  constructor(
    private readonly at: Asker,
    private readonly summaries: KeptSummaries,
    private readonly limits: Limits,
    private readonly settings: Config['summarizer'],
  ) {}

  get atOnce(): number {
    return this.settings.concurrency;
  }

  async write(request: Request): Promise<Written> {
    const known = this.summaries.byKey.get(request.key);
    if (known !== undefined) {
      this.kept++;
      return { text: known.text, by: { model: known.model, time: known.time }, isFinal: true };
    }
    if (this.limits.chat === null) return extracted(request, true);
    if (request.shown === '' || this.failure !== null || this.isSpent()) return this.leave(request);
    if (this.limits.dryRun) return this.count(request);
    return this.ask(this.limits.chat, request);
  }

  leave(request: Pick<Request, 'extracted'>): Written {
    if (this.limits.chat !== null) this.left++;
    return extracted(request, false);
  }

  /** Counts a request as if it were sent. */
  private count(request: Request): Written {
    const { system, user } = promptOf(request.kind, request.shown);
    this.tokens.input += estimateTokens(system) + estimateTokens(user);
    this.tokens.output += ANSWER_TOKENS;
    this.left++;
    return extracted(request, true);
  }

  private async ask(chat: Chat, request: Request): Promise<Written> {
    const { system, user } = promptOf(request.kind, request.shown);
    try {
      // Otherwise a slow disk would let every worker fill a batch of its own, all of which a killed run loses.
      await this.writing;
      const answer = await chat.ask(system, user, this.at.signal);
      if (answer === null) return this.leave(request);
      this.tokens.input += answer.inputTokens ?? estimateTokens(system) + estimateTokens(user);
      this.tokens.output += answer.outputTokens ?? estimateTokens(answer.text);
      const text = textOf(answer.text);
      if (text === null) return this.leave(request);
      this.made++;
      this.at.progress(this.made, null, 'asking the model');
      return await this.keep(answer.model ?? chat.id, request, text);
    } catch (error) {
      this.at.signal.throwIfAborted();
      const { code, message, hint = '' } = isSocraticodeError(error) ? error : unexpected(error);
      this.failure ??= { code, message, hint };
      return this.leave(request);
    }
  }

  private async keep(model: string, { kind, key, objects, isCommitted }: Request, text: string): Promise<Written> {
    this.pending.push({ body: { kind, key, model, text, objects }, isShared: isCommitted });
    if (this.pending.length >= BATCH) await this.flush();
    return { text, by: { model, time: Math.floor(Date.now() / 1_000) }, isFinal: true };
  }

  private flush(): Promise<void> {
    const batch = this.pending.splice(0);
    const { store, entries } = this.summaries;
    if (store !== null && batch.length > 0)
      this.writing = this.writing.then(async () => {
        for (const isShared of [true, false]) {
          const some = batch.filter((each) => each.isShared === isShared);
          const claims = some.map(({ body }) => ({
            ...claimNow(this.at.session, { isAgent: true, agent: body.model }),
            body,
          }));
          await store.addAll(claims, isShared, entries + this.added);
          this.added += claims.length;
        }
      });
    return this.writing;
  }

  finish(): Promise<void> {
    return this.flush();
  }

  private cost(): number | null {
    const { inputPrice, outputPrice } = this.settings;
    if (inputPrice === undefined && outputPrice === undefined) return null;
    return (this.tokens.input * (inputPrice ?? 0) + this.tokens.output * (outputPrice ?? 0)) / 1_000_000;
  }

  private isSpent(): boolean {
    const { maxTokens = Number.POSITIVE_INFINITY, maxCost = Number.POSITIVE_INFINITY } = this.limits;
    return this.tokens.input + this.tokens.output >= maxTokens || (this.cost() ?? 0) >= maxCost;
  }

  report() {
    const { made, kept, left, tokens, failure } = this;
    return { model: this.limits.chat?.id ?? null, made, kept, left, tokens, cost: this.cost(), failure };
  }
}

const extracted = ({ extracted: text }: Pick<Request, 'extracted'>, isFinal: boolean): Written => ({
  text,
  by: null,
  isFinal,
});
