// The sentence on toolsets names those that are off, and none that is on.
import { expect, test } from "vitest";
import { toolsetNotice } from "../src/toolset-notice.ts";

const ALL = [
  { name: "bulk", purpose: "replace in many files" },
  { name: "compare", purpose: "compare two files", reading: true },
  { name: "modes", purpose: "change permissions" },
] as const;

test.each([
  [
    {},
    " Off, until the operator adds them to --toolsets: bulk (replace in many files), compare (compare two files) and modes (change permissions).",
  ],
  [{ toolsets: ["default", "bulk", "modes"] }, " Off, until the operator adds it to --toolsets: compare (compare two files)."],
  [{ readOnly: true }, " Off, until the operator adds it to --toolsets: compare (compare two files)."],
  [{ toolsets: ["compare"], readOnly: true }, ""],
  [{ toolsets: ["bulk", "compare", "modes"] }, ""],
  [{ tools: ["read_text_file"] }, ""],
])("names for %j the toolsets that are off", (switches, sentence) => {
  expect(toolsetNotice(ALL, switches)).toBe(sentence);
});
