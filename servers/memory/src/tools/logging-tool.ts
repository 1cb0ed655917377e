// Tools that pass warnings about the files of the memory on to the client's log: hosts show it, and few show stderr.
import type { ToolDefinition } from "@oarlock/server-kit";

/** Warnings are kept until a call can log them for its client; of more than this, the oldest are dropped. */
const MAX_WARNINGS = 20;

export class WarningQueue {
  readonly #warnings: string[] = [];

  add(warning: string): void {
    this.#warnings.push(warning);
    if (this.#warnings.length > MAX_WARNINGS) this.#warnings.shift();
  }

  /** The tool, which logs waiting warnings, of which the operator knows, after each call, also after one that fails. */
  loggingTool(tool: ToolDefinition): ToolDefinition {
    return {
      ...tool,
      call: async (args, ctx) => {
        try {
          return await tool.call(args, ctx);
        } finally {
          for (const warning of this.#warnings.splice(0)) ctx.log.warning(warning, { isReported: true });
        }
      },
    };
  }
}
