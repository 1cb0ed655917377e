// What --scope and --read-scope may name, and what the operator is warned of.
import { tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { startScope } from "../../src/scopes/start-scope.ts";
import { startServer } from "../support/server-process.ts";

describe("a server", () => {
  test.each([
    [["--scope=principal"], "--scope principal needs --http and --oauth-issuer, which name the users."],
    [["--scope=../other"], 'Invalid scope "../other"'],
    [["--read-scope=Team"], 'Invalid scope "Team"'],
    [["--read-scope=project"], "--read-scope project is not the name of one memory."],
  ])("with %j does not start", async (args, sentence) => {
    await using folder = tempFolder();
    await expect(startServer(folder.at("m.db"), args)).rejects.toThrow(sentence);
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
