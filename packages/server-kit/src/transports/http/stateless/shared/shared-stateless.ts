// SharedStateless: what the stateless era shares between nodes. Loaded only with a backplane.
import type { Auth } from "../../../../protocol/auth.ts";
import type { IncomingMessage } from "../../../../server/classify.ts";
import { DEFAULT_LIMITS } from "../../../../server/limits.ts";
import type { Runtime } from "../../../../server/runtime.ts";
import type { LoadedSharing } from "../../loaded-sharing.ts";
import { SharedNews } from "./shared-news.ts";
import { SharedRates } from "./shared-rates.ts";

export class SharedStateless {
  readonly #perSecond: number;
  readonly #rates: SharedRates;
  readonly #news: SharedNews;

  constructor(runtime: Runtime, sharing: LoadedSharing) {
    this.#perSecond = runtime.limits.callsPerSecond;
    this.#rates = new SharedRates(sharing.backplane);
    this.#news = new SharedNews(runtime, sharing.backplane);
    sharing.news = this.#news;
  }

  /** Settles when the news of other nodes arrive, or the backplane does not answer. */
  get ready(): Promise<void> {
    return this.#news.ready;
  }

  /** Whether a request is a tool call beyond the rate of its caller. Callers without a token are counted as on a single node. */
  async exceedsRate({ kind, value }: IncomingMessage, auth: Auth | undefined): Promise<boolean> {
    if (kind !== "request" || value.method !== "tools/call") return false;
    if (auth === undefined && this.#perSecond === DEFAULT_LIMITS.callsPerSecond) return false;
    return !(await this.#rates.take(auth === undefined ? "" : `principal ${auth.principal}`, this.#perSecond));
  }

  close(): void {
    this.#news.close();
  }
}
