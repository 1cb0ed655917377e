/** A server that is soaked, and what is done to it. */
import type { Program } from "@oarlock-tooling/test-support/server-process";
import type { TempFolder } from "@oarlock/testing";
import type { Lane } from "../load-generator.ts";
import type { ObservedServer } from "../observed-server.ts";

export interface Scene {
  server: ObservedServer;
  folder: TempFolder;
  /** Whether clients over HTTP use their sockets again. */
  keepAlive: boolean;
}

export interface Target {
  name: string;
  program(folder: TempFolder): Program;
  /** Opens what stays open, and gives what is then done side by side. */
  lanes(scene: Scene): Promise<Lane[]>;
  /** Acts a second in proportion to the others. Default 1. */
  rate?: number;
}
