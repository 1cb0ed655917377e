// Complaints about the start of the server and its process, each answered by a test. The manual lists them.
import { symlinkSync } from "node:fs";
import type { Json } from "@oarlock/server-kit/protocol";
import { connectTo, startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { makeRepository } from "../support/repository.ts";
import { bin } from "../support/target.ts";
import { textOf, world } from "../support/world.ts";

test("servers#3029 servers#3997 servers#1991 accepts `.` and any folder of the work tree, and names the top of a part", async () => {
  await using folder = tempFolder();
  const repository = makeRepository(folder.at("project"), { "src/deep/f": "one" });
  symlinkSync("project", folder.at("link"));
  for (const [cwd, path] of [
    [repository.path, "."],
    [folder.path, "project"],
    [folder.path, "./project/"],
    [folder.path, "link"],
  ] as const) {
    await using wired = await connectTo({ ...bin(["--repository", path]), cwd });
    for (const repo_path of [undefined, ".", repository.path, `${repository.path}/src/deep`, "src", "src/deep"]) {
      const args: Json = repo_path === undefined ? {} : { repo_path };
      expect(textOf(await wired.client.call("git_log", args)), `${path} ${repo_path}`).toContain("first");
    }
  }
  await using part = startRaw({ ...bin(["--repository", "."]), cwd: `${repository.path}/src` });
  expect((await part.exit()).code).not.toBe(0);
  expect(part.stderr).toContain(repository.path);
});

test("servers#619 takes the committer from the environment, the repository or the user, and never invents one", async () => {
  await using folder = tempFolder({ home: { ".gitconfig": "[user]\n\tname = Home User\n\temail = home@example.org\n" }, empty: {} });
  const repository = makeRepository(folder.at("project"), { f: "one" });
  const commitWith = async (env: Readonly<Record<string, string>>): Promise<string> => {
    await using wired = await connectTo(bin(["--repository", repository.path], env));
    const output = textOf(await wired.client.call("git_commit", { message: "who", allow_empty: true }));
    return output.startsWith("Changes committed") ? repository.git("log", "-1", "--format=%an <%ae>, %cn <%ce>") : output;
  };
  const role = (name: string) =>
    Object.fromEntries(
      ["AUTHOR", "COMMITTER"].flatMap((who) => [
        [`GIT_${who}_NAME`, name],
        [`GIT_${who}_EMAIL`, "e@example.org"],
      ]),
    );
  expect(await commitWith({ HOME: folder.at("home"), ...role("Of Environment") })).toBe(
    "Of Environment <e@example.org>, Of Environment <e@example.org>",
  );
  expect(await commitWith({ HOME: folder.at("home") })).toBe("Ada Lovelace <ada@example.org>, Ada Lovelace <ada@example.org>");
  repository.git("config", "--remove-section", "user");
  expect(await commitWith({ HOME: folder.at("home") })).toBe("Home User <home@example.org>, Home User <home@example.org>");
  const head = repository.git("rev-parse", "HEAD");
  expect(await commitWith({ HOME: folder.at("empty") })).toMatch(/^The committer is unknown: set user\.name/);
  expect(repository.git("rev-parse", "HEAD")).toBe(head);
});

test("servers#1317 prints its ready line on stderr only", async () => {
  await using folder = tempFolder();
  const { path } = makeRepository(folder.at("project"), { f: "one" });
  await using server = startRaw(bin(["--repository", path]));
  await expect.poll(() => server.stderr).toMatch(/ready/);
  expect(server.unread).toEqual([]);
});

test("MrLesk/Backlog.md#403 wandercom/kindex#18 riponcm/projectmem#4 gives git no pipe of the protocol while many calls are in flight", async () => {
  await using at = await world({ tree: { f: "one" }, transport: "stdio" });
  const all = await Promise.all(Array.from({ length: 40 }, () => at.call("git_status")));
  expect(new Set(all.map(({ text }) => text)).size).toBe(1);
  expect(at.wired.faults).toEqual([]);
});
