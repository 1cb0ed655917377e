// Course: takes the steps of the trial with one client on one server, and keeps their outcomes.
import { setTimeout } from "node:timers/promises";
import { STEPS, type FieldClient, type FieldSession, type Step, type Target } from "./field-client.ts";
import type { Call, ServerCase } from "./server-cases.ts";

/** `ok`, why the client cannot take the step, or what went wrong. */
export type Outcome = { readonly is: "ok" | "cannot" | "failed"; readonly detail: string };

export interface CourseOptions {
  readonly client: FieldClient;
  readonly one: ServerCase;
  readonly folder: string;
  /** In place of the client's home. */
  readonly home: string;
}

/** How the process of the server ended. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr?: string;
}

/** How long a client may take to close. */
export const CLOSE_MS = 60_000;

const OK: Outcome = { is: "ok", detail: "" };
const failed = (detail: string): Outcome => ({ is: "failed", detail: detail.replaceAll(/\s+/g, " ").slice(0, 300) });

/** What the servers answer to clients that declare no elicitation: the reason, and the switch for the operator. */
const REFUSED = /client does not support elicitation[^]*--allow-/;

export class Course {
  readonly outcomes = Object.fromEntries(STEPS.map((step) => [step, failed("not reached")])) as Record<Step, Outcome>; // all steps
  longCallMs: number | undefined;
  #elicitations = 0;
  readonly #given: CourseOptions;

  constructor(given: CourseOptions) {
    this.#given = given;
  }

  async run(target: Target): Promise<void> {
    let session: FieldSession;
    try {
      session = await this.#given.client.connect(target, {
        home: this.#given.home,
        elicit: () => {
          this.#elicitations++;
          return { action: "accept", content: { confirm: true } };
        },
      });
    } catch (error) {
      this.outcomes.list = failed(String(error));
      return;
    }
    await this.#take(session);
    const closing = session.close().then(
      () => OK,
      (error: unknown) => failed(String(error)),
    );
    const late = failed(`not closed within ${CLOSE_MS / 1000} s`);
    this.outcomes.end = await Promise.race([closing, setTimeout(CLOSE_MS, late, { ref: false })]);
  }

  /** A clean end needs both: the client has closed, and the server has exited with code 0. */
  ended(end: ServerEnd | undefined): void {
    if (this.outcomes.end.is === "failed") return;
    if (end === undefined) this.outcomes.end = failed("the server still runs long after the client has closed");
    else if (end.code !== 0) this.outcomes.end = failed(`code ${end.code}, signal ${end.signal}, ${end.stderr ?? "no output"}`);
  }

  async #take(session: FieldSession): Promise<void> {
    const { client, one, folder } = this.#given;
    await this.#step("list", async () => {
      const names = await session.list();
      const missing = client.connectsOnly === true ? [] : one.tools.filter((tool) => !names.includes(tool));
      return missing.length === 0 ? OK : failed(`without ${missing.join(", ")}`);
    });
    await this.#step("call", () => outcomeOf(session, one.call(folder)));
    await this.#step("read", async () => {
      const { uri, shows } = one.read(folder);
      const text = (await session.read?.(uri)) ?? "";
      return shows.test(text) ? OK : failed(text);
    });
    await this.#step("error", () => outcomeOf(session, one.error(folder)));
    await this.#step("long call", async () => {
      const startedAt = performance.now();
      const outcome = await outcomeOf(session, one.long(folder));
      this.longCallMs = Math.round(performance.now() - startedAt);
      return outcome;
    });
    await this.#elicitation(session);
  }

  /** A client without elicitation calls too: the server must refuse, and name the reason. */
  async #elicitation(session: FieldSession): Promise<void> {
    const { client, one, folder } = this.#given;
    const call = one.elicits(folder);
    const reason = client.cannot.elicitation;
    if (reason === undefined || client.cannot.call !== undefined) {
      await this.#step("elicitation", async () => {
        const outcome = await outcomeOf(session, call);
        return outcome.is === "ok" && this.#elicitations !== 1 ? failed(`${this.#elicitations} elicitations`) : outcome;
      });
      return;
    }
    const refused = await outcomeOf(session, { ...call, shows: REFUSED });
    this.outcomes.elicitation = refused.is === "ok" ? { is: "cannot", detail: reason } : refused;
  }

  async #step(name: Step, take: () => Promise<Outcome>): Promise<void> {
    const reason = this.#given.client.cannot[name];
    this.outcomes[name] =
      reason === undefined ? await take().catch((error: unknown) => failed(String(error))) : { is: "cannot", detail: reason };
  }
}

async function outcomeOf(session: FieldSession, { tool, args, shows }: Call): Promise<Outcome> {
  const text = await session.call(tool, args);
  return shows.test(text) ? OK : failed(text);
}
