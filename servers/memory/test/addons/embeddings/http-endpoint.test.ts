// The client of the embeddings endpoint, against a server on loopback with the faults of real ones.
import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../../../src/addons/embeddings/bounded-body.ts";
import { configurationOf, endpointOf, sendsKeyInClear } from "../../../src/configured-embeddings.ts";
import { EmbeddingsError } from "../../../src/addons/embeddings/embedder.ts";
import { HttpEndpoint } from "../../../src/addons/embeddings/http-endpoint.ts";
import { EmbeddingsServer, status, type Fault } from "./support/embeddings-server.ts";

const KEY = "sk-test-0123456789";
const OPTIONS = { timeoutMs: 10_000 };

async function failureOf(fault: Fault, timeoutMs = OPTIONS.timeoutMs): Promise<EmbeddingsError> {
  await using server = await new EmbeddingsServer().start();
  server.fault = fault;
  const endpoint = new HttpEndpoint({ endpoint: endpointOf(server.address), model: "test", key: KEY });
  const error: unknown = await endpoint.embed(["tea"], { timeoutMs }).catch((error: unknown) => error);
  if (!(error instanceof EmbeddingsError)) throw new Error(`expected an EmbeddingsError, got ${String(error)}`);
  expect(error.message).not.toContain(KEY);
  return error;
}

describe("an address", () => {
  it.each([
    ["http://localhost:11434", "http://localhost:11434/v1/embeddings"],
    ["http://localhost:11434/", "http://localhost:11434/v1/embeddings"],
    ["http://localhost:1234/v1", "http://localhost:1234/v1/embeddings"],
    ["http://localhost:1234/v1/", "http://localhost:1234/v1/embeddings"],
    ["https://api.example/v1/embeddings", "https://api.example/v1/embeddings"],
    ["https://x.example/openai/deployments/e?api-version=1", "https://x.example/openai/deployments/e/embeddings?api-version=1"],
  ])("%s means %s", (given, endpoint) => expect(endpointOf(given).href).toBe(endpoint));

  it.each(["ftp://localhost/v1", "localhost:11434", "http://user:secret@localhost/v1", ""])("%s is refused", (given) => {
    expect(() => endpointOf(given)).toThrow(/^Invalid value for --embeddings: expected .*\. \w.*\.$/);
    expect(() => endpointOf(given)).not.toThrow(/secret/);
  });

  it("needs https to send a key over a network", () => {
    const isInClear = (embeddings: string): boolean => {
      const configuration = configurationOf({ embeddings, key: KEY });
      return configuration !== undefined && sendsKeyInClear(configuration);
    };
    expect(["http://models.example/v1", "https://models.example/v1", "http://127.0.0.1:1", "http://[::1]:1"].map(isInClear)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});

describe("a request", () => {
  it("has the model, the texts and the key, and gets a vector for each text", async () => {
    await using server = await new EmbeddingsServer().start();
    const endpoint = new HttpEndpoint({ endpoint: endpointOf(server.address), model: "test", key: KEY });
    const { vectors, model } = await endpoint.embed(["tea", "beverage"], OPTIONS);
    expect(vectors.map(({ length }) => length)).toEqual([server.dimensions, server.dimensions]);
    expect(model).toBe("test");
    expect(server.requests).toEqual([
      { path: "/v1/embeddings", authorization: `Bearer ${KEY}`, model: "test", input: ["tea", "beverage"] },
    ]);
  });

  it("leaves out a model and a key that are not configured", async () => {
    await using server = await new EmbeddingsServer().start();
    await new HttpEndpoint({ endpoint: endpointOf(server.address) }).embed(["tea"], OPTIONS);
    expect(server.requests).toEqual([{ path: "/v1/embeddings", authorization: undefined, model: undefined, input: ["tea"] }]);
  });

  it("follows a redirect within the origin", async () => {
    await using server = await new EmbeddingsServer().start();
    server.fault = (response, { path }) =>
      path === "/old/embeddings" && status(308, { location: "/v1/embeddings" })(response, server.requests[0]!);
    const endpoint = new HttpEndpoint({ endpoint: endpointOf(server.address.replace("/v1", "/old")), key: KEY });
    await endpoint.embed(["tea"], OPTIONS);
    expect(server.requests.map(({ path, input }) => [path, input])).toEqual([
      ["/old/embeddings", ["tea"]],
      ["/v1/embeddings", ["tea"]],
    ]);
  });

  it("sends nothing to another origin", async () => {
    await using other = await new EmbeddingsServer().start();
    const error = await failureOf(status(307, { location: `${other.address}/embeddings` }));
    expect(error).toMatchObject({ kind: "refused", message: expect.stringContaining("redirects to http://127.0.0.1:") });
    expect(other.requests).toEqual([]);
  });

  it("sorts vectors by their indexes", async () => {
    const endpointWith = async (indexes: readonly number[]): Promise<number[][]> => {
      await using server = await new EmbeddingsServer().start();
      server.fault = (response) => (response.end(JSON.stringify({ data: indexes.map((index) => ({ index, embedding: [index] })) })), true);
      const { vectors } = await new HttpEndpoint({ endpoint: endpointOf(server.address) }).embed(["a", "b"], OPTIONS);
      return vectors.map((vector) => [...vector]);
    };
    expect(await endpointWith([1, 0])).toEqual([[0], [1]]);
    await expect(endpointWith([1, 1])).rejects.toThrow("indexes");
  });
});

describe("a failure", () => {
  it.each([
    [401, "refused"],
    [403, "refused"],
    [404, "refused"],
    [302, "refused"],
    [400, "input"],
    [413, "input"],
    [422, "input"],
    [500, "input"],
    [429, "away"],
    [502, "away"],
    [503, "away"],
  ])("with status %i is of kind %s", async (code, kind) => {
    const error = await failureOf(status(code, {}, JSON.stringify({ error: { message: `bad key ${KEY}` } })));
    expect(error).toMatchObject({ kind, message: expect.stringContaining(String(code)) });
  });

  it("repeats the message of the endpoint", async () =>
    expect((await failureOf(status(404, {}, '{"error":"model \\"test\\" not found"}'))).message).toContain("model"));

  it.each([
    ["7", 7000],
    ["999999", 600_000],
    ["soon", undefined],
  ])("has the wait of Retry-After: %s", async (header, ms) =>
    expect((await failureOf(status(429, { "retry-after": header }))).retryAfterMs).toBe(ms),
  );

  it.each([
    ["<html>", "not JSON"],
    ["[]", "no list of embeddings"],
    ["null", "not an object"],
    ['{"data":[]}', "0 embeddings for 1 texts"],
    ['{"data":[{"index":0,"embedding":[]}]}', "not a list of 1 to 8192 numbers"],
    ['{"data":[{"index":0,"embedding":[1,"2"]}]}', "something else than numbers"],
    ['{"data":[{"index":0,"embedding":[1e99]}]}', "something else than numbers"],
    ['{"data":[{"index":3,"embedding":[1]}]}', "indexes"],
    ['{"data":[null]}', "not a list"],
  ])("is an answer such as %s", async (body, problem) => {
    expect(await failureOf(status(200, {}, body))).toMatchObject({ kind: "malformed", message: expect.stringContaining(problem) });
  });

  it("is an answer without an end", async () => {
    const error = await failureOf((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, " ")));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
      return true;
    });
    expect(error).toMatchObject({ kind: "malformed", message: `answers with more than ${MAX_BODY_BYTES} bytes` });
  });

  it("is an endpoint that does not answer in time", async () =>
    expect(await failureOf(() => true, 100)).toMatchObject({ kind: "away", message: "does not answer within 0.1 s" }));

  it("is an endpoint that is not there", async () => {
    const server = await new EmbeddingsServer().start();
    const endpoint = new HttpEndpoint({ endpoint: endpointOf(server.address) });
    await server.stop();
    await expect(endpoint.embed(["tea"], OPTIONS)).rejects.toMatchObject({ kind: "away", message: "does not answer (ECONNREFUSED)" });
  });
});
