// The known header parameters of tools. A tool with invalid marks is not usable over HTTP, and is removed from lists.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { parameterHeaders, readHeaderParameters, type HeaderParameters } from "./parameter-headers.ts";

export class ToolHeaders {
  readonly #parameters = new Map<string, HeaderParameters>();
  readonly #reportedReasons = new Map<string, string>();
  readonly #onFault: ((message: string) => void) | undefined;

  constructor(onFault: ((message: string) => void) | undefined) {
    this.#onFault = onFault;
  }

  /** Learns the tools of a page of `tools/list`; returns the page without unusable tools, each of which is reported once. */
  readTools(page: Json): Json {
    const { tools } = page;
    return Array.isArray(tools) ? { ...page, tools: tools.filter((tool) => this.#readTool(tool)) } : page;
  }

  #readTool(tool: unknown): boolean {
    if (!isObject(tool) || typeof tool.name !== "string") return true; // rejected where the list is read
    const parameters = readHeaderParameters(tool.inputSchema);
    if (typeof parameters !== "string") {
      this.#parameters.set(tool.name, parameters);
      return true;
    }
    this.#parameters.delete(tool.name);
    if (this.#reportedReasons.get(tool.name) !== parameters) this.#onFault?.(`Tool ${tool.name} ignored: ${parameters}`);
    this.#reportedReasons.set(tool.name, parameters);
    return false;
  }

  headersOf(name: unknown, args: unknown): Record<string, string> | undefined {
    const parameters = typeof name === "string" ? this.#parameters.get(name) : undefined;
    return parameters && parameterHeaders(parameters, args);
  }
}
