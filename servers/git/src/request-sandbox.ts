// The sandbox of a request: the folders that the operator named, narrowed (or replaced) by the client's roots.
import { ClientRoots, type Context, type InteractiveContext, type Root } from "@oarlock/server-kit";
import { platform } from "./platform.ts";
import { emptySandboxReason } from "./repo/repositories.ts";
import { createSandbox, resolveFolder, type Sandbox, type SandboxFolder } from "./repo/safety/sandbox.ts";

export type RootsMode = "narrow" | "replace" | "ignore";

export class RequestSandboxes {
  readonly #mode: RootsMode;
  readonly #folders: readonly SandboxFolder[];
  readonly #withoutRoots: Sandbox;
  readonly #clientRoots = new ClientRoots();
  /** A session keeps one list of roots until they change. */
  readonly #byRoots = new WeakMap<readonly Root[], Sandbox>();
  /** Lists of roots that leave nothing, once the client's log has the reason. */
  readonly #warned = new WeakSet<readonly Root[]>();

  constructor(folders: readonly SandboxFolder[], mode: RootsMode) {
    this.#mode = mode;
    this.#folders = folders;
    this.#withoutRoots = createSandbox(folders);
  }

  /** The sandbox of this request. Requests the client's roots where they are not known yet. */
  async forRequest(ctx: InteractiveContext): Promise<Sandbox> {
    if (this.#mode === "ignore") return this.#withoutRoots;
    const roots = await this.#clientRoots.current(ctx);
    if (roots === undefined) return this.#withoutRoots;
    const sandbox = this.#sandboxFor(roots);
    if (sandbox.openFolders.length === 0 && !this.#warned.has(roots)) {
      this.#warned.add(roots);
      ctx.log.warning(emptySandboxReason(sandbox));
    }
    return sandbox;
  }

  /** The same without a request to the client, for lists, completion and subscriptions. */
  known({ client }: Context): Sandbox {
    const roots = this.#mode === "ignore" ? undefined : this.#clientRoots.known(client);
    return roots === undefined ? this.#withoutRoots : this.#sandboxFor(roots);
  }

  #sandboxFor(roots: readonly Root[]): Sandbox {
    let sandbox = this.#byRoots.get(roots);
    if (sandbox === undefined) {
      const folders = roots.flatMap(({ uri }) => folderOf(uri) ?? []);
      const replaces = this.#mode === "replace" || this.#folders.length === 0;
      sandbox = replaces
        ? createSandbox(folders.map((real) => ({ given: real, real, kind: "root" })))
        : createSandbox(this.#folders, folders);
      this.#byRoots.set(roots, sandbox);
    }
    return sandbox;
  }
}

/** The real folder of a root; undefined for a URI that is not a plain file URI of this machine. */
function folderOf(uri: string): string | undefined {
  const path = pathOfRoot(uri);
  const folder = path === undefined ? undefined : resolveFolder(path);
  return folder !== undefined && "real" in folder ? folder.real : undefined;
}

/** The path that a root names. On Windows the host of a URI is the server of a share. */
export function pathOfRoot(uri: string, of: NodeJS.Platform = platform): string | undefined {
  try {
    const { protocol, host, search, hash, pathname } = new URL(uri);
    const isLocal = host === "" || host === "localhost";
    if (protocol !== "file:" || search !== "" || hash !== "" || /%(?:2f|5c|00)/i.test(pathname)) return undefined;
    const path = decodeURIComponent(pathname);
    if (of !== "win32") return isLocal ? path : undefined;
    return isLocal ? path.replace(/^\//, "") : `\\\\${host}${path.replaceAll("/", "\\")}`;
  } catch {
    return undefined;
  }
}
