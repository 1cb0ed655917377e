// Machines without a home folder, a readable cache, or a place where folders can be created.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import type { Command } from "@oarlock/client";
import { otherUser } from "@oarlock-tooling/test-support/other-user";
import { startRaw, tempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { bin } from "../support/targets.ts";

interface Ended {
  code: number | null;
  first: string | undefined;
}

async function ended(command: Command): Promise<Ended> {
  await using server = startRaw(command);
  server.end();
  const { code } = await server.exit();
  return { code, first: server.stderr.split("\n")[0] };
}

/** A user without an entry in the user database, as in a container. */
const user = otherUser(new URL("../..", import.meta.url), 54_321);
const asNumber = (own: Command, env: Command["env"] = {}): Command => ({
  ...user.command(own),
  env: { ...own.env, HOME: undefined, XDG_DATA_HOME: undefined, MEMORY_FILE_PATH: undefined, NODE_COMPILE_CACHE: undefined, ...env },
});
const HOMELESS = "Error: This user has no home directory. Set HOME, or name a file with --db or MEMORY_FILE_PATH.";

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)("case MEM-13: a user without a home", () => {
  test.each([[[]], [["--db", "~/m.db"]], [["export"]], [["verify"]]])("%j: what to do, with code 3", async (args) => {
    const { code, first } = await ended(asNumber(bin(args)));
    // The command line expands ~ before the server looks for its file.
    const message = args[0] === "--db" ? "Error: This user has no home directory. Set HOME, or write every path without ~." : HOMELESS;
    expect({ code, first }).toEqual({ code: 3, first: message });
  });

  test.each(["by the folder for data", "by switch"])("is served with a place given %s", async (how) => {
    await using folder = tempFolder({ data: {} });
    for (const path of [folder.path, folder.at("data")]) chmodSync(path, 0o777);
    const command =
      how === "by switch" ? asNumber(bin(["--db", folder.at("data/m.db")])) : asNumber(bin(), { XDG_DATA_HOME: folder.at("data") });
    const { code, first } = await ended(command);
    expect({ code, first }).toEqual({ code: 0, first: expect.stringContaining("is ready on stdio") });
  });

  test("starts without the hint where the cache of npx belongs to another user", async () => {
    await using folder = tempFolder({ home: { ".npm": { _npx: {} } } });
    for (const path of [folder.path, folder.at("home")]) chmodSync(path, 0o777);
    chmodSync(folder.at("home/.npm/_npx"), 0o700);
    const { code, first } = await ended(asNumber(bin(), { HOME: folder.at("home") }));
    expect({ code, first }).toEqual({ code: 0, first: expect.stringContaining("is ready on stdio") });
  });
});

// In a process that can be killed: a process in an endless loop does not handle signals.
describe.runIf(existsSync("/proc/self"))("case MEM-13: a place that says of every new folder that there is no such thing", () => {
  test.each([
    [["--db", "/proc/oarlock/deep/m.jsonl"], {}],
    [["--db", "/proc/oarlock/m.db"], {}],
    [[], { HOME: "/proc", XDG_DATA_HOME: "", MEMORY_FILE_PATH: "" }],
  ])("%j %j is refused at the start", (args, env) => {
    const { command, args: all = [], env: own } = bin(args, env);
    const { status, stderr } = spawnSync(command, all, {
      env: { ...process.env, ...own },
      encoding: "utf8",
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr: expect.stringMatching(/^Error: Cannot store the memory at \/proc\/\S+ \(ENOENT\)/),
    });
  });
});
