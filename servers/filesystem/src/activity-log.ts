// The activity log: changes, refused accesses, and events beside calls. Entries go to the client's log and to stderr.
import { escapeControls } from "@oarlock/domain-kit";
import type { Context, Log, PromptDefinition, ToolDefinition } from "@oarlock/server-kit";
import type { CallToolResult, Json } from "@oarlock/server-kit/protocol";
import type { LogEvent } from "./disk/log-event.ts";
import { DiskError } from "./disk/errors.ts";

/** Events wait for the next call; of more than this, the oldest are dropped. */
const MAX_WAITING = 20;
/** A model that tries one path after another must not fill the log. */
const MAX_REFUSALS = 30;
const REFUSAL_WINDOW_MS = 60_000;

export class ActivityLog {
  readonly #waiting: Parameters<LogEvent>[] = [];
  #refusals = 0;
  #windowStart = 0;

  /** Keeps an event that no call has caused until a call can log it. */
  readonly event: LogEvent = (level, message) => {
    this.#waiting.push([level, message]);
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
  };

  /** Logs an error that refuses access; any other error is not logged. `subject`: the tool, prompt or resource. */
  refusal(log: Log, subject: string, error: unknown): void {
    if (!(error instanceof DiskError) || !["denied", "foreign"].includes(error.code)) return;
    const now = performance.now();
    if (now - this.#windowStart > REFUSAL_WINDOW_MS) [this.#windowStart, this.#refusals] = [now, 0];
    this.#refusals += 1;
    if (this.#refusals <= MAX_REFUSALS) log.info(`${subject}: ${error.message}`);
    else if (this.#refusals === MAX_REFUSALS + 1) log.info("Further refusals are not logged for a minute.");
  }

  /** Runs a request: a refusal is logged, and so are waiting events. */
  async during<T>({ log }: Context, subject: string, act: () => T | PromiseLike<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      this.refusal(log, subject, error);
      throw error;
    } finally {
      for (const [level, message] of this.#waiting.splice(0)) log[level](message);
    }
  }

  readonly tool = (tool: ToolDefinition): ToolDefinition => ({
    ...tool,
    call: (args, ctx) =>
      this.during(ctx, tool.name, async () => {
        const result = await tool.call(args, ctx);
        const isPreview = args["dryRun"] === true || args["list"] === true;
        if (tool.hints.readOnly !== true && result.isError !== true && !isPreview) ctx.log.info(`${tool.name}: ${changeOf(result)}`);
        return result;
      }),
  });

  readonly prompt = (prompt: PromptDefinition): PromptDefinition => ({
    ...prompt,
    get: (args, ctx) => this.during(ctx, prompt.name, () => prompt.get(args, ctx)),
  });
}

/** The first line of the reply, or the path where that line begins a diff; and the id in the trash. */
function changeOf({ content: [first], structuredContent }: CallToolResult): string {
  const facts = structuredContent as Json | undefined; // an object, as the schemas of results say
  const line = first?.type === "text" ? first.text.split("\n", 1)[0] : "";
  const change = line?.startsWith("```") === true ? `Edited ${escapeControls(String(facts?.["path"]))}` : line;
  return typeof facts?.["undo"] === "string" ? `${change} (kept in the trash: ${facts["undo"]})` : `${change}`;
}
