// doctor: what is wrong with the directories, with the remedy.
import { chmodSync, writeFileSync } from "node:fs";
import { otherUser } from "@oarlock-tooling/test-support/other-user";
import { doctorFailures } from "@oarlock-tooling/test-support/doctor";
import { needs, tempFolder } from "@oarlock/testing";
import { expect, test, vi } from "vitest";
import { bin } from "./support/target.ts";

vi.setConfig({ testTimeout: 60_000 });

const user = otherUser(new URL("..", import.meta.url));

test("names directories that are missing or files, and changes nothing", async () => {
  await using folder = tempFolder({ good: {}, file: "x" });
  const command = bin(["doctor", "--json", folder.at("good"), folder.at("missing"), folder.at("file")]);
  expect(await doctorFailures(command)).toMatchObject([
    { name: "directory", message: expect.stringContaining("does not exist") },
    { name: "directory", message: expect.stringContaining("is a file") },
  ]);
});

test("names directories that this user may not read or write", needs("file modes"), async () => {
  await using folder = tempFolder({ closed: {}, "read-only": {} });
  chmodSync(folder.path, 0o755);
  chmodSync(folder.at("closed"), 0o000);
  chmodSync(folder.at("read-only"), 0o555);
  const args = ["doctor", "--json", folder.at("closed"), folder.at("read-only")];
  const failures = await doctorFailures(user.command(bin(args, { HOME: "/nonexistent" })));
  chmodSync(folder.at("closed"), 0o700);
  expect(failures).toMatchObject([
    { message: expect.stringContaining("permission denied"), remedy: expect.stringContaining("right to read") },
    { message: expect.stringContaining("not written"), remedy: expect.stringContaining("right to write") },
  ]);
});

test("warns that nothing is served without a directory when roots are ignored", async () => {
  expect(await doctorFailures(bin(["doctor", "--json", "--roots=ignore"]))).toMatchObject([{ name: "roots" }]);
});

test("quotes path, reason and remedy of a failed start, from a host's entry", async () => {
  await using folder = tempFolder({ ".cursor": {} });
  const entry = bin([folder.at("missing")]);
  writeFileSync(folder.at(".cursor/mcp.json"), JSON.stringify({ mcpServers: { "oarlock-filesystem": entry } }));
  expect(await doctorFailures(bin(["doctor", "--json"], { HOME: folder.path }))).toMatchObject([
    {
      name: "host Cursor",
      message: expect.stringContaining(
        `Cannot serve directory "${folder.at("missing")}": it does not exist. Create it, or correct the path.`,
      ),
    },
  ]);
});
