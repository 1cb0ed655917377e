/** Requirements that hold because the sources never contain a word, or only in certain files. */
import { describe, expect, test } from "vitest";
import { literalsOf, readSources } from "../../checks/src/sources.ts";

const DEFINED = [
  "protocolVersion",
  "clientInfo",
  "clientCapabilities",
  "logLevel",
  "serverInfo",
  "subscriptionId",
  "related-task",
  "tasks",
  "skills",
  "ui",
].map((name) => `io.modelcontextprotocol/${name}`);

const kit = readSources("packages/server-kit/src/**/*.ts");
const servers = readSources("servers/*/src/**/*.ts");

test("reads sources", () => {
  for (const sources of [kit, servers]) expect(Object.keys(sources).length).toBeGreaterThan(10);
});

test("META-04 META-05 META-06 the kit and the servers have no keys of their own in _meta, only those that the specification defines", () => {
  const keys = [...Object.values(kit), ...Object.values(servers)].flatMap(literalsOf).filter((text) => /^[\w-]+(?:\.[\w-]+)+\//.test(text));
  expect(keys).toContain("io.modelcontextprotocol/clientInfo");
  expect(keys.filter((key) => !DEFINED.includes(key))).toEqual([]);
});

describe("words", () => {
  const filesWith = (sources: Readonly<Record<string, string>>, what: RegExp): string[] =>
    Object.keys(sources).filter((file) => what.test(sources[file] ?? ""));

  // What authors throw with that code is passed on by the one revision that has it, and taken from the others.
  const PASSED_ON = ["2025-11-25", "2026-07-28"].map((id) => `packages/server-kit/src/revisions/${id}.ts`);

  test.each([
    ["ELIC-31 ELIC-43 no server sends its user to a page", servers, /\belicitUrl\b/, []],
    ["ERR-11 ELIC-35 nothing is refused with the code for pages to be visited", kit, /-?32042/, PASSED_ON],
    ["ELIC-33 the kit sends no completion of a URL elicitation, so never one of another client", kit, /elicitation\/complete/, []],
  ])("%s", (_title, sources, what, files) => expect(filesWith(sources, what).toSorted()).toEqual(files));

  test("finds existing words", () => {
    expect(filesWith(kit, /\belicitUrl\b/)).toContain("packages/server-kit/src/features/context.ts");
    expect(filesWith(kit, /-32602/)).not.toEqual([]);
  });
});
