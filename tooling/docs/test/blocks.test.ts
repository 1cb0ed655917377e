/** Checks each code block of the pages: an example block equals its file, JSON and TOML parse. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, test } from "vitest";
import { PAGES } from "../../site/src/pages.ts";
import { exampleFile, EXAMPLES, root } from "../src/examples.ts";
import { allBlocks, named, TEXTS, type Block } from "./read-blocks.ts";

const blocks = allBlocks();
const of = (...languages: string[]): Block[] => blocks.filter(({ language }) => languages.includes(language));

test("reads every page of the site, each block in a language that a test checks", () => {
  expect(PAGES.map(({ source }) => source).filter((source) => !TEXTS.includes(source))).toEqual([]);
  expect(blocks.filter(({ language }) => CHECKS[language] === undefined).map((block) => `${named(block)}: ${block.language}`)).toEqual([]);
});

test("keeps every page of docs/ in the site", () => {
  const pages = PAGES.map(({ source }) => source);
  const missing = TEXTS.filter((text) => text.startsWith("docs/") && !pages.includes(text));
  expect(missing, "enter these pages in tooling/site/pages.tsv").toEqual([]);
});

test("shows no command in a block without a language", () => {
  expect(
    of("")
      .filter(({ text }) => /^\$? ?(?:npx|npm|pnpm|node|oarlock-\w+) /m.test(text))
      .map(named),
  ).toEqual([]);
});

/** What checks the blocks of a language. */
const CHECKS: Readonly<Record<string, string>> = {
  ts: "compiled (compiled-blocks.deep.test.ts), or equal to its example",
  "ts example": "compiled (compiled-blocks.deep.test.ts)",
  "ts declaration": "API.md equals the types (api.test.ts)",
  json: "parsed",
  toml: "parsed",
  sh: "commands.test.ts, starts.deep.test.ts",
  text: "commands.test.ts, starts.deep.test.ts",
  "": "a picture, a conversation or a format, without commands",
  markdown: "a picture of a file",
};

describe("TypeScript", () => {
  const examples = of("ts").filter(({ example }) => example !== undefined);
  test.each(examples.map((block) => [named(block), block] as const))(
    "%s equals the example file that it names",
    (_name, { example = "", text }) => {
      expect(text).toBe(readFileSync(exampleFile(example), "utf8"));
    },
  );

  test("imports published packages only in the READMEs of published packages", () => {
    const manifests = globSync("{packages,servers}/*/package.json", { cwd: root }).map((file) => {
      const { name, private: hidden } = JSON.parse(readFileSync(join(root, file), "utf8")) as { name: string; private?: boolean }; // our own
      return { readme: file.replace("package.json", "README.md"), name, hidden: hidden === true };
    });
    const hidden = manifests.flatMap((one) => (one.hidden ? [one.name] : []));
    const publishedBlocks = of("ts").filter(({ file }) => manifests.some((one) => one.readme === file && !one.hidden));
    expect(publishedBlocks.filter(({ text }) => hidden.some((name) => text.includes(`"${name}`))).map(named)).toEqual([]);
  });

  test("links every file in the README of its examples folder", () => {
    const linked = globSync("packages/*/examples/README.md", { cwd: root }).flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/^\| \[[^\]]+\]\((\S+)\)/gm)].map(([, name = ""]) => join(dirname(file), name)),
    );
    expect(linked.toSorted()).toEqual([...EXAMPLES.values()].toSorted());
  });
});

test.each(of("toml").map((block) => [named(block), block] as const))("%s is TOML", (_name, { text }) => {
  expect(() => parseToml(text)).not.toThrow();
});

test.each(of("json").map((block) => [named(block), block] as const))("%s is JSON", (_name, { text }) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow();
});

test("names the same server and version in the package.json and the server.json of the guide", () => {
  const written = of("json").flatMap(({ file, text }) => (file === "docs/guide.md" ? [JSON.parse(text) as Record<string, unknown>] : []));
  const [manifest] = written.filter(({ mcpName }) => mcpName !== undefined);
  const [server] = written.filter(({ $schema }) => $schema !== undefined);
  expect(server).toMatchObject({ name: manifest?.["mcpName"], version: manifest?.["version"] });
  expect(server).toMatchObject({ packages: [{ identifier: manifest?.["name"], version: manifest?.["version"] }] });
  expect(String(server?.["description"]).length).toBeLessThanOrEqual(100); // a limit of the registry
  const ours = JSON.parse(readFileSync(join(root, "servers/git/server.json"), "utf8")) as Record<string, unknown>; // our own
  expect(server?.["$schema"]).toBe(ours["$schema"]);
});
