// What spans and metrics of both sides say of a request.
import type { Attributes } from "@opentelemetry/api";
import * as names from "./conventions.ts";

export interface Described {
  readonly method: string;
  /** The tool or prompt. */
  readonly target: string | undefined;
  readonly revision: string;
  readonly transport: "pipe" | "tcp";
}

export const spanName = ({ method, target }: Described): string => (target === undefined ? method : `${method} ${target}`);

export function requestAttributes({ method, target, revision, transport }: Described): Attributes {
  return {
    [names.METHOD]: method,
    [names.PROTOCOL_VERSION]: revision,
    [names.TRANSPORT]: transport,
    ...(transport === "tcp" && { [names.PROTOCOL]: "http" }),
    ...(method === "tools/call" && { [names.OPERATION]: names.EXECUTE_TOOL }),
    ...(target !== undefined && { [method === "tools/call" ? names.TOOL : names.PROMPT]: target }),
  };
}
