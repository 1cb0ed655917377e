// search_file_contents in a process of its own, whose search is ended with its client or call, or by the system.
import { linkSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { needs, startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { soon } from "../support/soon.ts";
import { bin } from "../support/target.ts";

/** Programs that this process started, as they call themselves. */
const startedBy = (parent: number): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, program = "", ppid] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return Number(ppid) === parent ? [`${program} ${pid}`] : [];
      } catch {
        return []; // it has just ended
      }
    });

/** A directory that takes ripgrep a while, and the call that sets it to work. */
function longSearch() {
  const folder = tempFolder({ 0: "the quick brown fox jumps over the lazy dog\n".repeat(500_000) });
  for (let at = 1; at < 3000; at++) linkSync(folder.at("0"), folder.at(String(at)));
  writeFileSync(folder.at("small"), "small\n");
  const args = { path: folder.path, pattern: "\\w+ \\w+ \\w+ [xyz]\\d$" };
  return { folder, call: { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "search_file_contents", arguments: args } } };
}

/** Its process, as soon as there is one. */
async function searcherOf(server: { readonly pid: number }): Promise<string> {
  const [child = ""] = await soon(
    () => startedBy(server.pid).filter((program) => program.startsWith("rg ")),
    (found) => found.length === 1,
  );
  return child.slice(3);
}

test.each(["notifications/cancelled", "the end of input", "SIGTERM"])(
  "RPC-23 leaves no search running after %s",
  needs("/proc"),
  async (how) => {
    const { folder, call } = longSearch();
    await using _folder = folder;
    await using server = startRaw(bin([folder.path]));
    await server.handshake();
    void server.send(call);
    const pid = await searcherOf(server);
    if (how === "the end of input") server.end();
    else if (how === "SIGTERM") process.kill(server.pid, "SIGTERM");
    else void server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
    await soon(
      () => readdirSync("/proc").includes(pid),
      (runs) => !runs, // the search itself would take minutes
    );
  },
);

test("fails instead of finding nothing when the system kills the search process", needs("Linux"), async () => {
  const { folder, call } = longSearch();
  await using _folder = folder;
  await using server = startRaw(bin([folder.path]));
  await server.handshake();
  void server.send(call);
  process.kill(Number(await searcherOf(server)), "SIGKILL");
  expect(await server.until(({ result }) => result !== undefined)).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("the operating system ended ripgrep") }] },
  });
});
