// Which repositories a request may touch: what the operator named is the wall, and the client's roots only narrow it.
import { Suspended, type InteractiveContext, type Client, type Context, type Root } from "@oarlock/server-kit";
import { areaOf, realFolder, type Area, type Wall } from "./repo/safety/sandbox.ts";
import { whyNone } from "./repo/repositories.ts";

export type RootsMode = "narrow" | "replace" | "ignore";

/** A client that declared roots but does not tell them is not waited for longer, in milliseconds. */
const PATIENCE_MS = 2000;

export class Areas {
  readonly #mode: RootsMode;
  readonly #walls: readonly Wall[];
  readonly #whole: Area;
  /** A session keeps one list of roots until they change. */
  readonly #areas = new WeakMap<readonly Root[], Area>();
  /** Clients that were waited for in vain, and what they had told until then: they are not waited for until they tell more. */
  readonly #silent = new WeakMap<Client, readonly Root[] | undefined>();

  constructor(walls: readonly Wall[], mode: RootsMode) {
    this.#mode = mode;
    this.#walls = walls;
    this.#whole = areaOf(walls);
  }

  /** What this request may touch; asks the client for its roots where it has not told them yet. */
  of(ctx: InteractiveContext): Area | Promise<Area> {
    return this.#mode === "ignore" || !ctx.client.can("roots") ? this.#whole : this.#told(ctx);
  }

  /** The same as far as it is known, for those who may not ask: lists, completion, watches. */
  known({ client }: Context): Area {
    return this.#mode === "ignore" || client.roots === undefined ? this.#whole : this.#narrowed(client.roots);
  }

  async #told(ctx: InteractiveContext): Promise<Area> {
    // Kept until the client says that they changed; then the new ones count, or the last ones if it does not tell them.
    const roots = (await this.#ask(ctx)) ?? ctx.client.roots;
    if (roots === undefined) return this.#whole;
    const isNew = !this.#areas.has(roots);
    const area = this.#narrowed(roots);
    if (isNew && area.open.length === 0) ctx.log.warning(whyNone(area));
    return area;
  }

  async #ask(ctx: InteractiveContext): Promise<readonly Root[] | undefined> {
    const { client } = ctx;
    if (this.#silent.has(client) && this.#silent.get(client) === client.roots) return undefined;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, undefined);
    });
    const roots = ctx.roots().catch((error: unknown) => {
      // The answer comes with the next round of this request; before that nothing may be done.
      if (error instanceof Suspended) throw error;
      ctx.log.warning(`The client did not tell its roots: ${error instanceof Error ? error.message : "no reason given"}`);
      return undefined;
    });
    try {
      const told = await Promise.race([roots, patience]);
      if (told === undefined) this.#silent.set(client, client.roots);
      return told;
    } finally {
      clearTimeout(timer);
    }
  }

  #narrowed(roots: readonly Root[]): Area {
    let area = this.#areas.get(roots);
    if (area === undefined) {
      const folders = roots.flatMap(({ uri }) => folderOf(uri) ?? []);
      const replaces = this.#mode === "replace" || this.#walls.length === 0;
      area = replaces ? areaOf(folders.map((real) => ({ given: real, real, kind: "root" }))) : areaOf(this.#walls, folders);
      this.#areas.set(roots, area);
    }
    return area;
  }
}

/** The real folder of a root; one that is no file address of ours names nothing. */
function folderOf(uri: string): string | undefined {
  try {
    const { protocol, host, search, hash, pathname } = new URL(uri);
    if (protocol !== "file:" || (host !== "" && host !== "localhost") || search !== "" || hash !== "" || /%(?:2f|5c|00)/i.test(pathname))
      return undefined;
    const path = decodeURIComponent(pathname);
    const folder = realFolder(process.platform === "win32" ? path.replace(/^\//, "") : path);
    return "real" in folder ? folder.real : undefined;
  } catch {
    return undefined;
  }
}
