// What `initialize` settles.
import { describe, expect, test, vi } from "vitest";
import type { ClientRequest, ClientRequester } from "../../src/peer/client-request.ts";
import { Session } from "../../src/peer/session.ts";
import type { Json } from "../../src/wire/json-rpc.ts";

const open = (capabilities: Json = {}, protocolVersion = "2025-11-25"): Session =>
  new Session({ protocolVersion, capabilities, clientInfo: { name: "c", version: "1" } }, 1, 1000);
const { signal } = new AbortController();

/** Answers each question with the next of these. */
function answering(...answers: (Json | Error)[]): ClientRequester & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    requestFromClient: async ({ method }) => {
      asked.push(method);
      const answer = answers.shift();
      if (answer === undefined || answer instanceof Error) throw answer ?? new Error("asked too often");
      return answer;
    },
  };
}

test("returns the client's name, version and revision", () => {
  const session = open();
  expect([session.client.name, session.client.version, session.revision.id]).toEqual(["c", "1", "2025-11-25"]);
  expect(session.client.roots).toBeUndefined();
});

describe("LIFE-15 the client's features", () => {
  const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
  test.each([
    ["2025-11-25", all, ["elicit", "elicit.url", "sample", "roots"]],
    ["2025-06-18", all, ["elicit", "sample", "roots"]],
    ["2025-03-26", all, ["sample", "roots"]],
    ["2024-11-05", all, ["sample", "roots"]],
    ["2025-11-25", {}, []],
    ["2025-11-25", { elicitation: {} }, ["elicit"]],
    ["2025-11-25", { elicitation: { url: {} } }, ["elicit.url"]],
    ["2025-06-18", { elicitation: {} }, ["elicit"]],
    ["2025-11-25", { elicitation: true, sampling: 1, roots: "yes" }, []],
    ["2025-11-25", { elicitation: null, sampling: null, roots: null }, []],
    ["2025-11-25", { elicitation: [], sampling: [], roots: [] }, []],
  ])("in %s with %j", (revision, capabilities, abilities) => {
    const { client } = open(capabilities, revision);
    expect((["elicit", "elicit.url", "sample", "roots"] as const).filter((what) => client.can(what))).toEqual(abilities);
  });
});

describe("roots", () => {
  const A = [{ uri: "file:///a" }];
  const B = [{ uri: "file:///b" }];

  test("ROOTS-14 are requested once for any number of callers", async () => {
    const session = open({ roots: {} });
    const asker = answering({ roots: A });
    expect(await Promise.all([session.roots(asker), session.roots(asker)])).toEqual([A, A]);
    expect(asker.asked).toEqual(["roots/list"]);
    expect(session.client.roots).toEqual(A);
  });

  test("ROOTS-10 are requested again after a change, and stay until the new ones arrive", async () => {
    const session = open({ roots: {} });
    const asker = answering({ roots: A }, { roots: B });
    await session.roots(asker);
    session.rootsChanged();
    expect(session.client.roots).toEqual(A);
    expect(await session.roots(asker)).toEqual(B);
    expect(session.client.roots).toEqual(B);
  });

  test("drop a result that a change overtook", async () => {
    const session = open({ roots: {} });
    const { promise, resolve } = Promise.withResolvers<Json>();
    const first = session.roots({ requestFromClient: () => promise });
    session.rootsChanged();
    await session.roots(answering({ roots: B }));
    resolve({ roots: A });
    expect(await first).toEqual(A);
    expect(session.client.roots).toEqual(B);
  });

  test("are requested again after a failure", async () => {
    const session = open({ roots: {} });
    const asker = answering(new Error("no"), { roots: A });
    await expect(session.roots(asker)).rejects.toThrow("no");
    expect(await session.roots(asker)).toEqual(A);
  });

  test("are limited to 1,000", async () => {
    const roots = Array.from({ length: 5000 }, (_, at) => ({ uri: `file:///${at}` }));
    expect(await open({ roots: {} }).roots(answering({ roots }))).toHaveLength(1000);
  });

  test("ROOTS-09 are not requested of a client without them", async () => {
    const requestFromClient = vi.fn<ClientRequester["requestFromClient"]>();
    await expect(open().roots({ requestFromClient })).rejects.toThrow("roots");
    expect(requestFromClient).not.toHaveBeenCalled();
  });
});

test("LIFE-13 sends no request to the client before it is ready", async () => {
  const session = open({ sampling: {} });
  const send = vi.fn<(text: string) => void>();
  const question = { method: "sampling/createMessage", params: {}, requires: "sample" } as const;
  await expect(session.requester(send).requestFromClient(question, signal)).rejects.toThrow("ready");
  expect(send).not.toHaveBeenCalled();
  session.ready = true;
  void session
    .requester(send)
    .requestFromClient(question, signal)
    .catch(() => undefined);
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1), 30_000);
  session.requests.close(new Error("end"));
});

describe("a request to a client that is ready", () => {
  const requested = async (capabilities: Json, request: ClientRequest, revision?: string): Promise<Json> => {
    const session = open(capabilities, revision);
    session.ready = true;
    const sent: Json[] = [];
    const response = session
      .requester((text) => {
        const message = JSON.parse(text) as Json & { id: number };
        sent.push(message);
        session.requests.handleResponse({ jsonrpc: "2.0", id: message.id, result: { answer: 1 } });
      })
      .requestFromClient(request, signal);
    expect(await response).toEqual({ answer: 1 });
    expect(sent).toHaveLength(1);
    return sent[0]!;
  };

  test("is encoded for the revision of the session", async () => {
    const params = { mode: "form", message: "Who?", requestedSchema: { properties: {} } };
    const request: ClientRequest = { method: "elicitation/create", params, requires: "elicit" };
    expect(await requested({ elicitation: {} }, request)).toMatchObject({ method: "elicitation/create", params });
    const older = await requested({ elicitation: {} }, request, "2025-06-18");
    expect(older["params"]).toEqual({ message: "Who?", requestedSchema: { properties: {} } });
  });

  test("has no params when it lists roots", async () => {
    const request: ClientRequest = { method: "roots/list", params: {}, requires: "roots" };
    expect(await requested({ roots: {} }, request)).not.toHaveProperty("params");
  });

  test("SAMP-03 ELIC-03 is not sent when the client did not declare it", async () => {
    const session = open({});
    session.ready = true;
    const send = vi.fn<(text: string) => void>();
    const request: ClientRequest = { method: "sampling/createMessage", params: {}, requires: "sample" };
    await expect(session.requester(send).requestFromClient(request, signal)).rejects.toMatchObject({ kind: "capability" });
    expect(send).not.toHaveBeenCalled();
  });
});

describe("G3 bounds a client's declaration", () => {
  const declare = (clientInfo: Json, capabilities: Json = {}): Session =>
    new Session({ protocolVersion: "2025-11-25", capabilities, clientInfo, extra: LONG }, 1, 1000, () => new Set(["known/x"]));
  const LONG = "x".repeat(100_000);

  test("keeps only members that the kit reads", () => {
    const clientInfo = { name: "c", version: "1", title: LONG, description: LONG, websiteUrl: LONG, icons: [{ src: LONG }], more: LONG };
    const capabilities = {
      elicitation: { form: { more: LONG }, url: 1, more: LONG },
      sampling: { tools: { more: LONG }, context: null, more: LONG },
      roots: { listChanged: true, more: LONG },
      experimental: { more: LONG },
      extensions: { "known/x": { mimeTypes: ["text/html"] }, "foreign/y": { more: LONG } },
      more: LONG,
    };
    const session = declare(clientInfo, capabilities);
    expect(session.declaration).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: {
        elicitation: { form: {}, url: null },
        sampling: { tools: {}, context: null },
        roots: {},
        extensions: { "known/x": { mimeTypes: ["text/html"] } },
      },
      clientInfo: { name: "c", version: "1" },
    });
    const again = new Session(session.declaration, 1, 1000, () => new Set(["known/x"]));
    expect(again.declaration).toEqual(session.declaration);
    for (const one of [session, again]) {
      expect(
        ["elicit", "elicit.url", "sample", "sample.tools", "sample.context", "roots"].filter((need) => one.client.can(need as "elicit")),
      ).toEqual(["elicit", "sample", "sample.tools", "roots"]);
      expect([one.client.extension("known/x"), one.client.extension("foreign/y")]).toEqual([{ mimeTypes: ["text/html"] }, undefined]);
    }
  });

  test.each<[member: string, clientInfo: Json, capabilities?: Json]>([
    ["clientInfo.name", { name: LONG, version: "1" }],
    ["clientInfo.version", { name: "c", version: LONG }],
    ["capabilities.extensions", { name: "c", version: "1" }, { extensions: { "known/x": { more: LONG } } }],
  ])("refuses a long %s", (member, clientInfo, capabilities) => {
    expect(() => declare(clientInfo, capabilities)).toThrow(`${member}: expected at most`);
  });

  test("keeps the roots up to a length", async () => {
    const session = declare({ name: "c", version: "1" }, { roots: {} });
    const long = Array.from({ length: 4 }, (_, at) => ({ uri: `file:///${at}`, name: LONG }));
    await session.roots(answering({ roots: long }));
    expect(session.client.roots).toEqual(long.slice(0, 2));
  });
});
