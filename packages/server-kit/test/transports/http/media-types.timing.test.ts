// What a long header value costs.
import { expect, test } from "vitest";
import { isJson } from "../../../src/transports/http/media-types.ts";
import { cpuMs } from "../../support/cpu-ms.ts";

test("case HTTP-10 parses a value of 15,000 spaces at once", () => {
  for (const blank of [" ", ";", "; ", " ;", "\t", ";a=b", ';a="', '\\"']) {
    const began = cpuMs();
    expect(isJson(`application/json;${blank.repeat(15_000)}x=`)).toBe(false);
    expect(cpuMs() - began, JSON.stringify(blank)).toBeLessThan(100);
  }
});
