// Valkey from Debian's packages, unpacked into a cache folder. Nothing is installed, and no rights are needed.
import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ValkeyProgram } from "./valkey-program.ts";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const SOURCE = `deb [signed-by=${KEYRING}] http://deb.debian.org/debian trixie main\n`;

/** The server with all libraries, the C library included: the machine may have an older Debian. */
const PACKAGES = [
  "valkey-tools",
  "libatomic1",
  "libc6",
  "libcap2",
  "libgcc-s1",
  "libjemalloc2",
  "liblzf1",
  "libssl3t64",
  "libstdc++6",
  "libsystemd0",
  "libzstd1",
  "zlib1g",
];

/** By Node's name of the architecture: the folder of the libraries and the loader in it. */
const LOADERS: Record<string, readonly [string, string]> = {
  x64: ["x86_64-linux-gnu", "ld-linux-x86-64.so.2"],
  arm64: ["aarch64-linux-gnu", "ld-linux-aarch64.so.1"],
};

/** After a failed download, the next one starts no earlier than this. */
const RETRY_MS = 10 * 60_000;

const run = promisify(execFile);

/** The program, or the reason why there is none. */
export async function debianValkey(): Promise<ValkeyProgram | string> {
  const [triplet, loader] = LOADERS[process.arch] ?? [];
  const isDebian = existsSync(KEYRING) && existsSync("/usr/bin/apt-get");
  if (triplet === undefined || loader === undefined || !isDebian)
    return "neither valkey-server nor redis-server (7.0 or later) is on the PATH";
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "oarlock-engines");
  const folder = join(cache, `valkey-trixie-${process.arch}`);
  if (!existsSync(folder)) {
    const failure = await downloadInto(cache, folder);
    if (failure !== undefined) return failure;
  }
  const libraries = join(folder, "usr/lib", triplet);
  const server = join(folder, "usr/bin/valkey-check-rdb"); // one program, whose name decides what it does
  return { command: join(libraries, loader), args: ["--library-path", libraries, "--argv0", "valkey-server", server] };
}

/** Returns why the download failed; undefined if it did not. */
async function downloadInto(cache: string, folder: string): Promise<string | undefined> {
  const failed = join(cache, "failure.txt");
  if (existsSync(failed) && Date.now() - statSync(failed).mtimeMs < RETRY_MS) return readFileSync(failed, "utf8");
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "download-"));
  try {
    await download(work);
    const unpacked = join(work, "root");
    try {
      renameSync(unpacked, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error; // otherwise another process was faster
    }
    return undefined;
  } catch (error) {
    const reason = `Debian's packages of Valkey could not be downloaded (${lastLine(error)})`;
    writeFileSync(failed, reason);
    return reason;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function download(work: string): Promise<void> {
  for (const name of ["lists/partial", "cache/archives/partial", "packages", "root"]) mkdirSync(join(work, name), { recursive: true });
  writeFileSync(join(work, "trixie.list"), SOURCE);
  const options = [
    `Dir::State::lists=${join(work, "lists")}`,
    `Dir::Cache=${join(work, "cache")}`,
    `Dir::Etc::sourcelist=${join(work, "trixie.list")}`,
    "Dir::Etc::sourceparts=-",
    "Dir::State::status=/dev/null",
    "APT::Sandbox::User=root",
    "APT::Update::Error-Mode=any",
    "Acquire::Languages=none",
    "Acquire::Retries=1",
    "Acquire::http::Timeout=10",
  ].flatMap((option) => ["-o", option]);
  const apt = async (...args: string[]): Promise<void> => {
    await run("apt-get", ["-qq", ...options, ...args], {
      cwd: join(work, "packages"),
      timeout: 50_000,
      env: { ...process.env, LC_ALL: "C" },
    });
  };
  await apt("update");
  await apt("download", ...PACKAGES);
  for (const name of globSync("*.deb", { cwd: join(work, "packages") }))
    await run("dpkg-deb", ["-x", join(work, "packages", name), join(work, "root")]);
}

const lastLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "";
