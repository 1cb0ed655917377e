// Access to an HTTP server: Streamable HTTP in both eras, and HTTP+SSE before it.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#backward-compatibility
import { HttpStatusError } from "../errors.ts";
import type { ConnectOptions } from "../options.ts";
import type { HttpEndpoint } from "../transports/http/http-endpoint.ts";
import { StatelessHttp } from "../transports/http/stateless-http.ts";
import { StreamableHttp } from "../transports/http/streamable-http.ts";
import { LegacySse } from "../transports/legacy-sse/legacy-sse.ts";
import { isFromStatelessEra } from "./discovery.ts";
import type { EraName, ServerAccess } from "./server-access.ts";

/** The eras of the servers that this process has connected to, by URL. */
const knownEras = new Map<string, EraName>();
const MAX_KNOWN_ERAS = 10_000;

/** Statuses with which servers without Streamable HTTP reject the first POST. */
const LEGACY_STATUSES = [400, 404, 405];

export class HttpAccess implements ServerAccess {
  readonly hasSharedTransport = false;
  readonly #endpoint: HttpEndpoint;
  readonly #options: ConnectOptions;
  readonly #eras: Map<string, EraName>;
  readonly #key: string;

  constructor(endpoint: HttpEndpoint, options: ConnectOptions) {
    this.#endpoint = endpoint;
    this.#options = options;
    this.#eras = options.eras ?? knownEras;
    this.#key = `${endpoint.url.origin}${endpoint.url.pathname}`;
  }

  openStateless(): StatelessHttp {
    return new StatelessHttp(this.#endpoint, this.#options);
  }

  openSession(): StreamableHttp {
    return new StreamableHttp(this.#endpoint, this.#options);
  }

  openLegacy(rejection: unknown): LegacySse | undefined {
    if (!(rejection instanceof HttpStatusError) || !LEGACY_STATUSES.includes(rejection.status)) return undefined;
    return isFromStatelessEra(rejection) ? undefined : new LegacySse(this.#endpoint, this.#options);
  }

  rememberedEra(): EraName | undefined {
    return this.#eras.get(this.#key);
  }

  rememberEra(era: EraName | undefined): void {
    if (era === undefined) {
      this.#eras.delete(this.#key);
      return;
    }
    if (this.#eras.size >= MAX_KNOWN_ERAS) this.#eras.clear();
    this.#eras.set(this.#key, era);
  }
}
