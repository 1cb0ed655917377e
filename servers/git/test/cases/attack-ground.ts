// The folders of an attack: ROOT is served, its sibling OUT holds a secret and a repository of its own.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeTree, type Tree } from "@oarlock/testing";
import { makeRepository, type TestRepository } from "../support/repository.ts";

export interface AttackGround {
  /** A text that is stored in OUT and must never leave the server. */
  readonly secret: string;
  readonly out: string;
  /** A file that exists only after an attack has run a program. */
  readonly executionMark: string;
  /** A path in ROOT. */
  at(...names: string[]): string;
  /** A new repository in ROOT. */
  repository(name: string, tree?: Tree): TestRepository;
}

/** Puts the secret into OUT, and into a repository there. */
export function fillOut({ out, secret }: Pick<AttackGround, "out" | "secret">): void {
  writeTree(out, { "secret.txt": secret, sub: { "deep.txt": secret } });
  makeRepository(join(out, "repo"), { "canary.txt": secret });
}

/** Names of locks and of objects that are written in part. */
export const temporaryNames = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.lock$|\/tmp_obj_|\/tmp_pack_|\.oarlock/.test(name));
