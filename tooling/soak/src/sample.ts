/** Sample: the resources of a server at one moment, from outside and from within. */
import { outside, type Outside } from "@oarlock-tooling/test-support/process-tree";
import type { Inside } from "./gauge.ts";
import type { ObservedServer } from "./observed-server.ts";

export interface Sample extends Outside {
  heap: number;
  /** All that keeps the process alive. */
  handles: number;
  timers: number;
  sessions: number;
  inside: Inside;
}

export async function sample(server: ObservedServer): Promise<Sample> {
  const inside = await server.inside();
  const { heap, resources, counts } = inside;
  const handles = Object.values(resources).reduce((sum, one) => sum + one, 0);
  return { ...outside(server.pid), heap, handles, timers: resources["Timeout"] ?? 0, sessions: counts["sessions"] ?? 0, inside };
}

export interface Counts extends Pick<Outside, "fds" | "children">, Pick<Inside, "resources" | "counts"> {}

/** What must be the same again once all clients have gone. */
export const countsOf = ({ fds, children, inside: { resources, counts } }: Sample): Counts => ({ fds, children, resources, counts });
