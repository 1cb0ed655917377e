// Limits for each caller: one that has reached its limit is refused, and the others go on.
import { defineServer, resource, tool } from "@oarlock/server-kit";
import { serveHttp, type ServeHttpOptions } from "@oarlock/server-kit/node";
import { expect, onTestFinished, test } from "vitest";
import { CALLER_LIMITS, callerLimits, type CallerLimitOptions } from "../src/operations/caller-limits.ts";
import { limitWarnings } from "../src/operations/limit-warnings.ts";
import { SHARED } from "../src/shared-flags.ts";
import { callOver, postStateless } from "./support/operations.ts";

const auth = { check: (token: string) => ({ principal: token, scopes: ["*"], claims: {} }) };

/** A server whose tool `hold` runs until it is let go, and what its clients send. */
async function start(limits: Omit<CallerLimitOptions, "isPrincipalShared">, options: ServeHttpOptions = {}) {
  const pending: (() => void)[] = [];
  const hold = tool({ name: "hold", run: () => new Promise<string>((resolve) => pending.push(() => resolve("let go"))) });
  const quick = tool({ name: "quick", run: () => "done" });
  const items = ["1", "2", "3"].map((id) => resource({ uri: `shop://${id}`, name: id, read: () => id, watch: () => () => undefined }));
  const server = defineServer({ name: "shop", version: "1", tools: [hold, quick], resources: items });
  const callers = callerLimits({ isPrincipalShared: false, ...limits });
  const { url, stop } = await serveHttp(server, { port: 0, auth, callers, ...options });
  onTestFinished(() => stop());
  const post = (user: string, message: object, session?: string, signal?: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${user}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session !== undefined && { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal !== undefined && { signal }),
    });
  const initialize = (user: string): Promise<Response> => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "0" } };
    return post(user, { id: 0, method: "initialize", params });
  };
  const open = async (user: string): Promise<string> => {
    const session = (await initialize(user)).headers.get("mcp-session-id") ?? "";
    await post(user, { method: "notifications/initialized" }, session);
    return session;
  };
  const call = (user: string, session: string, name: string, signal?: AbortSignal): Promise<Response> =>
    post(user, { id: name, method: "tools/call", params: { name, arguments: {} } }, session, signal);
  return { url, pending, post, initialize, open, call };
}

const refusal = async (response: Response) => [
  response.status,
  response.headers.get("retry-after"),
  ((await response.json()) as { error: { message: string } }).error.message,
];

test("counts the rate of a caller over all its sessions", async () => {
  const { open, call } = await start({}, { limits: { callsPerSecond: 0.001 } });
  const [first, second, other] = [await open("ada"), await open("ada"), await open("grace")];
  expect((await call("ada", first, "quick")).status).toBe(200);
  expect(await refusal(await call("ada", second, "quick"))).toEqual([429, "1", "Rate limit exceeded for tool calls. Retry shortly."]);
  expect((await call("grace", other, "quick")).status).toBe(200);
});

test("counts the open sessions of a caller", async () => {
  const { url, initialize, open } = await start({ sessions: 2 });
  const [session] = [await open("ada"), await open("ada")];
  const message = "Too many sessions of one user: at most 2 at the same time. End one with DELETE, or use it again.";
  expect(await refusal(await initialize("ada"))).toEqual([429, "30", message]);
  expect((await initialize("grace")).status).toBe(200);
  await fetch(url, { method: "DELETE", headers: { authorization: "Bearer ada", "mcp-session-id": session } });
  expect((await initialize("ada")).status).toBe(200);
});

test("counts the streams of all sessions of a caller", async () => {
  const { url, open } = await start({ streams: 1 });
  const read = (user: string, session: string): Promise<Response> =>
    fetch(url, { headers: { authorization: `Bearer ${user}`, accept: "text/event-stream", "mcp-session-id": session } });
  const [first, second, other] = [await open("ada"), await open("ada"), await open("grace")];
  expect((await read("ada", first)).status).toBe(200);
  expect(await refusal(await read("ada", second))).toEqual([429, "1", expect.stringContaining("Too many streams of one user")]);
  expect((await read("grace", other)).status).toBe(200);
});

test("counts the subscriptions of a caller in its sessions and streams, until they end", async () => {
  const { url, post, open } = await start({ subscriptions: 2 });
  const subscribe = (user: string, session: string, item: number): Promise<Response> =>
    post(user, { id: item, method: "resources/subscribe", params: { uri: `shop://${item}` } }, session);
  const listen = (uri: string, signal?: AbortSignal): Promise<Response> => {
    const sent = { headers: { authorization: "Bearer ada" }, ...(signal !== undefined && { signal }) };
    return postStateless(url, "subscriptions/listen", { notifications: { resourceSubscriptions: [uri] } }, sent);
  };
  const [first, second, other] = [await open("ada"), await open("ada"), await open("grace")];
  expect((await subscribe("ada", first, 1)).status).toBe(200);
  expect((await (await subscribe("ada", first, 404)).json()) as object).toHaveProperty("error");
  const listening = new AbortController();
  const stream = await listen("shop://1", listening.signal);
  const { value } = await stream.body!.getReader().read();
  expect(new TextDecoder().decode(value)).toContain("notifications/subscriptions/acknowledged");
  const refused = [
    429,
    "1",
    "Too many subscriptions of one user: at most 2 at the same time. Unsubscribe from some, or end a stream of them.",
  ];
  expect(await refusal(await subscribe("ada", second, 2))).toEqual(refused);
  expect(await refusal(await listen("shop://2"))).toEqual(refused);
  expect((await subscribe("grace", other, 1)).status).toBe(200);
  listening.abort();
  await expect.poll(async () => (await subscribe("ada", second, 2)).status).toBe(200);
  expect((await subscribe("ada", second, 3)).status).toBe(429);
  await fetch(url, { method: "DELETE", headers: { authorization: "Bearer ada", "mcp-session-id": first } });
  expect((await subscribe("ada", second, 3)).status).toBe(200);
});

test("counts calls that run, also those whose client disconnects", async () => {
  const { pending, open, call } = await start({ requests: 2 });
  const [first, second, other] = [await open("ada"), await open("ada"), await open("grace")];
  const disconnect = new AbortController();
  const left = call("ada", first, "hold", disconnect.signal).catch(() => "left");
  await expect.poll(() => pending.length).toBe(1);
  disconnect.abort();
  expect(await left).toBe("left");
  const stays = call("ada", second, "hold");
  await expect.poll(() => pending.length).toBe(2);
  expect(await refusal(await call("ada", second, "quick"))).toEqual([429, "1", expect.stringContaining("Too many requests of one user")]);
  expect((await call("grace", other, "quick")).status).toBe(200);
  for (const letGo of pending) letGo();
  expect((await stays).status).toBe(200);
  expect((await call("ada", second, "quick")).status).toBe(200);
});

test("counts stateless calls with those of sessions", async () => {
  const { url, pending, open, call } = await start(
    { requests: 1 },
    { auth: { check: () => ({ principal: "ada", scopes: ["*"], claims: {} }) } },
  );
  const running = call("ada", await open("ada"), "hold");
  await expect.poll(() => pending.length).toBe(1);
  expect((await callOver(url, "quick", { authorization: "Bearer x" })).status).toBe(429);
  pending[0]?.();
  await running;
  expect((await callOver(url, "quick", { authorization: "Bearer x" })).status).toBe(200);
});

test("bounds the bodies of one caller, and gives back what it has taken", () => {
  const callers = callerLimits({ isPrincipalShared: false, bodyBytes: 10 });
  const [ada, again, grace] = [callers("ada", undefined), callers("ada", undefined), callers("grace", undefined)];
  expect([ada.bodies.take(6), again.bodies.take(6), grace.bodies.take(6)]).toEqual([true, false, true]);
  ada.bodies.release(6);
  expect(again.bodies.take(6)).toBe(true);
});

test.each([
  [false, "ada", "ada"],
  [true, "token", "address 192.0.2.1"],
  [false, undefined, "address 192.0.2.1"],
])("names a caller by its principal, and by its address where that is shared (%s, %s)", (isPrincipalShared, principal, name) => {
  expect(callerLimits({ isPrincipalShared })(principal, "192.0.2.1").name).toBe(name);
});

test("has the default of the switch --sessions-per-user", () => {
  expect(SHARED.sessionsPerUser.default).toBe(CALLER_LIMITS.sessions);
});

test("warns once a minute of each caller, with the number of refusals between", () => {
  const lines: unknown[] = [];
  let now = 0;
  const warnings = limitWarnings(
    (_level, line) => void lines.push(line),
    () => now,
  );
  const refuse = (caller: string): void => warnings.requestRefused?.({ method: "POST", status: 429, limit: "rate", caller });
  for (let time = 0; time < 3; time++) refuse("ada");
  refuse("grace\n");
  warnings.requestRefused?.({ method: "POST", status: 401 });
  now = 60_000;
  refuse("ada");
  expect(lines).toEqual([
    'Refused a request of "ada" with status 429: limit rate reached.',
    String.raw`Refused a request of "grace\n" with status 429: limit rate reached.`,
    'Refused a request of "ada" with status 429: limit rate reached. Since the last such line 2 more were refused.',
  ]);
});
