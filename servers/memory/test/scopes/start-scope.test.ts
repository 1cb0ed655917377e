// What --scope and --read-scope may name, and what the operator is warned of.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import type { Location } from "../../src/graph/location.ts";
import { checkScope, startScope } from "../../src/scopes/start-scope.ts";

const given = (location: Location) => ({ location, hasUsers: false, warn: () => undefined });

describe("a start", () => {
  test("is refused with --scope principal where no server names the users", () => {
    expect(() => startScope({ ...given({ database: "/m.db" }), given: "principal" })).toThrow(
      "--scope principal needs --http and --oauth-issuer, which name the users.",
    );
  });

  test.each([
    ["../other", false, 'Invalid scope "../other"'],
    ["Team", true, 'Invalid scope "Team"'],
    ["project", true, "--read-scope project is not the name of one memory."],
  ])("is refused with the scope %s (read only: %s)", async (scope, readOnly, sentence) => {
    await using folder = tempFolder();
    await expect(checkScope({ database: folder.at("m.db") }, scope, readOnly)).rejects.toThrow(sentence);
    expect(folder.tree()).toEqual({});
  });

  test("is refused where the memory of the scope cannot be written", async () => {
    await using folder = tempFolder({ file: "x" });
    await expect(checkScope({ database: folder.at("file/m.db") }, "work", false)).rejects.toThrow("Cannot store the memory at");
  });
});

describe("users that an authorization server names", () => {
  test("have memories of their own, and the operator is warned of the one that they had together", async () => {
    await using folder = tempFolder({ "m.db": "" });
    const warnings: string[] = [];
    const given = { location: { database: folder.at("m.db") }, hasUsers: true, warn: (message: string) => void warnings.push(message) };
    expect(startScope({ ...given, given: undefined })).toBe("principal");
    expect(warnings).toEqual([
      `Each user has a memory of their own, and does not see the one at ${folder.at("m.db")}. Use --scope default to share that one.`,
    ]);
    expect(startScope({ ...given, given: "default" })).toBe("default");
    expect(startScope({ ...given, hasUsers: false, given: undefined })).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});
