/** Tools that are there for their schemas. */
import { fromJsonSchema, tool } from "@oarlock/server-kit";
import { z } from "zod";

/** The vocabulary that must reach the client as the author wrote it. */
const RICH = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: { $anchor: "addressDef", type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema, never awaited
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

export const schemas = [
  tool({
    name: "json_schema_2020_12_tool",
    description: "Has an input schema with references, composition and conditions.",
    strictHosts: false,
    input: fromJsonSchema<Record<string, unknown>>(RICH, ({ phone, email }) =>
      typeof (phone ?? email) === "string" ? undefined : "expected a phone or an email",
    ),
    run: ({ name = "somebody" }) => `Noted how to reach ${String(name)}.`,
  }),
  tool({
    name: "test_x_mcp_header",
    description: "Has an argument that clients mirror in a header.",
    input: z.object({ region: z.string().describe("Where to run").meta({ "x-mcp-header": "Region" }) }),
    run: ({ region }) => `Ran in ${region}.`,
  }),
];
