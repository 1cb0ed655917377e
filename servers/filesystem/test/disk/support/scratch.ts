// A folder of its own for each test, with a root that is served and a place outside that must never show.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CursorSealer } from "@oarlock/domain-kit";
import { onTestFinished } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import { openDisk } from "../../../src/disk/disk.ts";

export interface Scratch {
  readonly root: string;
  readonly out: string;
  /** Absolute path of a name below the root. */
  at(name: string): string;
  sandbox(options?: { deny?: string[]; refuseHardLinks?: boolean }): Promise<Sandbox>;
}

/** `files`: a string or buffer is content, null a folder, { link } a symbolic link. Folders are made as needed. Tests that run side by side pass their own `onTestFinished`. */
export function scratch(
  files: Record<string, string | Buffer | null | { link: string }> = {},
  finished: (end: () => void) => void = onTestFinished,
): Scratch {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-walk-")));
  finished(() => rmSync(base, { recursive: true, force: true }));
  const root = join(base, "root");
  const out = join(base, "out");
  mkdirSync(root);
  mkdirSync(out);
  writeFileSync(join(out, "secret.txt"), "canary");
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (content === null) mkdirSync(path, { recursive: true });
    else if (typeof content === "string" || Buffer.isBuffer(content)) writeFileSync(path, content);
    else symlinkSync(content.link.replace("OUT", out), path);
  }
  const cursors = new CursorSealer();
  return {
    root,
    out,
    at: (name) => join(root, name),
    sandbox: async (options = {}) => (await openDisk({ directories: [{ path: root, readOnly: false }], cursors, ...options })).sandbox(),
  };
}
