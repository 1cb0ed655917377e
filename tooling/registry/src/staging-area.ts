// Versions that wait for approval, trusted publishers and second factors, as npm's registry has them for `npm stage`, `npm trust` and `npm access`.
import { randomUUID } from "node:crypto";
import type { PackageStore, PublishRequest } from "./package-store.ts";

interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface StagingRequest {
  readonly method: string;
  /** Decoded, without the slash at its beginning. */
  readonly path: string;
  readonly token: string;
  readonly secondFactor: string | undefined;
  readonly body: () => Promise<unknown>;
}

interface Staged {
  readonly id: string;
  readonly packageName: string;
  readonly version: string;
  readonly request: PublishRequest;
  readonly isByWorkflow: boolean;
}

interface TrustedPublisher {
  readonly id: string;
  readonly permissions: readonly string[];
}

/** The token of a workflow that a package may trust; any other one is a person's. */
export const WORKFLOW_TOKEN = "workflow";

const OK: Answer = { status: 200, body: { ok: true } };
const refused = (status: number, error: string): Answer => ({ status, body: { error } });

export class StagingArea {
  /** When set, persons need it for everything but staging and reading. */
  secondFactor: string | undefined;
  readonly #store: PackageStore;
  readonly #staged = new Map<string, Staged>();
  readonly #trusted = new Map<string, TrustedPublisher>();

  constructor(store: PackageStore) {
    this.#store = store;
  }

  /** As `npm trust github` with `--allow-stage-publish` has it. */
  trustToStage(name: string): void {
    this.#trusted.set(name, { id: randomUUID(), permissions: ["createStagedPackage"] });
  }

  /** Undefined where the request is for another part of the registry. */
  async answer(request: StagingRequest): Promise<Answer | undefined> {
    const { method, path, token } = request;
    const [, stagedName] = /^-\/stage\/package\/(.+)$/.exec(path) ?? [];
    const [, name, what] = /^-\/package\/(.+?)\/(trust|access)$/.exec(path) ?? [];
    const [, stageId, action] = /^-\/stage\/([\w-]+)(?:\/(approve))?$/.exec(path) ?? [];
    if (path === "-/whoami") return { status: 200, body: { username: token } };
    if (stagedName !== undefined) return this.#stage(stagedName, (await request.body()) as PublishRequest, token === WORKFLOW_TOKEN); // as npm writes it
    if (token === WORKFLOW_TOKEN && method !== "GET") return refused(403, "OIDC permission denied for this action");
    if (path === "-/stage") {
      const items = [...this.#staged.values()].map(({ id, packageName, version }) => ({ id, packageName, version }));
      return { status: 200, body: { items, total: items.length } };
    }
    if (method !== "GET" && this.secondFactor !== undefined && request.secondFactor !== this.secondFactor)
      return { status: 401, body: { error: "This operation requires a one-time password" } };
    if (name !== undefined && what === "trust") return this.#trust(name, method === "POST" ? await request.body() : []);
    if (what !== undefined) return OK;
    const found = this.#staged.get(stageId ?? "");
    if (stageId !== undefined && found === undefined) return refused(404, "Not found");
    if (found !== undefined && (method === "DELETE" || action === "approve")) return this.#take(found, action === "approve");
    return undefined;
  }

  tarball(path: string): Buffer | undefined {
    const [, id = ""] = /^-\/stage\/([\w-]+)\/tarball$/.exec(path) ?? [];
    const [attachment] = Object.values(this.#staged.get(id)?.request._attachments ?? {});
    return attachment && Buffer.from(attachment.data, "base64");
  }

  #stage(packageName: string, request: PublishRequest, isByWorkflow: boolean): Answer {
    const [version = ""] = Object.keys(request.versions);
    if (isByWorkflow && !this.#trusted.get(packageName)?.permissions.includes("createStagedPackage")) return refused(404, "Not found");
    const isTaken = [...this.#staged.values()].some((staged) => staged.packageName === packageName && staged.version === version);
    if (isTaken || this.#store.has(packageName, version)) return refused(409, `Cannot stage previously published version "${version}".`);
    const id = randomUUID();
    this.#staged.set(id, { id, packageName, version, request, isByWorkflow });
    return { status: 201, body: { stageId: id } };
  }

  #take({ id, request, isByWorkflow }: Staged, isApproved: boolean): Answer {
    this.#staged.delete(id);
    if (isApproved) this.#store.publish(request, isByWorkflow);
    return OK;
  }

  #trust(name: string, body: unknown): Answer {
    const [added] = body as TrustedPublisher[]; // as npm writes it
    if (added === undefined) return { status: 200, body: this.#trusted.has(name) ? [this.#trusted.get(name)] : [] };
    if (this.#trusted.has(name)) return refused(409, "A trusted publisher exists");
    this.#trusted.set(name, { ...added, id: randomUUID() });
    return { status: 201, body: [this.#trusted.get(name)] };
  }
}
