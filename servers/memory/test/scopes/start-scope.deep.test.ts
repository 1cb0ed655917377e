// Scopes on the command line.
import { startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { startServer } from "../support/server-process.ts";
import { bin } from "../support/targets.ts";

test.each([
  [["--scope=principal"], "--scope principal needs --http and --oauth-issuer, which name the users."],
  [["--read-scope=Team"], 'Invalid scope "Team"'],
])("%j ends with exit code 2", async (args, sentence) => {
  await using folder = tempFolder();
  await using server = startRaw(bin([`--db=${folder.at("m.db")}`, ...args]));
  expect(await server.exit()).toMatchObject({ code: 2 });
  expect(server.stderr).toContain(sentence);
});

test("--scope and --read-scope name memories beside the default one", async () => {
  await using folder = tempFolder();
  const file = folder.at("m.db");
  {
    await using work = await startServer(file, ["--scope=work"]);
    await work.create("Grace");
  }
  await using server = await startServer(file, ["--read-scope=work"]);
  expect(await server.does("open_nodes", { names: ["Grace"] })).toMatchObject({
    entities: [],
    readScopes: [{ scope: "work", entities: [{ name: "Grace" }] }],
  });
});
