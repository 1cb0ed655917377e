// Against the official server SDK (version 2) as a process.
import { fileURLToPath } from "node:url";
import { connect } from "@oarlock/client";
import { describeOfficial } from "../support/official-cases.ts";

const COMMAND = { command: process.execPath, args: [fileURLToPath(new URL("../fixtures/official-stateless.ts", import.meta.url))] };

describeOfficial("over stdio", async (options) => {
  const faults: string[] = [];
  const client = await connect(COMMAND, { onFault: (what) => faults.push(what), ...options });
  return { client, faults, [Symbol.asyncDispose]: () => client.close() };
});
