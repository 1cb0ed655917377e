/** Makes what takes long once, and again when what it is made of has changed; one process at a time, so that tests can share it. */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { FileLock } from "./file-lock.ts";

/** @param record File for the state that it was made of; `state` is asked before and after. */
export async function makeOnce(record: string, state: () => string, make: () => Promise<void>): Promise<void> {
  using _ = new FileLock(`${record}-lock.db`);
  if (existsSync(record) && readFileSync(record, "utf8") === state()) return;
  rmSync(record, { force: true });
  await make();
  writeFileSync(record, state());
}
