// A tool with one of several forms of input: the union is a member, as many hosts refuse one at the root.
import { defineServer, tool } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

const shape = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("circle"), radius: z.number().positive() }),
  z.object({ kind: z.literal("rectangle"), width: z.number().positive(), height: z.number().positive() }),
]);

const area = tool({
  name: "area",
  description: "Compute the area of a circle or a rectangle.",
  input: z.object({ shape }),
  output: z.object({ area: z.number() }),
  hints: { readOnly: true },
  run({ shape: given }) {
    return { area: given.kind === "circle" ? Math.PI * given.radius ** 2 : given.width * given.height };
  },
});

/** Hosts that take a union at the root get it with `strictHosts: false`; it says `type: "object"` all the same. */
const convert = tool({
  name: "convert",
  description: "Convert a temperature, given in Celsius or in Fahrenheit.",
  input: z.union([z.object({ celsius: z.number() }), z.object({ fahrenheit: z.number() })]),
  strictHosts: false,
  hints: { readOnly: true },
  run: (given) => ("celsius" in given ? `${given.celsius * 1.8 + 32} °F` : `${(given.fahrenheit - 32) / 1.8} °C`),
});

export const server = defineServer({ name: "shapes", version: "1.0.0", tools: [area, convert] });

if (process.argv[1] === import.meta.filename) await serveStdio(server).ended;
