/** Built server: the command of a server from dist/, started with data to serve. */
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { connect, type Client } from "@oarlock/client";
import type { TempFolder } from "@oarlock/testing";
import type { About } from "./about.ts";
import { TRIALS } from "./trial.ts";

export const startBuilt = (about: About, folder: TempFolder, words: readonly string[], revision: string): Promise<Client> =>
  connect(
    { command: process.execPath, args: builtServer(about.name, ...(TRIALS[about.name]?.args(folder) ?? []), ...words) },
    { revision },
  );
