/** A real file system that ignores case, mounted from a file: NTFS by lowntfs-3g. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IMAGE_BYTES = 16 * 1024 * 1024;

/** Why there is none on this machine; undefined where there is. */
export function whyNoMount(): string | undefined {
  if (process.platform !== "linux") return "not Linux";
  if (process.getuid?.() !== 0) return "not the administrator";
  if (!existsSync("/dev/fuse")) return "no FUSE in this kernel";
  const missing = ["mkntfs", "lowntfs-3g", "umount"].filter((program) => spawnSync(program, ["--version"]).error !== undefined);
  return missing.length === 0 ? undefined : `no ${missing.join(" and ")} (Debian package ntfs-3g)`;
}

export interface Mount extends Disposable {
  readonly path: string;
}

/**
 * All names are listed in lower case (lowntfs-3g(8), ignore_case), names that Windows refuses are refused (windows_names), and `/proc` and
 * realpath repeat the spelling of the lookup.
 */
export function mountIgnoringCase(): Mount {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-mount-")));
  const [image, path] = [join(base, "image"), join(base, "mounted")];
  writeFileSync(image, "");
  truncateSync(image, IMAGE_BYTES);
  mkdirSync(path);
  run("mkntfs", "--quick", "--force", "--quiet", image);
  run("lowntfs-3g", "-o", "ignore_case,windows_names", image, path);
  return {
    path,
    [Symbol.dispose]() {
      run("umount", path);
      rmSync(base, { recursive: true });
    },
  };
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}
