// Servers of the kit behind a connection that breaks, and restarted servers.
import { expect, test } from "vitest";
import { defineServer, tool, type Server } from "@oarlock/server-kit";
import { bearerToken, serveHttp } from "@oarlock/server-kit/node";
import { findRevision, REVISIONS } from "@oarlock/server-kit/protocol";
import { HttpStatusError, InterruptedError } from "@oarlock/client";
import { failure } from "../../support/scripted-peer.ts";
import { expectNothingLost } from "../../support/broken-connection.ts";
import { connect } from "../../support/connect-session.ts";

const STATEFUL = REVISIONS.filter((id) => findRevision(id)?.facts.era === "handshake");

const hasPrimingEvent = (revision: string): boolean => findRevision(revision)?.facts.primingEvent === true;

test.each(STATEFUL.filter(hasPrimingEvent))(
  "RESUME-04 RESUME-07 HTTP-28: keeps calls and notifications over a broken connection — %s",
  (revision) => expectNothingLost(revision),
);

test.each(STATEFUL)("SESS-08: connects again to a restarted server — %s", async (revision) => {
  const make = (): Server => defineServer({ name: "s", version: "1", tools: [tool({ name: "x", run: () => "done" })] });
  const first = await serveHttp(make(), { port: 0 });
  const faults: string[] = [];
  const client = await connect(first, { revision, onFault: (what) => faults.push(what) });
  await client.call("x");
  await first.stop();
  const second = await serveHttp(make(), { port: first.port });
  // A request can still leave on a connection that the first server has just closed; its outcome is unknown then.
  const pinged = (): Promise<boolean> =>
    client.ping().then(
      () => true,
      (error: unknown) => !(error instanceof InterruptedError),
    );
  await expect.poll(pinged).toBe(true);
  expect(await client.call("x")).toEqual({ content: [{ type: "text", text: "done" }] });
  expect(second.counts().sessions).toBe(1);
  await client.close();
  expect(second.counts().sessions).toBe(0);
  await second.stop();
  expect(faults).toEqual([]);
});

test("AUTH: connects to a server that requires a token", async () => {
  const server = defineServer({ name: "s", version: "1", tools: [tool({ name: "x", run: () => "done" })] });
  const { url, stop } = await serveHttp(server, { port: 0, auth: bearerToken("the-right-one") });
  for (const token of [undefined, "a-wrong-one"]) {
    const error = await failure(connect({ url, ...(token !== undefined && { token }) }));
    expect(error).toBeInstanceOf(HttpStatusError);
    expect(error).toMatchObject({ status: 401, wwwAuthenticate: expect.stringMatching(/^Bearer/) });
  }
  await using client = await connect({ url, token: "the-right-one" });
  expect(await client.call("x")).toEqual({ content: [{ type: "text", text: "done" }] });
  await client.close();
  await stop();
});
