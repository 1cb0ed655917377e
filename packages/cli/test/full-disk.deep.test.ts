// Readiness on a disk that is full: a small tmpfs, which root can mount on Linux.
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tempFolder } from "../../testing/src/files/temp-folder.ts";
import { expect, test } from "vitest";
import { storeChecks } from "../src/operations/store-checks.ts";
import { Health } from "../src/operations/health.ts";

const MEGABYTE = 1024 * 1024;

function mount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("shows a full disk, and its end", async ({ skip }) => {
  await using folder = tempFolder({});
  if (!mount(folder.path)) skip("needs root on Linux");
  const health = new Health(storeChecks([{ file: folder.at("a.db") }]), () => undefined);
  try {
    await health.check();
    expect(health.readiness).toEqual([200, "ok"]);
    expect(() => writeFileSync(folder.at("fill"), Buffer.alloc(5 * MEGABYTE))).toThrow("ENOSPC");
    await health.check();
    expect(health.readiness).toEqual([503, "failing: disk"]);
    rmSync(folder.at("fill"));
    await health.check();
    expect(health.readiness).toEqual([200, "ok"]);
  } finally {
    health.stop();
    execFileSync("umount", [folder.path]);
  }
});
