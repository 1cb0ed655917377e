// How long a search waits for the endpoint, and embedding for the time that the endpoint asks for.
import { describe, expect, it } from "vitest";
import { PEOPLE, setUp } from "./support/embedded-memory.ts";
import { status } from "./support/embeddings-server.ts";

const TEXTS_OF_PEOPLE = 6;

describe("an endpoint", () => {
  it("that hangs delays one search only", async () => {
    await using setup = await setUp();
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    setup.server.requests.length = 0;
    setup.server.fault = () => true;
    for (const query of ["beverages", "residence", "pets"])
      expect(await memory.remark(query)).toBe("Searched by words only: embeddings are not available at the moment.");
    expect(setup.server.inputs).toEqual(["beverages"]);
    expect(memory.warnings).toEqual([expect.stringContaining("does not answer within 1.5 s")]);
  });

  it("that asks to wait gets no request before", async () => {
    await using setup = await setUp();
    const times: number[] = [];
    setup.server.fault = (response, request) => {
      times.push(performance.now());
      return times.length === 1 && status(429, { "retry-after": "2" })(response, request);
    };
    const memory = setup.open();
    await memory.create(PEOPLE);
    await memory.embedded(TEXTS_OF_PEOPLE);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(1900);
  });
});
