// What is known of the tools whose arguments are repeated in headers. A tool whose marks are faulty cannot be used over HTTP.
import { isObject, type Json } from "@oarlock/server-kit/protocol";
import { parameterHeaders, readParameters, type Parameters } from "./parameter-headers.ts";

export class ToolHeaders {
  readonly #byTool = new Map<string, Parameters>();
  readonly #faulty = new Map<string, string>();
  readonly #onFault: ((what: string) => void) | undefined;

  constructor(onFault: ((what: string) => void) | undefined) {
    this.#onFault = onFault;
  }

  /** A page of the list without the tools that cannot be used; each is told once. */
  learn(page: Json): Json {
    const { tools } = page;
    return Array.isArray(tools) ? { ...page, tools: tools.filter((tool) => this.#isUsable(tool)) } : page;
  }

  #isUsable(tool: unknown): boolean {
    if (!isObject(tool) || typeof tool.name !== "string") return true; // not ours to judge here
    const found = readParameters(tool.inputSchema);
    if (typeof found !== "string") {
      this.#byTool.set(tool.name, found);
      return true;
    }
    this.#byTool.delete(tool.name);
    if (this.#faulty.get(tool.name) !== found) this.#onFault?.(`the tool ${tool.name} is left out: ${found}`);
    this.#faulty.set(tool.name, found);
    return false;
  }

  headersOf(name: unknown, args: unknown): Record<string, string> | undefined {
    const parameters = typeof name === "string" ? this.#byTool.get(name) : undefined;
    return parameters && parameterHeaders(parameters, args);
  }
}
