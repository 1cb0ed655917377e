import { describe, expect, test } from "vitest";
import type { Progress } from "@oarlock/client";
import { failure } from "../../support/scripted-peer.ts";
import { startOfficial, startOldPair, type Flavour } from "../../support/official-http-server.ts";
import { connect } from "../../support/connect-session.ts";

const FLAVOURS: Flavour[] = ["events", "events with store", "json", "without sessions"];
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const says = (text: string) => ({ content: [{ type: "text", text }] });

describe.each(FLAVOURS)("HTTP-08 HTTP-16: the official server, %s", (flavour) => {
  test.each(REVISIONS)("passes calls, progress and an elicitation — %s", async (revision) => {
    await using server = await startOfficial(flavour);
    const faults: string[] = [];
    await using client = await connect(server, { revision, onFault: (what) => faults.push(what), elicit: () => ({ action: "accept" }) });
    expect(client.revision).toBe(revision);
    expect((await client.tools().all()).map(({ name }) => name)).toContain("echo");
    expect(await client.call("echo", { message: "ü\n\u2028🙂" })).toEqual(says("ü\n\u2028🙂"));
    const heard: Progress[] = [];
    const streams = flavour !== "json"; // which drops what comes before the answer
    if (streams) await client.call("steps", {}, { onProgress: (progress) => heard.push(progress) });
    expect(heard).toEqual(streams ? [{ progress: 1 }, { progress: 2 }, { progress: 3 }] : []);
    const keeps = streams && flavour !== "without sessions";
    if (keeps && revision >= "2025-06-18") expect(await client.call("ask")).toEqual(says("accept"));
    expect(faults).toEqual([]);
  });

  test("SESS-09: sends DELETE at the end of a session", async () => {
    await using server = await startOfficial(flavour);
    const client = await connect(server);
    await client.close();
    await expect.poll(() => server.seen.includes("DELETE 200")).toBe(flavour !== "without sessions");
  });
});

describe.each<Flavour>(["events", "events with store", "json"])("a session of the official server, %s", (flavour) => {
  test("HTTP-32: receives notifications on the stream of a GET", async () => {
    await using server = await startOfficial(flavour);
    const news: string[] = [];
    await using client = await connect(server, { onListChanged: (list) => news.push(list) });
    // The server keeps nothing for a stream that is not open yet.
    await expect.poll(() => client.call("changed").then(() => news)).toContain("tools");
  });

  test("SESS-08: replaces a lost session without an error", async () => {
    await using server = await startOfficial(flavour);
    const faults: string[] = [];
    await using client = await connect(server, { onFault: (what) => faults.push(what) });
    let closed = false;
    void client.closed.then(() => (closed = true));
    for (const round of ["1", "2"]) {
      server.forget();
      const calls = ["a", "b", "c"].map((message) => client.call("echo", { message: message + round }));
      expect(await Promise.all(calls)).toEqual(["a", "b", "c"].map((message) => says(message + round)));
    }
    expect(closed).toBe(false);
    expect(faults).toEqual([]);
  });
});

test.each<Flavour>(["events", "events with store"])("HTTP-28 HTTP-29: notifies the server of a cancellation — %s", async (flavour) => {
  await using server = await startOfficial(flavour);
  await using client = await connect(server);
  const abort = new AbortController();
  const onProgress = (): void => abort.abort(new Error("no more"));
  expect((await failure(client.call("slow", {}, { signal: abort.signal, onProgress }))).message).toBe("no more");
  await expect.poll(() => server.cancelled).toEqual(["no more"]);
  expect(await client.call("echo", { message: "still here" })).toEqual(says("still here"));
});

test("HTTP-26 HTTP-27 RESUME-04 RESUME-07: resumes a stream that the server closes early", async () => {
  await using server = await startOfficial("events with store");
  const faults: string[] = [];
  await using client = await connect(server, { onFault: (what) => faults.push(what) });
  const heard: Progress[] = [];
  expect(await client.call("poll", { message: "at last" }, { onProgress: (progress) => heard.push(progress) })).toEqual(says("at last"));
  expect(heard).toEqual([{ progress: 1 }]);
  expect(faults).toEqual([]);
});

describe.each([400, 404, 405])("HTTP-55 SSE-LEGACY-03: the older pair, after POST was refused with %i", (refusal) => {
  test("passes calls, progress and an elicitation in 2024-11-05", async () => {
    await using server = await startOldPair(refusal);
    const faults: string[] = [];
    const heard: Progress[] = [];
    {
      await using client = await connect(server, { onFault: (what) => faults.push(what), roots: [] });
      expect(client.revision).toBe("2024-11-05");
      expect(await client.call("echo", { message: "ü\n\u2028🙂" })).toEqual(says("ü\n\u2028🙂"));
      expect(await client.call("steps", {}, { onProgress: (progress) => heard.push(progress) })).toEqual(says("done"));
    }
    expect(heard).toEqual([{ progress: 1 }, { progress: 2 }, { progress: 3 }]);
    expect(faults).toEqual([]);
    await expect.poll(() => server.seen).toEqual([`POST /sse ${refusal}`, ...Array(4).fill("POST /messages 202"), "GET /sse 200"]);
  });

  test("notifies the server of a cancellation", async () => {
    await using server = await startOldPair(refusal);
    await using client = await connect(server);
    const abort = new AbortController();
    const onProgress = (): void => abort.abort(new Error("no more"));
    expect((await failure(client.call("slow", {}, { signal: abort.signal, onProgress }))).message).toBe("no more");
    await expect.poll(() => server.cancelled).toEqual(["no more"]);
  });
});
