// PeerClient: the client of a peer, as handlers see it.
import type { Client } from "../protocol/client.ts";
import type { ClientCapabilities, Root } from "../protocol/types.ts";
import { ToolError } from "../protocol/errors.ts";
import type { Revision } from "../revisions/index.ts";
import { isObject, type Json } from "../wire/json-rpc.ts";
import { missingCapability, supports, type ClientRequester, type RequiredAbility } from "./client-request.ts";

/** Roots beyond this number are ignored, and so are those beyond this many characters of JSON: a session keeps them. */
const MAX_ROOTS = 1000;
const MAX_ROOTS_LENGTH = 256 * 1024;

export class PeerClient implements Client {
  declare readonly name?: string;
  declare readonly version?: string;
  roots: readonly Root[] | undefined;
  hasNamedRoots = false;
  readonly #revision: Revision;
  readonly #capabilities: ClientCapabilities;
  readonly #knownExtensions: ReadonlySet<string>;

  /** `knownExtensions`: those that the server has in this revision. */
  constructor(revision: Revision, capabilities: ClientCapabilities, knownExtensions: ReadonlySet<string>, info: object | undefined) {
    this.#revision = revision;
    this.#capabilities = capabilities;
    this.#knownExtensions = knownExtensions;
    if (info !== undefined) Object.assign(this, info);
  }

  /** Knows more abilities than handlers do. */
  can(ability: RequiredAbility): boolean {
    return supports(this.#capabilities, this.#revision.facts, ability);
  }

  extension(id: string): Json | undefined {
    const { extensions } = this.#capabilities;
    const settings = this.#knownExtensions.has(id) && isObject(extensions) && Object.hasOwn(extensions, id) ? extensions[id] : undefined;
    return isObject(settings) ? settings : undefined;
  }

  /** Requests the roots. `key` names the request among those of one round. */
  async listRoots(requester: ClientRequester, key?: string): Promise<readonly Root[]> {
    if (!this.can("roots")) throw missingCapability("roots");
    const request = { method: "roots/list", params: {}, requires: "roots", ...(key !== undefined && { key }) } as const;
    const result = await requester.requestFromClient(request);
    this.hasNamedRoots ||= Array.isArray(result.roots) && result.roots.length > 0; // usable or not
    return readRoots(result);
  }
}

function readRoots(result: Json): Root[] {
  if (!Array.isArray(result.roots)) throw new ToolError("Invalid response from the client: expected a list of roots.");
  const isRoot = (root: unknown): root is Root => isObject(root) && typeof root.uri === "string" && /^file:\/\//i.test(root.uri);
  const roots = result.roots.slice(0, MAX_ROOTS).filter(isRoot);
  let length = 0;
  const end = roots.findIndex((root) => (length += JSON.stringify(root).length) > MAX_ROOTS_LENGTH);
  return end === -1 ? roots : roots.slice(0, end);
}
