// The pictures of terminals in docs/recordings show what their commands print today. `pnpm demo:record` writes them.
import { readFileSync } from "node:fs";
import { needs } from "@oarlock/testing";
import { expect, test } from "vitest";
import { comparable, linesOf, record } from "../src/recording/record.ts";
import { RECORDINGS } from "../src/recording/recordings.ts";

const PICTURES = new URL("../../../docs/recordings/", import.meta.url);

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function textOf(svg: string): string {
  const lines = [...svg.matchAll(/<text[^>]*>(.*)<\/text>/g)].map(([, content = ""]) => content.replaceAll(/<[^>]+>/g, ""));
  return lines.join("\n").replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES]);
}

// The pseudo-terminal is that of util-linux.
test.each(RECORDINGS)("$name shows what its commands print", needs("Linux"), async (recording) => {
  expect(comparable(textOf(readFileSync(new URL(`${recording.name}.svg`, PICTURES), "utf8")))).toBe(
    comparable((await record(recording)).flatMap(linesOf).join("\n")),
  );
});
