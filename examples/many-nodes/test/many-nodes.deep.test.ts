/** The example as its page uses it: nodes are killed, drained and started by the buttons while both clients call. */
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Demo } from "../src/demo.ts";

(await describeValkey({ own: true }))("the example", () => {
  let demo: Demo;
  beforeAll(async () => {
    demo = await Demo.start(0);
  });
  afterAll(() => demo[Symbol.asyncDispose]());

  const press = async (control: string): Promise<number> => (await fetch(`${demo.origin}/control/${control}`, { method: "POST" })).status;

  /** Waits until both clients have made so many more calls; returns these. */
  async function nextCalls(count: number) {
    const from = Date.now();
    const since = () => demo.calls.filter(({ at }) => at >= from);
    const of = (caller: string) => since().filter((call) => call.caller === caller).length;
    await expect.poll(() => Math.min(of("session"), of("stateless"))).toBeGreaterThanOrEqual(count);
    return since();
  }

  const failures = (calls: readonly { isError: boolean }[]) => calls.filter(({ isError }) => isError);

  test("shows a page with the state of the nodes", async () => {
    expect(await (await fetch(`${demo.origin}/`)).text()).toContain("<h1>Many nodes</h1>");
    const abort = new AbortController();
    const { body } = await fetch(`${demo.origin}/events`, { signal: abort.signal });
    const { value } = await body!.pipeThrough(new TextDecoderStream()).getReader().read();
    expect(value).toBe(
      'event: nodes\ndata: {"engine":"Valkey","nodes":[{"name":"n1","isRunning":true},{"name":"n2","isRunning":true},{"name":"n3","isRunning":true}]}\n\n',
    );
    abort.abort();
  });

  test("runs the calls of one session on every node", async () => {
    const nodes = () => new Set(demo.calls.filter(({ caller, tool }) => caller === "session" && tool === "where").map(({ text }) => text));
    await expect.poll(() => [...nodes()].toSorted()).toEqual(["n1", "n2", "n3"]);
    expect(failures(demo.calls)).toEqual([]);
  });

  test("restarts one node after another without a failed call", async () => {
    const from = Date.now();
    for (const node of ["n1", "n2", "n3"]) {
      expect(await press(`drain/${node}`)).toBe(204);
      await nextCalls(2);
      expect(await press(`start/${node}`)).toBe(204);
      await nextCalls(2);
    }
    expect(failures(demo.calls.filter(({ at }) => at >= from))).toEqual([]);
  });

  test("goes on after a kill, in the same session", async () => {
    expect(await press("kill/n2")).toBe(204);
    await nextCalls(1); // the calls that ran there have failed
    const calls = await nextCalls(6);
    expect(failures(calls)).toEqual([]);
    expect(calls.some(({ text }) => text === "n2")).toBe(false);
    expect(await press("start/n2")).toBe(204);
  });

  test.each(["kill/n9", "fly/n1", "start/n1"])("refuses %s", async (control) => {
    expect(await press(control)).toBeGreaterThanOrEqual(400);
  });

  test("refuses buttons of other origins", async () => {
    const { status } = await fetch(`${demo.origin}/control/kill/n1`, { method: "POST", headers: { origin: "http://elsewhere.example" } });
    expect(status).toBe(403);
  });
});
