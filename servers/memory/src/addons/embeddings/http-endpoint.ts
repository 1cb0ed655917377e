// An endpoint with the request and response of POST /v1/embeddings, as OpenAI, Ollama, LM Studio, llama.cpp and TEI serve it. Texts and the
// key go to the named origin only.
import { clip, systemErrorCode } from "@oarlock/domain-kit";
import { readBody } from "./bounded-body.ts";
import { EmbeddingsError, type Embedder, type Embeddings, type EmbedOptions } from "./embedder.ts";
import { parseEmbeddings } from "./embeddings-response.ts";

const MAX_REDIRECTS = 3;
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_DETAIL_LENGTH = 160;
const MAX_RETRY_AFTER_MS = 600_000;

export interface EndpointOptions {
  readonly endpoint: URL;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
}

export class HttpEndpoint implements Embedder {
  readonly displayName: string;
  readonly #options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.#options = options;
    // A query may hold a secret.
    this.displayName = `Embeddings endpoint ${options.endpoint.origin}${options.endpoint.pathname}`;
  }

  /** Throws an EmbeddingsError, or the abort reason of the signal. */
  async embed(texts: readonly string[], { timeoutMs, signal }: EmbedOptions): Promise<Embeddings> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.#post(texts, signal === undefined ? timeout : AbortSignal.any([timeout, signal]));
      if (!response.ok) throw await this.#errorOf(response);
      return parseEmbeddings(await readBody(response), texts.length);
    } catch (error) {
      if (error instanceof EmbeddingsError) throw error;
      signal?.throwIfAborted();
      if (timeout.aborted) throw new EmbeddingsError("away", `does not answer within ${timeoutMs / 1000} s`);
      throw new EmbeddingsError("away", `does not answer (${codeOf(error)})`);
    }
  }

  /** Follows redirects within the origin, and repeats the whole request there. */
  async #post(texts: readonly string[], signal: AbortSignal): Promise<Response> {
    const { endpoint, model, key } = this.#options;
    const request = {
      method: "POST",
      redirect: "manual",
      headers: {
        "content-type": "application/json",
        accept: "application/json",
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ ...(model !== undefined && { model }), input: texts }),
      signal,
    } as const;
    let url = endpoint;
    for (let left = MAX_REDIRECTS; left >= 0; left--) {
      const response = await fetch(url, request);
      if (response.status < 300 || response.status > 399) return response;
      await response.body?.cancel();
      const location = response.headers.get("location");
      const next = location === null ? null : URL.parse(location, url.href);
      if (next === null) throw new EmbeddingsError("refused", `redirects to nowhere (${response.status}). Check --embeddings`);
      if (next.origin !== endpoint.origin)
        throw new EmbeddingsError(
          "refused",
          `redirects to ${clip(next.origin)}, where nothing is sent. Name that address with --embeddings`,
        );
      url = next;
    }
    throw new EmbeddingsError("refused", "redirects in a circle. Check --embeddings");
  }

  async #errorOf(response: Response): Promise<EmbeddingsError> {
    const { status } = response;
    const detail = await this.#detailOf(response);
    switch (status) {
      case 400:
      case 413:
      case 422:
      case 500:
        return new EmbeddingsError("input", `does not accept the request (${status}${detail})`);
      case 401:
      case 403:
        // Without the detail, which may repeat a part of the key.
        return new EmbeddingsError("refused", `does not accept the key (${status}). Check --embeddings-key-file`);
      case 408:
      case 425:
        return new EmbeddingsError("away", `does not answer (${status})`, retryAfter(response));
      case 429:
        return new EmbeddingsError("away", "asks to wait (429)", retryAfter(response));
      default:
        return status > 500
          ? new EmbeddingsError("away", `does not work (${status})`, retryAfter(response))
          : new EmbeddingsError("refused", `does not embed (${status}${detail}). Check --embeddings and --embeddings-model`);
    }
  }

  /** The message of the endpoint, such as ": model not found". */
  async #detailOf(response: Response): Promise<string> {
    const body = await readBody(response, MAX_ERROR_BYTES).catch(() => "");
    const [, message] = /"(?:message|error)"\s*:\s*"((?:[^"\\]|\\.){1,400})/.exec(body) ?? [];
    if (message === undefined) return "";
    const { key } = this.#options;
    return `: ${clip(key === undefined ? message : message.replaceAll(key, "…"), MAX_DETAIL_LENGTH)}`;
  }
}

/** The header has seconds or a date. */
function retryAfter(response: Response): number | undefined {
  const header = response.headers.get("retry-after");
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

/** `fetch` hides the reason in the cause. */
const codeOf = (error: unknown): string =>
  systemErrorCode(error instanceof Error ? error.cause : undefined) ?? systemErrorCode(error) ?? "connection failed";
