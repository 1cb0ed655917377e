// The pictures of terminals in docs/recordings show what their commands print today. `pnpm demo:record` writes them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { comparable, linesOf, record } from "../src/recording/record.ts";
import { RECORDINGS } from "../src/recording/recordings.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pictureOf = (name: string): string => readFileSync(`${root}docs/recordings/${name}.svg`, "utf8");

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function textOf(svg: string): string {
  const lines = [...svg.matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, content = ""]) => content.replaceAll(/<[^>]+>/g, ""));
  return lines.join("\n").replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}

// The pseudo-terminal is that of util-linux.
test.runIf(process.platform === "linux").each(RECORDINGS)(
  "$name shows what its commands print",
  { timeout: 120_000 },
  async (recording) => {
    expect(comparable(textOf(pictureOf(recording.name)))).toBe(comparable((await record(recording)).flatMap(linesOf).join("\n")));
  },
);

test.each(RECORDINGS.map(({ name }) => name))("%s is small, still without animation, light and dark, and without scripts", (name) => {
  const svg = pictureOf(name);
  expect(svg.length).toBeLessThan(20_000);
  expect(svg).toMatch(/prefers-color-scheme:dark[^]*prefers-reduced-motion/);
  expect(svg).not.toMatch(/<script|href|\bon\w+=|opacity:0/);
});

test.each(RECORDINGS.map(({ name }) => name))("%s stands in its README", (name) => {
  const readme = name === "oarlock" ? "README.md" : `servers/${name}/README.md`;
  expect(readFileSync(root + readme, "utf8")).toContain(`docs/recordings/${name}.svg)`);
});
