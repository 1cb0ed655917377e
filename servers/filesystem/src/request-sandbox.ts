// Which directories a request may touch. The operator's directories are the boundary, and the client's roots only narrow them.
// Without directories the roots are the boundary, once the client lists them; before that nothing is served. An empty list counts only
// after the client has named a root.
import { clip } from "@oarlock/domain-kit";
import { ClientRoots, type Client, type Context, type InteractiveContext, type Root } from "@oarlock/server-kit";
import type { Sandbox, Root as PathRoot } from "./disk/access/sandbox.ts";
import { isInside } from "./disk/access/path-syntax.ts";
import { realPathOf } from "./disk/access/real-path.ts";
import { openDisk, type Disk, type DiskOptions } from "./disk/disk.ts";
import { DiskError } from "./disk/errors.ts";
import { pathOfUri } from "./disk/text/file-uri.ts";

const NARROWED_HINT = "The client's roots narrow them: start the server with --roots ignore to serve all of them.";
const REPLACED_HINT = "The client's roots replace them: start the server with --roots narrow or --roots ignore to keep them.";

const MAX_NAMED = 20;

export type RootsMode = "narrow" | "replace" | "ignore";

export class RequestSandboxes {
  readonly disk: Disk;
  readonly #mode: RootsMode;
  readonly #options: DiskOptions;
  /** Without the client's roots. */
  readonly #fullSandbox: Sandbox;
  readonly #clientRoots = new ClientRoots();
  /** A client keeps one list of roots until they change. */
  readonly #sandboxes = new WeakMap<readonly Root[], Promise<Sandbox>>();
  /** Sandboxes that the client's log has named. */
  readonly #logged = new WeakSet<Sandbox>();

  private constructor(disk: Disk, mode: RootsMode, options: DiskOptions) {
    this.disk = disk;
    this.#mode = mode;
    this.#options = options;
    this.#fullSandbox = disk.sandbox();
  }

  static async open(options: DiskOptions, mode: RootsMode): Promise<RequestSandboxes> {
    return new RequestSandboxes(await openDisk(options), mode, options);
  }

  /** The sandbox of this request. Asks the client for its roots where they are not known. */
  async of(ctx: InteractiveContext): Promise<Sandbox> {
    const roots = this.#mode === "ignore" ? undefined : await this.#clientRoots.current(ctx);
    const sandbox = roots === undefined ? this.#fullSandbox : await this.#sandboxFor(roots);
    if (!this.#logged.has(sandbox)) {
      this.#logged.add(sandbox);
      if (sandbox.roots.length === 0) ctx.log.warning(this.whyEmpty);
      else ctx.log.info(`Allowed directories: ${namesOf(sandbox.roots)}`);
    }
    return sandbox;
  }

  /** The sandbox as far as it is known, for requests that cannot ask the client: lists, completion, subscriptions. */
  async known({ client }: { readonly client: Client } | Context): Promise<Sandbox> {
    const roots = this.#mode === "ignore" ? undefined : this.#clientRoots.known(client);
    return roots === undefined ? this.#fullSandbox : this.#sandboxFor(roots);
  }

  /** Why no directory may be touched. */
  get whyEmpty(): string {
    return this.disk.roots.length === 0
      ? "no directory was named at the start of the server, and the client offers none"
      : "the client offers no directory inside the allowed directories; start the server with --roots ignore to serve them anyway";
  }

  #sandboxFor(roots: readonly Root[]): Promise<Sandbox> {
    let sandbox = this.#sandboxes.get(roots);
    if (sandbox === undefined) {
      sandbox = this.#makeSandbox(roots.flatMap(({ uri }) => directoryOfRoot(uri) ?? []));
      this.#sandboxes.set(roots, sandbox);
    }
    return sandbox;
  }

  async #makeSandbox(paths: readonly string[]): Promise<Sandbox> {
    const operators = this.#options.directories;
    // Also where none of them can be served: then nothing is.
    if (this.#mode === "narrow" && operators.length > 0) return this.disk.sandbox(paths, NARROWED_HINT);
    const options = {
      ...this.#options,
      denyAnchors: operators.map(({ path }) => path),
      ...(operators.length > 0 && { refusalHint: REPLACED_HINT }),
    };
    const disk = await openDisk({ ...options, directories: paths.map((path) => ({ path, readOnly: false })) });
    const readOnly = operators.filter((directory) => directory.readOnly).map(({ path }) => realPathOf(path));
    if (readOnly.length === 0) return disk.sandbox();
    // Roots that replace the operator's directories do not lift `:ro`, neither inside a root nor around it.
    const own = disk.roots.map(({ given, real }) => ({ path: given, readOnly: readOnly.some((other) => isInside(real, other)) }));
    const inside = readOnly.filter((other) => disk.roots.some(({ real }) => isInside(other, real)));
    return (await openDisk({ ...options, directories: [...own, ...inside.map((path) => ({ path, readOnly: true }))] })).sandbox();
  }
}

/** For the log, at most twenty. */
export function namesOf(roots: readonly PathRoot[]): string {
  const names = roots.slice(0, MAX_NAMED).map(({ real, readOnly }) => clip(real) + (readOnly ? " (read-only)" : ""));
  return roots.length > MAX_NAMED ? `${names.join(", ")} and ${roots.length - MAX_NAMED} more` : names.join(", ");
}

/** Undefined for a root that is not a file URI of this machine. */
function directoryOfRoot(uri: string): string | undefined {
  try {
    return pathOfUri(uri, { folder: true });
  } catch (error) {
    if (error instanceof DiskError) return undefined;
    throw error;
  }
}
