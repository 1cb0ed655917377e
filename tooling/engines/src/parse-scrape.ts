// Reads Prometheus text with the parser of Prometheus' own client for Python, from Debian's packages.
import { join } from "node:path";
import { outputOf } from "@oarlock-tooling/test-support/run-program";
import { debianPackages, isDebian } from "./debian-packages.ts";

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
  return JSON.parse(await outputOf("python3", ["-c", PROGRAM, text], { env })) as MetricFamily[]; // written by the program above
}
