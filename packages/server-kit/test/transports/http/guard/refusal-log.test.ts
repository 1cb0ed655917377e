// Tests the warnings about refused tokens: one in ten seconds, with the number of those between.
import { expect, test } from "vitest";
import { RefusalLog } from "../../../../src/transports/http/guard/refusal-log.ts";

const request = { method: "POST", path: "/mcp", remoteAddress: "203.0.113.5" };

test("counts refusals within ten seconds of a line in the next one", () => {
  const lines: unknown[] = [];
  const refusals = new RefusalLog((_level, data) => void lines.push(data));
  for (const now of [0, 1, 9_999, 10_000]) refusals.add(request, "it has no access token", { now });
  refusals.add({ ...request, remoteAddress: undefined }, "the token lacks the scope shop:write", { status: 403, now: 20_000 });
  expect(lines).toEqual([
    "Refused POST /mcp from 203.0.113.5 with status 401: it has no access token.",
    "Refused POST /mcp from 203.0.113.5 with status 401: it has no access token. Since the last such line 2 more were refused.",
    "Refused POST /mcp with status 403: the token lacks the scope shop:write.",
  ]);
});
