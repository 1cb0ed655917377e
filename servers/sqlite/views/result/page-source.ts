// PageSource: the pages of a result. The first one is in the result of the call, the others come from the server.
import { callTool, type Page, type ToolResult } from "@oarlock/extensions/page";
import { readPage, type PageOfRows } from "./page-of-rows.ts";

/** Rows that the view holds at once. */
export const MAX_ROWS = 10_000;
/** Rows on a page where the call named no number. */
const DEFAULT_ROWS = 1000;

interface Arguments {
  readonly query?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export class PageSource {
  readonly #page: Page;
  readonly #pages: PageOfRows[] = [];
  #at = 0;
  #hasGrown = false;
  /** The call had a cursor: how many rows come before its page is unknown. */
  #isLaterPage: boolean;

  private constructor(page: Page, first: PageOfRows) {
    this.#page = page;
    this.#pages.push(first);
    this.#isLaterPage = (page.args as Arguments).cursor !== undefined;
  }

  /** Undefined where the result has no rows that can be read. */
  static async open(result: ToolResult, page: Page): Promise<PageSource | undefined> {
    const first = readPage(result);
    if (first !== undefined) return new PageSource(page, first);
    if (!page.canCallTools) return undefined;
    const { limit = DEFAULT_ROWS, cursor } = page.args as Arguments;
    return new PageSource(page, await rowsOf(page, { limit, ...(cursor !== undefined && { cursor }) }));
  }

  get current(): PageOfRows {
    return this.#pages.at(this.#at) as PageOfRows; // `#at` is the index of a page that was read
  }

  /** Rows before the current page; undefined where their number is unknown. */
  get skipped(): number | undefined {
    if (this.#isLaterPage) return undefined;
    return this.#pages.slice(0, this.#at).reduce((sum, { rows }) => sum + rows.length, 0);
  }

  get hasPrevious(): boolean {
    return this.#at > 0;
  }

  get hasMore(): boolean {
    return this.current.nextCursor !== undefined || this.#at < this.#pages.length - 1;
  }

  /** Whether the page can load other rows from the server. */
  get canLoad(): boolean {
    return this.#page.canCallTools && (this.#page.args as Arguments).query !== undefined;
  }

  /** Whether one larger page would have more than the current one. */
  get canGrow(): boolean {
    return this.canLoad && !this.current.isSearch && !this.#hasGrown && this.#isPart && this.current.rows.length < MAX_ROWS;
  }

  get #isPart(): boolean {
    return this.hasMore || this.hasPrevious || this.#isLaterPage;
  }

  previous(): void {
    this.#at = Math.max(0, this.#at - 1);
  }

  async next(): Promise<void> {
    const { nextCursor: cursor } = this.current;
    if (this.#at === this.#pages.length - 1 && cursor !== undefined) {
      const { limit = DEFAULT_ROWS } = this.#page.args as Arguments;
      this.#pages.push(this.current.isSearch ? await this.#matches(cursor) : await rowsOf(this.#page, { limit, cursor }));
    }
    this.#at += 1;
  }

  /** Replaces all pages by one with as many rows as the view holds. */
  async grow(): Promise<void> {
    const first = await rowsOf(this.#page, { limit: MAX_ROWS });
    this.#pages.splice(0, this.#pages.length, first);
    this.#hasGrown = true;
    this.#isLaterPage = false;
    this.#at = 0;
  }

  async #matches(cursor: string): Promise<PageOfRows> {
    return complete(await callTool(this.#page.host, "search_text", { ...this.#page.args, cursor }));
  }
}

async function rowsOf({ host, args }: Page, page: { limit: number; cursor?: string }): Promise<PageOfRows> {
  const { query, params, database, timeout_ms } = args;
  return complete(await callTool(host, "view_rows", { ...defined({ query, params, database, timeout_ms }), ...page }));
}

const defined = (args: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

function complete(result: ToolResult): PageOfRows {
  const page = readPage(result);
  if (page === undefined) throw new Error("The reply of the server has no rows.");
  return page;
}
