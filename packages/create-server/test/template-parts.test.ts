// Every choice of parts cuts the template at its markers.
import { describe, expect, test } from "vitest";
import { PARTS } from "../src/template-parts.ts";
import { CHOICES, cut, TEXTS } from "./support/choices.ts";

describe.each(CHOICES.map((parts) => [parts.join("+"), parts] as const))("%s", (_name, parts) => {
  test.each(TEXTS)("keeps in %s the chosen parts and no markers", (path) => {
    const text = cut(path, parts);
    expect(text).not.toMatch(/part:|(?:\/\/|<!--) end|\n\n\n/);
    const words = { tool: "add_note", resource: "note:///", prompt: "sum_up" };
    for (const part of PARTS) expect([part, text.includes(words[part])]).toEqual([part, parts.includes(part)]);
  });
});
