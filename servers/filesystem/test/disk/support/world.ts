/** A folder ROOT that may be touched, a sibling OUT with a secret that may not, and proof that OUT stayed as it was. */
import { createHash, randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DomainError } from "@oarlock/domain-kit";
import { expect, onTestFinished } from "vitest";
import type { Sandbox } from "../../../src/disk/access/sandbox.ts";
import type { DiskErrorCode } from "../../../src/disk/errors.ts";
import { openDisk, type DiskOptions } from "../../../src/disk/disk.ts";
import { openHandles } from "../../support/open-handles.ts";
import { makeFolderElsewhere } from "../../support/other-device.ts";

export interface World {
  readonly base: string;
  readonly root: string;
  readonly out: string;
  readonly canary: string;
  /** An sandbox over ROOT, or over other directories. */
  open(options?: Partial<DiskOptions>): Promise<Sandbox>;
  /** A new folder on another file system; only where `hasOtherDevice`. */
  elsewhere(): string;
  /** Everything that a case must leave as it was. */
  mustBeUntouched(): void;
}

/** Judged at the end of the test: the secret is where it was and no handle or temporary file is left. */
export function world(): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "oarlock-disk-")));
  const [root, out] = [join(base, "ROOT"), join(base, "OUT")];
  mkdirSync(root);
  mkdirSync(out);
  const canary = `canary-${randomBytes(12).toString("hex")}`;
  writeFileSync(join(out, "secret.txt"), canary);
  const before = hashOf(out);
  const handles = openHandles(base);
  const created: World = {
    base,
    root,
    out,
    canary,
    open: async (options) => (await openDisk({ directories: [{ path: root, readOnly: false }], ...options })).sandbox(),
    elsewhere() {
      const folder = makeFolderElsewhere();
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    mustBeUntouched() {
      expect(hashOf(out), "OUT is unchanged").toBe(before);
      expect(tempsIn(base), "no temporary file is left").toEqual([]);
      expect(openHandles(base), "no handle is left open").toEqual(handles);
    },
  };
  onTestFinished(() => {
    try {
      created.mustBeUntouched();
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  });
  return created;
}

/** Names, modes, link targets and bytes of a folder. */
function hashOf(folder: string): string {
  const hash = createHash("sha256");
  const walk = (path: string): void => {
    for (const name of readdirSync(path).toSorted()) {
      const at = join(path, name);
      const stat = lstatSync(at);
      hash.update(`${at}\0${stat.mode}\0${stat.size}\0`);
      if (stat.isSymbolicLink()) hash.update(readlinkSync(at));
      else if (stat.isFile()) hash.update(readFileSync(at));
      else if (stat.isDirectory()) walk(at);
    }
  };
  walk(folder);
  return hash.digest("hex");
}

/** Names of temporary files; links are not entered. */
export function tempsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
    ...(/^\.oarlock-|\.tmp$/.test(entry.name) ? [entry.name] : []),
    ...(entry.isDirectory() ? tempsIn(join(folder, entry.name)) : []),
  ]);
}

/** The error that an act ends with; fails when it succeeds. */
export async function refusal(act: () => unknown): Promise<DomainError> {
  let result: unknown;
  try {
    result = await act();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error(`expected a refusal, but got ${JSON.stringify(result)?.slice(0, 300)}`);
}

/** Every act is refused with this code, and none of the errors holds the secret. */
export async function refuses(code: DiskErrorCode, ...acts: (() => unknown)[]): Promise<void> {
  for (const act of acts) {
    const error = await refusal(act);
    expect(error.code, `${act.toString()} gave: ${error.message}`).toBe(code);
    expect(error.message).not.toContain("canary-");
    expect(error.message.length).toBeLessThan(2000);
  }
}
