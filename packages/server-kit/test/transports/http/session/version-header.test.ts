// The version header of sessions: what it says must be what was agreed (security case HTTP-30; rule H3).
import { expect, test } from "vitest";
import { startGauge } from "../../../support/gauge.ts";
import { json, openSession, overFaces, post, problem, servesOn } from "../../../support/http-faces.ts";
import { initialize } from "../../../support/http-talk.ts";
import { call, request, result, STATEFUL, words } from "../../../support/sample.ts";

const WRONG = [
  "1999-01-01",
  "",
  " ",
  "2025-11-26",
  "v2025-11-25",
  "2025-11-25x",
  "2025-11",
  "20251125",
  "latest",
  "DRAFT-2025-v2",
  "1.0",
  "0",
  "null",
  "__proto__",
  "constructor",
  "*",
  "2025-11-25;q=1",
];

overFaces("case HTTP-30 MCP-Protocol-Version", (face) => {
  test.each(WRONG)("HTTP-42 answers 400 to %j on every method, without effect", async (version) => {
    await using gauge = await startGauge(face);
    const session = { ...(await openSession(gauge)), "mcp-protocol-version": version };
    for (const sent of [
      post(call(1, "mark"), session),
      post(initialize(), { "mcp-protocol-version": version }),
      ...["GET", "DELETE"].map((method) => ({ method, headers: { accept: "text/event-stream", ...session } })),
    ]) {
      const response = await gauge.send(sent);
      expect.soft([response.status, json(response)], sent.method ?? "POST").toEqual([400, problem()]);
    }
    expect([gauge.marks, gauge.counts()]).toEqual([0, expect.objectContaining({ sessions: 1, streams: 0 })]);
    await servesOn(gauge);
  });

  test.each(STATEFUL)("%s: accepts the negotiated version and a missing header, answers 400 to any other", async (revision) => {
    await using gauge = await startGauge(face);
    const session = await openSession(gauge, revision);
    const asked = async (version: string | undefined): Promise<unknown> => {
      const response = await gauge.send(post(call(1, "echo", { message: "x" }), { ...session, "mcp-protocol-version": version }));
      return response.status === 200 ? json(response) : response.status;
    };
    for (const version of [revision, undefined]) expect(await asked(version)).toEqual(words(1, "x"));
    for (const other of STATEFUL.filter((one) => one !== revision)) expect(await asked(other), other).toBe(400);
    for (const method of ["GET", "DELETE"]) {
      const other = STATEFUL.find((one) => one !== revision);
      const response = await gauge.send({ method, headers: { accept: "text/event-stream", ...session, "mcp-protocol-version": other } });
      expect([response.status, json(response)], method).toEqual([400, problem()]);
    }
    expect((await gauge.send({ method: "DELETE", headers: { ...session, "mcp-protocol-version": revision } })).status).toBe(204);
  });

  test.each(STATEFUL)("HTTP-41 keeps the version of a session without the header, in %s", async (revision) => {
    await using gauge = await startGauge(face);
    const session = await openSession(gauge, revision);
    // Arrays tell the revisions apart: one of them has them.
    const response = await gauge.send(post([request(1, "ping"), request(2, "ping")], session));
    if (revision === "2025-03-26") expect([response.status, json(response)]).toEqual([200, [result(1, {}), result(2, {})]]);
    else expect([response.status, json(response)]).toEqual([400, problem()]);
  });

  test.each([
    ["the agreed one twice", ["2025-11-25", "2025-11-25"]],
    ["two", ["2025-11-25", "2025-06-18"]],
    ["two in one", ["2025-11-25, 2025-11-25"]],
  ])("answers two values with 400: %s", async (_what, version) => {
    await using gauge = await startGauge(face);
    const session = await openSession(gauge, "2025-11-25");
    for (const sent of [
      post(call(1, "mark"), { ...session, "mcp-protocol-version": version }),
      post(initialize(), { "mcp-protocol-version": version }),
    ]) {
      expect((await gauge.send(sent)).status).toBe(400);
    }
    expect([gauge.marks, gauge.counts().sessions]).toEqual([0, 1]);
    await servesOn(gauge);
  });

  test("HTTP-57 requires no version header on initialize, and accepts one of any handshake revision", async () => {
    await using gauge = await startGauge(face);
    for (const version of [undefined, ...STATEFUL]) {
      for (const revision of STATEFUL) {
        const response = await gauge.send(post(initialize(revision), { "mcp-protocol-version": version }));
        expect
          .soft([response.status, json(response)], `${version} ${revision}`)
          .toMatchObject([200, { result: { protocolVersion: revision } }]);
      }
    }
  });

  test("case HTTP-24 refuses two session headers, though both name a session", async () => {
    await using gauge = await startGauge(face);
    const [one, other] = [await openSession(gauge), await openSession(gauge)].map((session) => session["mcp-session-id"]!) as [
      string,
      string,
    ];
    for (const ids of [[one, one], [one, other], [one, ""], [`${one}, ${one}`]]) {
      for (const sent of [post(call(1, "mark"), { "mcp-session-id": ids }), { method: "DELETE", headers: { "mcp-session-id": ids } }]) {
        expect.soft([400, 404], ids.join()).toContain((await gauge.send(sent)).status);
      }
    }
    expect([gauge.marks, gauge.counts().sessions]).toEqual([0, 2]);
  });

  test("does not accept the header in place of a session", async () => {
    await using gauge = await startGauge(face);
    for (const version of [undefined, ...STATEFUL]) {
      expect((await gauge.send(post(call(1, "mark"), { "mcp-protocol-version": version }))).status, version).toBe(400);
    }
    expect([gauge.marks, gauge.counts().sessions]).toEqual([0, 0]);
  });
});
