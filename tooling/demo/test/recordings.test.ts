// The pictures of terminals in docs/recordings, which `pnpm demo:record` writes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RECORDINGS } from "../src/recording/recordings.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const pictureOf = (name: string): string => readFileSync(`${root}docs/recordings/${name}.svg`, "utf8");

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
