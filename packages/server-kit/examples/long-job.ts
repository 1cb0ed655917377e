// A long job: it starts at once and goes on after the call; its state can be read, watched and cancelled.
import { defineServer, template, tool, ToolError } from "@oarlock/server-kit";
import { serveStdio } from "@oarlock/server-kit/node";
import * as z from "zod";

interface Job {
  readonly steps: number;
  done: number;
  readonly abort: AbortController;
  readonly watchers: Set<() => void>;
}

const MAX_JOBS = 100;
const STEP_MS = Number(process.env.STEP_MS ?? 1000);
const jobs = new Map<string, Job>();

const stateOf = ({ abort, done, steps }: Job): string =>
  abort.signal.aborted ? "cancelled" : done === steps ? "done" : `${done} of ${steps}`;

function work(job: Job): void {
  const timer = setInterval(() => {
    if (job.abort.signal.aborted || ++job.done >= job.steps) clearInterval(timer);
    for (const changed of job.watchers) changed();
  }, STEP_MS);
}

const start = tool({
  name: "start_job",
  description: "Start a job. Read or watch its state at the address in the reply.",
  input: z.object({ steps: z.int().min(1).max(1000) }),
  run({ steps }) {
    if (jobs.size >= MAX_JOBS) throw new ToolError("Too many jobs. Cancel one.");
    const id = crypto.randomUUID();
    const job = { steps, done: 0, abort: new AbortController(), watchers: new Set<() => void>() };
    jobs.set(id, job);
    work(job);
    return `job:///${id}`;
  },
});

const cancel = tool({
  name: "cancel_job",
  input: z.object({ job: z.string().describe("The address of the job") }),
  run({ job: address }) {
    const id = address.replace("job:///", "");
    const job = jobs.get(id);
    if (job === undefined) throw new ToolError(`No job ${address}.`);
    job.abort.abort();
    for (const changed of job.watchers) changed();
    return "Cancelled.";
  },
});

const state = template({
  uri: "job:///{id}",
  name: "job",
  mimeType: "text/plain",
  read({ id }) {
    const job = jobs.get(id);
    return job && stateOf(job);
  },
  watch({ id }, changed) {
    jobs.get(id)?.watchers.add(changed);
    return () => jobs.get(id)?.watchers.delete(changed);
  },
});

export const server = defineServer({ name: "jobs", version: "1.0.0", tools: [start, cancel], resources: [state] });

if (process.argv[1] === import.meta.filename) await serveStdio(server).ended;
