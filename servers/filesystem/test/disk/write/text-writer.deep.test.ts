// Writing in a process that is limited in the size of its files.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeText } from "../../../src/disk/write/text-writer.ts";
import { SOURCES } from "../support/sources.ts";
import { world } from "../support/world.ts";

test.runIf(process.getuid?.() === 0 && existsSync("/dev/full"))("reports a full disk and leaves the file as it was", async () => {
  const { root, open } = world();
  const sandbox = await open();
  // A process may be limited in the size of its files; that is the full disk which every machine has.
  await writeText(sandbox, "f", "old");
  const script = `
    import { openDisk } from ${JSON.stringify(new URL("../../../src/disk/disk.ts", import.meta.url).href)};
    import { writeText } from ${JSON.stringify(new URL("../../../src/disk/write/text-writer.ts", import.meta.url).href)};
    process.on("SIGXFSZ", () => {});
    const sandbox = (await openDisk({ directories: [{ path: ${JSON.stringify(root)}, readOnly: false }] })).sandbox();
    const text = "x".repeat(3_000_000);
    for (const act of [() => writeText(sandbox, "f", text), () => writeText(sandbox, "f", text, { mode: "append" }), () => writeText(sandbox, "new", text)])
      await act().then(() => console.log("done"), (error) => console.log(error.code));
  `;
  const shell = `ulimit -f 1000; exec "$0" ${SOURCES.join(" ")} --input-type=module -e "$1"`;
  const output = execFileSync("sh", ["-c", shell, process.execPath, script], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  expect(output).toBe("io\nio\nio\n");
  expect(readdirSync(root)).toEqual(["f"]);
  expect(readFileSync(join(root, "f"), "utf8")).toBe("old");
});
