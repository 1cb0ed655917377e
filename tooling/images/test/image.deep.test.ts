// The image of each server, built from its Dockerfile without a daemon and entered: user, read-only root, protocol, health check and stop. The
// Dockerfiles have one template: each run builds that of git, which has packages of Debian and starts processes, in one revision and with one engine;
// the long tier builds all, in both revisions and with both engines.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { connect } from "@oarlock/client";
import { childProcesses, startRaw, tempFolder, waitUntil, type RawProcess, type TempFolder } from "@oarlock/testing";
import { isLong } from "@oarlock-tooling/test-support/long-tier";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { LoopbackRegistry } from "@oarlock-tooling/registry/loopback-registry";
import { SERVERS } from "@oarlock-tooling/release/about";
import { packedOnce } from "@oarlock-tooling/release/packed-once";
import { folderOf, manifestOf } from "@oarlock-tooling/release/repository";
import { TRIALS } from "@oarlock-tooling/release/trial";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { containerCommand, exec, missingNamespaces, type RunOptions } from "./support/container.ts";
import { buildImage, type Image } from "./support/image.ts";

const skipReason = missingNamespaces();
const REVISION = "0123456789abcdef0123456789abcdef01234567";

const BUILT = isLong ? SERVERS : SERVERS.filter(({ name }) => name === "git");
const REVISIONS = isLong ? ["2025-11-25", "2026-07-28"] : ["2025-11-25"];
const PLACES = [["switch", "valkey"] as const, ...(isLong ? [["variable", "postgres"] as const] : [])];

let bases: TempFolder;
let registry: LoopbackRegistry;

describe("images", skipReason === undefined ? {} : { skip: true, meta: { skipReason } }, () => {
  beforeAll(async () => {
    bases = tempFolder();
    registry = await LoopbackRegistry.start([...(await packedOnce()).values()]);
  });
  afterAll(async () => {
    await registry?.[Symbol.asyncDispose]();
    await bases?.[Symbol.asyncDispose]();
  });

  describe.each(BUILT)("of $name", (about) => {
    const { version } = manifestOf(folderOf(about));
    const trial = TRIALS[about.name]!;
    let folder: TempFolder;
    let image: Image;
    let data: TempFolder;
    let options: RunOptions;

    beforeAll(async () => {
      [folder, data] = [tempFolder(), tempFolder()];
      const env = { ...process.env, npm_config_registry: registry.url, npm_config_prefer_offline: "true" };
      const dockerfile = readFileSync(join(folderOf(about), "Dockerfile"), "utf8");
      image = await buildImage(dockerfile, { args: { VERSION: version, REVISION }, env, folder: folder.path, bases: bases.path });
      mkdirSync(join(image.root, "data"));
      const args = trial.args(data).map((word) => word.replace(data.path, "/data"));
      execFileSync("chown", ["--recursive", "1000:1000", data.path]);
      options = { data: data.path, args, network: "none" };
    });
    afterAll(async () => {
      await folder[Symbol.asyncDispose]();
      await data[Symbol.asyncDispose]();
    });

    /** The same paths as the container sees them. */
    const inside = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value).replaceAll(data.path, "/data"));
    const start = (more: Partial<RunOptions> = {}): RawProcess => startRaw(containerCommand(image, { ...options, ...more }));
    /** Process 1 of a container, seen from outside. */
    const firstProcess = (container: RawProcess): number => childProcesses(container.pid)[0] ?? -1;
    const health = (pid: number, env: Readonly<Record<string, string>>) => exec(image, pid, image.healthcheck?.command ?? [], { env });

    test("has the labels of its version and leaves npm out", () => {
      expect(image.labels).toMatchObject({
        "io.modelcontextprotocol.server.name": `io.github.oarlock/${about.name}`,
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.revision": REVISION,
      });
      const found = execFileSync("find", [image.root, "-name", "npm*", "-path", "*bin*"], { encoding: "utf8" });
      expect(found).toBe("");
    });

    test.each(REVISIONS)("answers a call on stdio in %s without a network, with a read-only root", async (revision) => {
      await using client = await connect(containerCommand(image, options), { revision });
      const { content } = await client.call(trial.call.name, inside(trial.call.args(data)));
      expect(JSON.stringify(content)).toContain(trial.call.text);
    });

    test("is process 1, runs as user 1000 without rights, and ends with 0 by its stop signal", async () => {
      await using container = start();
      await container.handshake();
      const pid = firstProcess(container);
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      expect(status).toMatch(/^Gid:\t1000\t1000\t1000\t1000$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      const account = await exec(image, pid, ["node", "-p", "[os.userInfo().username, os.homedir(), process.cwd()].join()"]);
      expect(account).toMatchObject({ stdout: "node,/home/node,/home/node\n" });
      const write = (path: string) => ["node", "-e", `fs.writeFileSync("${path}", "")`];
      expect((await exec(image, pid, write("/tmp/x"), { user: "0:0" })).stderr).toContain("EROFS");
      expect(readFileSync(`/proc/${pid}/net/dev`, "utf8").trim().split("\n").slice(2)).toEqual([expect.stringMatching(/^\s*lo:/)]);
      expect(await health(pid, {})).toMatchObject({ code: 0, stderr: "" });
      // Nothing listens there.
      expect(await health(pid, { OARLOCK_OPS_PORT: "9090" })).toMatchObject({ code: 1 });
      process.kill(pid, image.stopSignal);
      expect(await container.exit()).toEqual({ code: 0, signal: null });
    });

    test.each(PLACES)(
      "answers over HTTP with telemetry and an engine that is away; its health check finds the operations port in a %s",
      async (place, engine) => {
        const opsPort = String(await freePort());
        const env: Record<string, string> = {
          ...{ OARLOCK_BACKPLANE: `${engine}://127.0.0.1:1`, OARLOCK_STATE_KEY: REVISION, OARLOCK_OTEL: "1" },
          ...(place === "variable" && { OARLOCK_OPS_PORT: opsPort }),
        };
        const args = [...options.args, "--http", "--port=0", ...(place === "switch" ? ["--ops-port", opsPort] : []), "--drain-ms=0"];
        await using container = start({ args, env, network: "host" });
        const listening = /listening on (\S+)/;
        const stderr = await waitUntil(
          () => container.stderr,
          (text) => listening.test(text),
        ); // its last value says why it does not
        const [, url = ""] = listening.exec(stderr) ?? [];
        await using client = await connect({ url }, { revision: "2026-07-28" });
        const { content } = await client.call(trial.call.name, inside(trial.call.args(data)));
        expect(JSON.stringify(content)).toContain(trial.call.text);
        const pid = firstProcess(container);
        expect(await health(pid, env)).toMatchObject({ code: 0, stderr: "" });
        await client.close();
        process.kill(pid, image.stopSignal);
        expect(await container.exit()).toEqual({ code: 0, signal: null });
      },
    );
  });
});
