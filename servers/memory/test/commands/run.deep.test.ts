// Commands as processes: pipes, a full disk, a wrong switch of the server, and a lock of another program.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { needs, tempFolder, type TempFolder } from "@oarlock/testing";
import { describe, expect, test } from "vitest";
import { openStore } from "../../src/graph/store/open-store.ts";
import { entity, jsonl } from "../support/graphs.ts";
import type { Ended } from "../support/run-command.ts";
import { bin } from "../support/targets.ts";

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Ended {
  const { command, args: all = [], env: own } = bin(args, env);
  const { status, stdout, stderr } = spawnSync(command, all, { encoding: "utf8", env: { ...process.env, ...own } });
  return { code: status, out: stdout, stderr: stderr.split("\n").filter((line) => line !== "") };
}

const graph = [entity("a", "t", "x"), entity("b", "u")];

test("takes the store of a command from the environment", async () => {
  await using folder = tempFolder({ "m.jsonl": jsonl(graph) });
  expect(run(["export"], { MEMORY_FILE_PATH: folder.at("m.jsonl") })).toEqual({ code: 0, out: jsonl(graph), stderr: [] });
  expect(run(["exprot"])).toMatchObject({ code: 2, out: "", stderr: [expect.stringContaining('Unknown command "exprot"')] });
});

test("refuses an invalid duration", () => {
  const stderr = [expect.stringMatching(/^Error: --keep-history "0d" not understood: a duration such as/)];
  expect(run(["--keep-history", "0d"])).toMatchObject({ code: 2, stderr });
});

describe("export to stdout", () => {
  const many = Array.from({ length: 5000 }, (_, at) => entity(`entity ${at}`, "t", "x".repeat(100)));
  const into = (folder: TempFolder, rest: string): Ended => {
    const { command, args = [] } = bin(["export", "--db", folder.at("m.jsonl")]);
    const { status, stdout, stderr } = spawnSync("bash", ["-c", `"$@" ${rest}`, "bash", command, ...args], { encoding: "utf8" });
    // Progress appears where a machine takes longer than a second.
    return { code: status, out: stdout, stderr: stderr.split("\n").filter((line) => line !== "" && !line.startsWith("Lines exported: ")) };
  };

  test("ends without an error when the reader closes the pipe", needs("named pipes"), async () => {
    await using folder = tempFolder({ "m.jsonl": jsonl(many) });
    const [first] = jsonl(many).split("\n");
    expect(into(folder, "| head -1; exit ${PIPESTATUS[0]}")).toEqual({ code: 0, out: `${first}\n`, stderr: [] });
  });

  test.each([
    ["the help text", "--help", 0],
    ["an error on stderr", "--unknown 2>&1", 2],
  ])("%s ends without a crash when the reader has closed the pipe", needs("named pipes"), async (_what, rest, code) => {
    await using folder = tempFolder({ "m.jsonl": jsonl(graph) });
    expect(into(folder, `${rest} | true; exit \${PIPESTATUS[0]}`)).toEqual({ code, out: "", stderr: [] });
  });

  test.skipIf(!existsSync("/dev/full"))("reports a full disk with the next step", async () => {
    await using folder = tempFolder({ "m.jsonl": jsonl(graph) });
    const stderr = ["Error: Cannot write the export (ENOSPC). Make room, or name a file with --output."];
    expect(into(folder, "> /dev/full")).toEqual({ code: 3, out: "", stderr });
  });
});

test("fails with the next step while another program holds a lock", async () => {
  await using folder = tempFolder();
  const store = await openStore(folder.at("m.db"));
  store.db.exec("BEGIN IMMEDIATE");
  const ended = run(["compact", "--db", folder.at("m.db")]);
  store.close();
  expect(ended).toMatchObject({ code: 3 });
  expect(ended.stderr.at(-1)).toMatch(/^Error: Memory busy: .* Try again\.$/);
});
