// Files of this machine that stand in for a base image and for Debian packages: programs with the libraries that they load.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What no program reads. */
const LEFT_OUT = /^\/(usr\/share\/(doc|man|locale|lintian|bash-completion)|etc\/bash_completion\.d)\//;

/** Essential packages of Debian, which both bases have, as far as servers use them: a shell, and setpriv for the processes of sqlite. */
const ESSENTIAL = ["dash", "util-linux"];

/** The root folder of a base image, made once and then linked: its files are never changed. `bases` holds those that are made. */
export function layBase(root: string, image: string, bases: string): void {
  const base = join(bases, encodeURIComponent(image));
  if (!existsSync(base)) makeBase(base, image);
  linkTree(base, root);
}

/** Copies a file or a folder by hard links. */
export function linkTree(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  execFileSync("cp", ["--archive", "--link", "--no-target-directory", from, to]);
}

/** A base has the libraries that Node loads. The image `node` has Node and its user, too. */
function makeBase(root: string, image: string): void {
  for (const folder of ["dev", "proc", "tmp", "etc"]) mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ["bin", "sbin", "lib", "lib64"]) {
    mkdirSync(join(root, "usr", folder), { recursive: true });
    link(`usr/${folder}`, join(root, folder));
  }
  for (const device of ["null", "urandom"]) writeFileSync(join(root, "dev", device), "");
  const [name, tag = ""] = image.split(":");
  addLibraries(root, [process.execPath]);
  for (const essential of ESSENTIAL) addDebianPackage(root, essential);
  const users = "root:x:0:0:root:/root:/bin/bash\n";
  writeFileSync(join(root, "etc/passwd"), users);
  if (name === "debian") return;
  if (name !== "node") throw new Error(`Base ${image} is unknown: expected node or debian.`);
  if (!tag.startsWith(`${process.versions.node}-`))
    throw new Error(`Base ${image} has not the Node of this repository, ${process.version}.`);
  copy(process.execPath, join(root, "usr/local/bin/node"));
  mkdirSync(join(root, "home/node"), { recursive: true });
  writeFileSync(join(root, "etc/passwd"), users + "node:x:1000:1000::/home/node:/bin/bash\n");
  writeFileSync(join(root, "etc/group"), "root:x:0:\nnode:x:1000:\n");
}

/** Adds the files of a Debian package that is installed here. */
export function addDebianPackage(root: string, name: string): void {
  const listed = execFileSync("dpkg", ["-L", name], { encoding: "utf8" }).trim().split("\n");
  const files = listed.filter((path) => !LEFT_OUT.test(path) && existsSync(path) && !lstatSync(path).isDirectory());
  for (const path of files)
    if (lstatSync(path).isSymbolicLink()) link(readlinkSync(path), join(root, path));
    else copy(path, join(root, path));
  addLibraries(
    root,
    files.filter((path) => !lstatSync(path).isSymbolicLink() && isProgram(path)),
  );
}

/** Adds the libraries that these programs load, in their own places. */
function addLibraries(root: string, programs: readonly string[]): void {
  if (programs.length === 0) return;
  const lines = execFileSync("ldd", programs, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const libraries = new Set([...lines.matchAll(/^\s+(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, path = ""]) => path));
  for (const path of libraries) copy(path, join(root, path));
}

/** Whether a file is an executable in the format of Linux, which may load libraries. */
const isProgram = (path: string): boolean => readFileSync(path).subarray(0, 4).equals(Buffer.from("\x7fELF", "latin1"));

function copy(from: string, to: string): void {
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}
