// A resumed or half-open stream of one principal is never readable by another: over both faces, on one node and on several (H4, G5).
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MemoryBackplane } from "../src/backplane.ts";
import { cluster } from "../src/index.ts";
import type { Json } from "@oarlock/server-kit/protocol";
import { Gates, tasksServer } from "../../extensions/test/tasks/fixtures/tasks-server.ts";
import { TASKS } from "../../extensions/test/tasks/support/task-talk.ts";
import type { Answer } from "../../server-kit/test/support/answer.ts";
import { post } from "../../server-kit/test/support/http-faces.ts";
import { initialize, READY, textOf } from "../../server-kit/test/support/http-talk.ts";
import { call, eventually, request, STATEFUL } from "../../server-kit/test/support/sample.ts";
import { NODE, WEB, type Place, type StatelessFace } from "../../server-kit/test/support/stateless-faces.ts";
import { principals } from "../../server-kit/test/support/workshop.ts";

type Headers = Record<string, string>;

const CELLS: [title: string, face: StatelessFace, isShared: boolean][] = [
  ["node, one node", NODE, false],
  ["node, several nodes", NODE, true],
  ["web, one node", WEB, false],
  ["web, several nodes", WEB, true],
];

let places: Place[];
let gates: Gates;
/** The node that serves a stream first, and the one where it is read afterwards. */
const first = (): Place => places[0]!;
const other = (): Place => places.at(-1)!;

async function open({ face, isShared }: { face: StatelessFace; isShared: boolean }): Promise<void> {
  gates = new Gates();
  const auth = principals({ a: "anna", "a-newer": "anna", b: "bert" });
  const backplane = new MemoryBackplane();
  const start = (): Promise<Place> =>
    face.open(tasksServer({ afterMs: 5 }, gates), {
      auth,
      http: { retryMs: 10 },
      ...(isShared ? { cluster: cluster({ backplane }), stateKeys: ["a key of many characters"] } : { legacySse: true }),
    });
  places = isShared ? [await start(), await start()] : [await start()];
}

afterEach(async () => {
  await Promise.all(places.map((place) => place.stop()));
});

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

/** Opens a session; gives the headers of whatever is sent in it. */
async function session(revision: string, token: string): Promise<Headers> {
  const answer = await first().send(post(initialize(revision), bearer(token))).answer;
  await answer.text();
  const headers = { ...bearer(token), "mcp-session-id": String(answer.headers["mcp-session-id"]) };
  expect((await first().send(post(READY, headers)).answer).status).toBe(202);
  return headers;
}

const listen = (headers: Headers, lastEventId?: string): Promise<Answer> =>
  other().send({
    method: "GET",
    headers: { accept: "text/event-stream", ...headers, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
  }).answer;

/** Everything of an answer that could tell something. */
const all = async (answer: Answer): Promise<unknown[]> => [answer.status, answer.type, await answer.text()];

/** Begins a call and leaves after its first event: its stream is half-open, and the id of the event resumes it. */
async function startStream(headers: Headers, message: Json): Promise<string> {
  const answer = await first().send(post(message, headers)).answer;
  for (;;) {
    const { id, data } = await answer.event();
    if (data === "" || id === undefined) continue;
    answer.drop();
    return id;
  }
}

describe.each(CELLS)("%s", (_title, face, isShared) => {
  beforeEach(() => open({ face, isShared }));

  describe.each(STATEFUL)("in %s", (revision) => {
    test("resumes a half-open stream for its own session and principal only", async () => {
      const anna = await session(revision, "a");
      const [annaElsewhere, bert] = [await session(revision, "a"), await session(revision, "b")];
      const standing = await listen(bert);
      const id = await startStream(anna, call(1, "hold-never", { name: "secret" }, { progressToken: 1 }));
      gates.at("secret").resolve();
      const { authorization: _, ...nobody } = anna;
      const strangers: Headers[] = [{ ...anna, ...bearer("b") }, bert, annaElsewhere, nobody, { ...anna, ...bearer("c") }];
      for (const stranger of strangers) {
        const unknown = await all(await listen(stranger, "987654-1"));
        expect(unknown[0]).toBeOneOf([400, 401, 404]);
        expect(await all(await listen(stranger, id))).toEqual(unknown);
        expect(JSON.stringify(unknown)).not.toContain("secret");
      }
      const resumed = await listen({ ...anna, ...bearer("a-newer") }, id);
      expect(textOf((await resumed.messages()).at(-1))).toBe("released secret");
      expect(standing.waiting.filter(({ data }) => data !== "")).toEqual([]);
      standing.drop();
    });
  });

  test("keeps the stream of a task's result to its principal", async () => {
    const [anna, bert] = [await session("2025-11-25", "a"), await session("2025-11-25", "b")];
    const created = await first().send(post(request(1, "tools/call", { name: "hold", arguments: { name: "secret" }, task: {} }), anna))
      .answer;
    const { taskId } = ((await created.json()).result as { task: { taskId: string } }).task;
    const pending = await first().send(post(request(2, "tasks/result", { taskId, _meta: { progressToken: 2 } }), anna)).answer;
    pending.drop();
    for (const method of ["tasks/get", "tasks/result", "tasks/cancel"]) {
      const unknown = await other().send(post(request(3, method, { taskId: "x" }), bert)).answer;
      const foreign = await other().send(post(request(3, method, { taskId }), bert)).answer;
      expect(await all(foreign)).toEqual(await all(unknown));
    }
    gates.at("secret").resolve();
    const own = await other().send(post(request(4, "tasks/result", { taskId }), anna)).answer;
    expect(await own.text()).toContain("released secret");
  });

  test("notifies a subscription of its own principal's tasks only", async () => {
    const capabilities = { extensions: { [TASKS]: {} } };
    const [anna, bert] = [
      { capabilities, token: "a" },
      { capabilities, token: "b" },
    ];
    const { taskId } = await first().result("tools/call", { name: "hold", arguments: { name: "secret" } }, anna);
    const filter = { notifications: { taskIds: [taskId] } };
    const [hers, his] = [
      await other().request("subscriptions/listen", filter, anna),
      await other().request("subscriptions/listen", filter, bert),
    ];
    expect(await hers.message()).toMatchObject({ params: { notifications: { taskIds: [taskId] } } });
    expect((await his.message()).params).toMatchObject({ notifications: {} });
    // A stream of this era is not resumed: an event id in its request opens a stream of its own.
    const resuming = await other().request("subscriptions/listen", filter, { ...bert, headers: { "last-event-id": "1-0" } });
    expect(await resuming.message()).toMatchObject({ method: "notifications/subscriptions/acknowledged", params: { notifications: {} } });
    gates.at("secret").resolve();
    expect(await hers.message()).toMatchObject({ params: { taskId, status: "completed" } });
    for (const answer of [his, resuming]) expect(answer.raw).not.toContain(String(taskId));
    for (const answer of [hers, his, resuming]) answer.drop();
  });
});

describe.each([NODE, WEB])("the older transport over $name", (face) => {
  beforeEach(() => open({ face, isShared: false }));

  const stream = async (headers: Headers): Promise<{ answer: Answer; path: string }> => {
    const answer = await first().send({ method: "GET", path: "/sse", headers: { accept: "text/event-stream", ...headers } }).answer;
    return { answer, path: `/${(await answer.event()).data}` };
  };
  const say = (path: string, message: Json, headers: Headers): Promise<Answer> => first().send({ ...post(message, headers), path }).answer;

  test("lets no other client send to a stream, read or resume it", async () => {
    const anna = await stream(bearer("a"));
    await say(anna.path, initialize("2024-11-05"), bearer("a"));
    await anna.answer.message();
    await say(anna.path, call(1, "hold-never", { name: "secret" }, { progressToken: 1 }), bearer("a"));
    const { params } = await anna.answer.message();
    expect(params).toMatchObject({ progressToken: 1 });
    const id = anna.path.split("=")[1] ?? "";
    const bert = await stream({ ...bearer("b"), "last-event-id": "0-0", "mcp-session-id": id });
    expect(bert.path).not.toBe(anna.path);
    for (const message of [call(2, "hold-never", { name: "secret" }), initialize("2024-11-05")]) {
      const unknown = await all(await say(`${anna.path.slice(0, -3)}xyz`, message, bearer("b")));
      expect(unknown[0]).toBe(404);
      expect(await all(await say(anna.path, message, bearer("b")))).toEqual(unknown);
    }
    for (const revision of STATEFUL) {
      const answer = await listen({ ...bearer("b"), "mcp-session-id": id, "mcp-protocol-version": revision }, "0-0");
      expect(answer.status).toBe(404);
    }
    anna.answer.drop();
    await anna.answer.closed;
    await eventually(() => first().counts().sessions).toBe(1);
    gates.at("secret").resolve();
    expect((await say(anna.path, call(3, "quick"), bearer("a"))).status).toBe(404);
    expect(bert.answer.raw).not.toContain("secret");
    bert.answer.drop();
  });
});
