// Which folders a request may touch: the operator's directories are the wall, and the client's roots only narrow them.
// Without directories the roots are the wall themselves, once they are offered; before that nothing is served.
import { Suspended, type InteractiveContext, type Client, type Context, type Root } from "@oarlock/server-kit";
import type { Area } from "./disk/access/area.ts";
import { DiskError } from "./disk/errors.ts";
import { openDisk, type Disk, type DiskOptions } from "./disk/disk.ts";
import { isInside } from "./disk/access/path-syntax.ts";
import { pathOfUri } from "./disk/text/file-uri.ts";

export type RootsMode = "narrow" | "replace" | "ignore";

/** A client that declared roots but does not tell them is not waited for longer, in milliseconds. */
const PATIENCE_MS = 2000;

export class Folders {
  readonly disk: Disk;
  readonly #mode: RootsMode;
  readonly #options: Omit<DiskOptions, "directories">;
  readonly #whole: Area;
  /** A session keeps one list of roots until they change. */
  readonly #areas = new WeakMap<readonly Root[], Promise<Area>>();
  /** Clients that were waited for in vain, and what they had told until then: they are not waited for until they tell more. */
  readonly #silent = new WeakMap<Client, readonly Root[] | undefined>();

  private constructor(disk: Disk, mode: RootsMode, options: Omit<DiskOptions, "directories">) {
    this.disk = disk;
    this.#mode = mode;
    this.#options = options;
    this.#whole = disk.area();
  }

  static async open({ directories, ...options }: DiskOptions, mode: RootsMode): Promise<Folders> {
    return new Folders(await openDisk({ directories, ...options }), mode, options);
  }

  /** What this request may touch; asks the client for its roots where it has not told them yet. */
  of(ctx: InteractiveContext): Area | Promise<Area> {
    return this.#mode === "ignore" || !ctx.client.can("roots") ? this.#whole : this.#told(ctx);
  }

  async #told(ctx: InteractiveContext): Promise<Area> {
    // Kept until the client says that they changed; then the new ones count, or the last ones if it does not tell them.
    const roots = (await this.#ask(ctx)) ?? ctx.client.roots;
    if (roots === undefined) return this.#whole;
    const isNew = !this.#areas.has(roots);
    const area = await this.#narrowed(roots);
    if (isNew && area.roots.length === 0) ctx.log.warning(this.whyNothing);
    return area;
  }

  /** For the moment when no directory may be touched. */
  get whyNothing(): string {
    return this.disk.roots.length === 0
      ? "no directory was named at the start of the server, and the client offers none"
      : "the client offers no folder inside the directories of this server; --roots ignore serves them all the same";
  }

  /** The same as far as it is known, for those who may not ask: lists, completion, watches. */
  async known({ client }: Context): Promise<Area> {
    if (this.#mode === "ignore" || client.roots === undefined) return this.#whole;
    return this.#narrowed(client.roots);
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

  #narrowed(roots: readonly Root[]): Promise<Area> {
    let area = this.#areas.get(roots);
    if (area === undefined) {
      area = this.#areaOf(roots.flatMap(({ uri }) => folderOf(uri) ?? []));
      this.#areas.set(roots, area);
    }
    return area;
  }

  async #areaOf(paths: readonly string[]): Promise<Area> {
    if (this.#mode === "narrow" && this.disk.roots.length > 0) return this.disk.area(paths);
    const directories = paths.map((path) => ({ path, readOnly: false }));
    const disk = await openDisk({ ...this.#options, directories });
    const marked = this.disk.roots.filter(({ readOnly }) => readOnly);
    return (marked.length === 0 ? disk : await this.#withMarks(disk, marked)).area();
  }

  /** Roots that replace the operator's directories do not take away what is marked `:ro`, inside of them or around them. */
  #withMarks({ roots }: Disk, marked: readonly { given: string; real: string }[]): Promise<Disk> {
    const own = roots.map(({ given, real }) => ({ path: given, readOnly: marked.some((mark) => isInside(real, mark.real)) }));
    const inside = marked.filter((mark) => roots.some(({ real }) => isInside(mark.real, real)));
    return openDisk({ ...this.#options, directories: [...own, ...inside.map(({ given }) => ({ path: given, readOnly: true }))] });
  }
}

/** A root that is no file URI of ours names nothing. */
function folderOf(uri: string): string | undefined {
  try {
    return pathOfUri(uri, { folder: true });
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}
