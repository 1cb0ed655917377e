// Programs from Debian's packages, unpacked into a cache folder. Nothing is installed, and no rights are needed.
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const SOURCE = `deb [signed-by=${KEYRING}] http://deb.debian.org/debian trixie main\n`;

/** After a failed download, the next one starts no earlier than this. */
const RETRY_MS = 10 * 60_000;

/** True where packages of Debian can be fetched. */
export const isDebian = (): boolean => existsSync(KEYRING) && existsSync("/usr/bin/apt-get");

/** The folder with the files of these packages. Rejects with the reason when they cannot be had. */
export async function debianPackages(name: string, packages: readonly string[]): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "oarlock-engines");
  const folder = join(cache, `${name}-trixie-${process.arch}`);
  if (existsSync(folder)) return folder;
  const failed = join(cache, `${name}-failure.txt`);
  if (existsSync(failed) && Date.now() - statSync(failed).mtimeMs < RETRY_MS) throw new Error(readFileSync(failed, "utf8"));
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, "download-"));
  try {
    await download(work, packages);
    try {
      renameSync(join(work, "root"), folder);
    } catch (error) {
      if (!existsSync(folder)) throw error; // otherwise another process was faster
    }
    return folder;
  } catch (error) {
    const reason = `Debian's packages of ${name} could not be downloaded (${lastLine(error)})`;
    writeFileSync(failed, reason);
    throw new Error(reason, { cause: error });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function download(work: string, packages: readonly string[]): Promise<void> {
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
  const env = { ...process.env, LC_ALL: "C" };
  const apt = (...args: string[]): Promise<string> =>
    outputOf("apt-get", ["-qq", ...options, ...args], { cwd: join(work, "packages"), timeoutMs: 50_000, env });
  await apt("update");
  await apt("download", ...packages);
  for (const name of globSync("*.deb", { cwd: join(work, "packages") }))
    await outputOf("dpkg-deb", ["-x", join(work, "packages", name), join(work, "root")]);
}

const lastLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1) ?? "";
