// Reads Prometheus text with the parser of Prometheus' own client for Python, from Debian's packages.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { debianPackages, isDebian } from "./debian-packages.ts";

const PYTHON = "python3";

const PROGRAM = `
import json, sys
from prometheus_client.parser import text_string_to_metric_families
families = text_string_to_metric_families(sys.argv[1])
print(json.dumps([{"name": f.name, "type": f.type, "samples": [{"name": s.name, "labels": s.labels, "value": s.value} for s in f.samples]} for f in families]))
`;

export interface MetricFamily {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/** Why scrapes cannot be parsed here; undefined when they can. */
export async function missingScrapeParser(): Promise<string | undefined> {
  if (!isDebian()) return "Prometheus' parser comes from Debian's packages";
  try {
    await parseScrape("");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Rejects where the text is not what Prometheus reads. */
export async function parseScrape(text: string): Promise<MetricFamily[]> {
  const folder = await debianPackages("prometheus-client", ["python3-prometheus-client", "python3-decorator"]);
  const env = { ...process.env, PYTHONPATH: join(folder, "usr/lib/python3/dist-packages") };
  const { stdout } = await promisify(execFile)(PYTHON, ["-c", PROGRAM, text], { env });
  return JSON.parse(stdout) as MetricFamily[]; // written by the program above
}
