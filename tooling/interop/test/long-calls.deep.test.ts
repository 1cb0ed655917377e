// Calls that take a while: progress, cancellation and log messages.
// https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress (and /cancellation, /server/utilities/logging)
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, vi } from "vitest";
import { everyClient, inSessions, READY, stateless } from "./support/every-client.ts";
import type { Level, Progress } from "./support/official-client.ts";

/** The largest tree that is at hand wherever these tests run: tens of thousands of real files. */
const LARGE = fileURLToPath(new URL("../../../node_modules", import.meta.url));
/** Nothing is found. */
const SEARCH = { path: LARGE, pattern: "**/nothing-of-this-name" };
/** Nothing is found, and much is compared on the way. */
const LONG_SEARCH = { ...SEARCH, excludePatterns: Array.from({ length: 20 }, (_, at) => `**/*a*${at}*e*x`) };

/**
 * Both clients handle a notification a moment later than an answer that comes with it, and then complain of progress whose
 * token they have forgotten. How much comes at once is up to the machine.
 */
const FORGOTTEN = /^Received a progress notification for an unknown token/;

everyClient("CANCEL-06 answers the other half when half of many parallel calls are cancelled", async ({ folder, connect }) => {
  folder.write(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, `number ${at}`])));
  const client = await connect({ faults: /unknown message ID/i }); // some answers are under way already
  const calls = Array.from({ length: 40 }, (_, at) => {
    const call = new AbortController();
    const answer = client.call("read_text_file", { path: `${at}.txt` }, { signal: call.signal });
    if (at % 2 === 1) call.abort("never mind");
    return answer.then(
      ({ content }) => content[0]?.text,
      () => "cancelled",
    );
  });
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 40 }, (_, at) => (at % 2 === 1 ? "cancelled" : `number ${at}`)));
});

everyClient(
  "PROG-03 PROG-04 PROG-08 PROG-10 progress rises, with messages where the revision has them, and only with a progress token",
  async (guest) => {
    const client = await guest.connect({ serve: [`${LARGE}:ro`], faults: FORGOTTEN });
    const steps: Progress[] = [];
    expect((await client.call("search_files", SEARCH, { onProgress: (step) => void steps.push(step) })).isError ?? false).toBe(false);
    expect(steps.length).toBeGreaterThan(0);
    const values = steps.map(({ progress }) => progress);
    expect(values).toEqual([...new Set(values)].toSorted((a, b) => a - b));
    for (const { message, progress } of steps) {
      expect(message).toBe(guest.revision >= "2025-03-26" ? `${progress} entries looked at` : undefined);
    }
    const complaints = client.faults.length;
    await client.call("search_files", { ...SEARCH, path: join(LARGE, ".bin") });
    expect(client.faults.length).toBe(complaints);
  },
);

everyClient("CANCEL-03 CANCEL-11 HTTP-30 HTTP-31 a cancelled search stops without a response", async ({ connect }) => {
  const client = await connect({ serve: [`${LARGE}:ro`], faults: FORGOTTEN });
  const search = new AbortController();
  const calling = client.call("search_files", LONG_SEARCH, { signal: search.signal, onProgress: () => search.abort("seen enough") });
  await expect(calling).rejects.toThrow("seen enough");
  // A response to the cancelled search would be an error of the client.
  expect((await client.call("get_file_info", { path: LARGE })).isError ?? false).toBe(false);
});

describe("logging", () => {
  /** The walk goes 256 levels down, and tells that it leaves out the rest. */
  const deep = (at: (...names: string[]) => string) => mkdirSync(at(...Array.from({ length: 300 }, () => "d")), { recursive: true });
  const WARNING = {
    level: "warning",
    logger: "oarlock-filesystem",
    data: expect.objectContaining({ message: "directories could not be read" }),
  };

  everyClient(
    "LOG-02 LOG-03 LOG-07 from the level that the client sets",
    async ({ over, folder, connect }) => {
      deep(folder.at);
      // Who started a server that listens needs to know where, however quiet it is to be.
      const client = await connect({ serve: [folder.path, "--log-level", "error"], stderr: over === "stdio" ? [] : [READY] });
      const search = () => client.call("search_files", { path: folder.path, pattern: "**/nothing" });
      await client.setLevel("error");
      await search();
      await client.ping();
      expect(client.log).toEqual([]);
      await client.setLevel("warning");
      await search();
      await client.ping();
      expect(client.log).toEqual([WARNING]);
    },
    inSessions,
  );

  everyClient(
    "LOG-07 LOG-10 LOG-11 from the level of a call, for that call only",
    async ({ over, folder, connect }) => {
      deep(folder.at);
      const client = await connect({ serve: [folder.path, "--log-level", "error"], stderr: over === "stdio" ? [] : [READY] });
      const search = (logLevel?: Level) =>
        client.call("search_files", { path: folder.path, pattern: "**/nothing" }, { ...(logLevel && { logLevel }) });
      await search();
      await search("error");
      expect(client.log).toEqual([]);
      await search("warning");
      await vi.waitFor(() => expect(client.log).toEqual([WARNING]), { timeout: 60_000 });
      await search();
      expect(client.log).toEqual([WARNING]);
    },
    stateless,
  );
});
