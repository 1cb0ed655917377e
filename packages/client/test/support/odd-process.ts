// Faulty server processes; the first argument selects the fault, and received lines go to a file.
import { fileURLToPath } from "node:url";
import type { Command } from "@oarlock/client";

export const script = (mode: string, file: string): Command => ({
  command: process.execPath,
  args: [fileURLToPath(new URL("../fixtures/odd-process.ts", import.meta.url)), mode, file],
});
