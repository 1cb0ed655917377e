// The server of a fetch handler in other runtimes than Node, as the table in docs/kit.md says: what `pnpm interop:runtimes` installs.
import { readFileSync } from "node:fs";
import { connect, type Client } from "@oarlock/client";
import { TcpProxy } from "@oarlock-tooling/test-support/tcp-proxy";
import { tempFolder, waitUntil, type TempFolder } from "@oarlock/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleWorker, isInstalled, RUNTIMES, startRuntime } from "./support/runtimes.ts";

const HANDSHAKE = "2025-11-25";
const STATELESS = "2026-07-28";
/** Longer than Bun lets a silent request live. */
const LONG_MS = 11_000;

/** In a worker each request has its own resources. */
const CANCELS: Readonly<Record<string, readonly string[]>> = { workerd: [HANDSHAKE] };
const RESUMES: ReadonlySet<string> = new Set(["bun", "deno"]);

const textOf = ({ content }: Awaited<ReturnType<Client["call"]>>): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

let folder: TempFolder;
beforeAll(async () => {
  folder = tempFolder();
  await bundleWorker(folder);
});
afterAll(() => folder[Symbol.asyncDispose]());

test("names the installed runtimes in the table of platforms", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const { dependencies } = JSON.parse(read("../runtimes/package.json")) as { dependencies: Record<(typeof RUNTIMES)[number], string> };
  const short = (version: string): string => version.split(".").slice(0, 2).join(".");
  const day = dependencies.workerd.split(".")[1]?.replace(/(....)(..)(..)/, "$1-$2-$3");
  const page = read("../../../docs/kit.md");
  expect(page).toContain(`| Bun ${short(dependencies.bun)}, Deno ${short(dependencies.deno)} |`);
  expect(page).toContain(`| workerd ${day} |`);
});

describe.each(RUNTIMES)("in %s", (runtime) => {
  const installed = isInstalled(runtime) ? {} : { skip: true, meta: { skipReason: "pnpm interop:runtimes installs it" } };

  describe.each([HANDSHAKE, STATELESS])("in %s", (revision) => {
    test("answers a POST and a stream with progress", installed, async () => {
      await using server = await startRuntime(runtime, folder);
      await using client = await connect({ url: server.url }, { revision });
      expect(textOf(await client.call("echo", { text: "hello" }))).toBe("hello");
      const steps: number[] = [];
      const onProgress = ({ progress }: { progress: number }): void => void steps.push(progress);
      expect(textOf(await client.call("wait", { ms: 60, steps: 3 }, { onProgress }))).toBe("waited");
      expect(steps).toEqual([1, 2, 3]);
    });

    test("answers a call of eleven silent seconds", installed, async () => {
      await using server = await startRuntime(runtime, folder);
      await using client = await connect({ url: server.url }, { revision });
      expect(textOf(await client.call("wait", { ms: LONG_MS, steps: 1 }))).toBe("waited");
    });

    const cancels = CANCELS[runtime]?.includes(revision) ?? !(runtime in CANCELS);
    test(`${cancels ? "cancels" : "does not cancel"} the call of a client that leaves`, installed, async () => {
      await using server = await startRuntime(runtime, folder);
      await using client = await connect({ url: server.url }, { revision });
      const leaving = new AbortController();
      const call = client.call(
        "wait",
        { ms: 3000, steps: 30 },
        { signal: leaving.signal, onProgress: () => leaving.abort(new Error("enough")) },
      );
      await expect(call).rejects.toThrow("enough");
      const count = async (): Promise<string> => textOf(await client.call("cancelled"));
      if (cancels) await waitUntil(count, (text) => text === "1");
      else expect(await count()).toBe("0");
    });
  });

  test(`${RESUMES.has(runtime) ? "resumes" : "does not resume"} a stream that was cut in a session`, installed, async () => {
    await using server = await startRuntime(runtime, folder);
    await using proxy = await TcpProxy.start(server.url);
    await using client = await connect({ url: proxy.through(server.url) }, { revision: HANDSHAKE });
    let isCut = false;
    const onProgress = (): void => {
      if (!isCut) proxy.interrupt();
      isCut = true;
    };
    const resumes = RESUMES.has(runtime);
    const call = client.call("wait", { ms: 2000, steps: 20 }, { onProgress, ...(!resumes && { timeoutMs: 5000 }) });
    if (resumes) expect(textOf(await call)).toBe("waited");
    else await expect(call).rejects.toThrow(/timed out|no response/i);
    expect(isCut).toBe(true);
  });
});
