// Folders that may not be read, or whose names alone may be.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { asOrdinaryUser } from "./ordinary-user.ts";
import { scratch } from "./scratch.ts";

test.skipIf(process.platform === "win32")(
  "what cannot be looked through is refused in words, and names are listed without sizes",
  async () => {
    const place = scratch({ "closed/f": "1" });
    const refused = expect.stringMatching(`^io: The operating system does not permit this .*: ${place.at("closed")}$`);
    expect(await asOrdinaryUser(place, "whole")).toEqual([
      { copied: refused, doomed: refused, moved: refused, listed: refused },
      { copied: refused, doomed: refused, moved: "", listed: [{ name: "f", type: "file", size: 0 }] },
    ]);
    for (const name of ["copy", "moved"]) expect(existsSync(place.at(name))).toBe(false);
  },
);
