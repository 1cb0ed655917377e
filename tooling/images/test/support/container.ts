// A container without a daemon: a process in the root folder of an image, with namespaces and a user of its own. Needs root and `unshare`.
import { spawnSync } from "node:child_process";
import type { Command } from "@oarlock/client";
import { runProgram, type ProgramResult } from "@oarlock-tooling/test-support/run-program";
import type { Image } from "./image.ts";

/** Why this machine cannot start one; undefined where it can. */
export function missingNamespaces(): string | undefined {
  if (process.getuid?.() !== 0) return "only root may enter the root folder of an image";
  if (spawnSync("dpkg", ["-L", "git"]).status !== 0) return "the packages of an image come from a Debian with git";
  const { status } = spawnSync("unshare", [...NAMESPACES, "--net", "--", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
  return status === 0 ? undefined : "this machine does not allow new namespaces and mounts (unshare)";
}

/** As Docker sets it where an image does not. */
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const NAMESPACES = ["--mount", "--pid", "--ipc", "--uts", "--fork", "--kill-child"];

/** Makes the root folder read-only, all but /data, and becomes the entry point: process 1. */
const ENTER = `
root=$1 data=$2 workdir=$3 user=$4 group=$5
shift 5
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount -t proc proc "$root/proc"
for device in null urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
mount -o remount,bind,ro "$root"
exec unshare --root "$root" --wd "$workdir" --setgid "$group" --setuid "$user" -- "$@"
`;

export interface RunOptions {
  /** The folder that is /data in the container, which must be there in the image. */
  readonly data: string;
  /** Arguments of the entry point. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `none`: no network, not even that of this machine. */
  readonly network: "none" | "host";
}

/** As `docker run --read-only --volume DATA:/data IMAGE ARGS` would start it. */
export function containerCommand(image: Image, { data, args, env = {}, network }: RunOptions): Command {
  const [user = "", group = ""] = image.user.split(":");
  const namespaces = network === "none" ? [...NAMESPACES, "--net"] : NAMESPACES;
  const inside = ["sh", "-ec", ENTER, "sh", image.root, data, image.workdir, user, group, ...image.entrypoint, ...args];
  return { command: "env", args: ["-i", ...environment(env), "unshare", ...namespaces, "--", ...inside] };
}

/** Runs a command in a running container, as `docker exec` and health checks do. `pid`: of its process 1, seen from outside. */
export function exec(image: Image, pid: number, command: readonly string[], options: ExecOptions = {}): Promise<ProgramResult> {
  const [user = "", group = ""] = (options.user ?? image.user).split(":");
  const inside = ["--mount", "--pid", "--net", "--root", "--wd", "--setuid", user, "--setgid", group, "--", ...command];
  const args = ["-i", ...environment(options.env ?? {}), "nsenter", "--target", String(pid), ...inside];
  return runProgram("env", args);
}

export interface ExecOptions {
  readonly user?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const environment = (own: Readonly<Record<string, string>>): string[] =>
  Object.entries({ PATH, HOME: "/home/node", ...own }).map(([name, value]) => `${name}=${value}`);
