/**
 * Exchanges as fast as it can: ROOT/x (a file or a link to the secret), ROOT/d (a directory or a link out), or ROOT itself
 * (against another directory).
 */
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [root = "", out = "", kind = ""] = process.argv.slice(2);
const at = (name: string) => join(root, name);

function swapLeaf(): void {
  symlinkSync(join(out, "secret.txt"), at("swap-link"));
  renameSync(at("swap-link"), at("x"));
  linkSync(at("good"), at("swap-file"));
  renameSync(at("swap-file"), at("x"));
}

function swapFolder(): void {
  renameSync(at("d"), at("d-real"));
  renameSync(at("d-link"), at("d"));
  renameSync(at("d"), at("d-link"));
  renameSync(at("d-real"), at("d"));
}

function swapRoot(): void {
  renameSync(root, `${root}-away`);
  renameSync(out, root);
  renameSync(root, out);
  renameSync(`${root}-away`, root);
}

const swap = { leaf: swapLeaf, folder: swapFolder, root: swapRoot }[kind];
if (swap === undefined) throw new Error(`unknown: ${kind}`);
if (kind === "leaf") writeFileSync(at("good"), "good");
if (kind === "folder") {
  mkdirSync(at("d"), { recursive: true });
  symlinkSync(out, at("d-link"));
}
process.send?.("ready");
process.on("message", () => process.exit(0));

let junk = 0;

function forever(): void {
  for (let i = 0; i < 100; i += 1) {
    try {
      swap?.();
    } catch {
      // The other side has moved something away or put something in the way; put things right and go on.
      if (kind === "leaf") {
        for (const name of ["swap-link", "swap-file"]) rmSync(at(name), { force: true });
        writeFileSync(at("good"), "good");
      } else if (kind === "folder") repairFolder();
    }
  }
  setImmediate(forever);
}

function repairFolder(): void {
  for (const act of [
    () => renameSync(at("d-real"), at("d")),
    // A new directory was made while the name was free.
    () => renameSync(at("d"), at(`junk-${(junk += 1)}`)),
    () => renameSync(at("d-real"), at("d")),
    () => mkdirSync(at("d")),
    () => symlinkSync(out, at("d-link")),
  ]) {
    try {
      act();
    } catch {
      // It was right already.
    }
    if (existsSync(at("d")) && !existsSync(at("d-real"))) break;
  }
  rmSync(at("d-link"), { force: true });
  symlinkSync(out, at("d-link"));
}

forever();
