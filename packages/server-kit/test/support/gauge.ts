// A small server behind either face: `echo` says it again, `mark` shows whether anything got through.
import { z } from "zod";
import { defineServer, tool, type Server } from "../../src/index.ts";
import type { ServeHttpOptions } from "../../src/node.ts";
import { FACES, type Face, type Served } from "./http-faces.ts";

export interface Gauge extends Served {
  /** How often `mark` ran. */
  readonly marks: number;
}

export const gaugeServer = (onMark: () => void = () => undefined): Server =>
  defineServer({
    name: "gauge",
    version: "1.0.0",
    tools: [
      tool({ name: "echo", input: z.object({ message: z.string() }), hints: { readOnly: true }, run: ({ message }) => message }),
      tool({ name: "mark", run: () => (onMark(), "marked") }),
    ],
  });

/** Over sockets, when nothing else is sent. */
export async function startGauge(face: Face = FACES[0]!, options?: ServeHttpOptions): Promise<Gauge> {
  let marks = 0;
  const served = await face.serve(
    gaugeServer(() => void marks++),
    options,
  );
  return Object.defineProperty(served, "marks", { get: () => marks }) as Gauge;
}
