/** Streamable HTTP: the echo of 64 bytes, one after the other on 1, 16 and 64 keep-alive connections. */
import { quantile, type Figures } from "../figures.ts";
import { Lane } from "../http/lane.ts";
import { MODES, type Mode } from "../http/modes.ts";
import { HttpServer } from "../http/server.ts";
import { cpuMs } from "../process.ts";
import { HTTP, speaks, type Suite } from "./suite.ts";

const CONNECTIONS = [1, 16, 64];

interface Way {
  mode: Mode;
  eitherWay: boolean | undefined;
}

interface Flood {
  times: number[];
  ms: number;
  cpuMs: number;
}

/** Opens so many connections, and only then starts the clock. */
async function flood(server: HttpServer, { mode, eitherWay }: Way, connections: number, ms: number): Promise<Flood> {
  const lanes = await Promise.all(Array.from({ length: connections }, () => Lane.open(server, mode, eitherWay)));
  try {
    const times: number[] = [];
    const cpu = cpuMs(server.pid);
    const from = performance.now();
    await Promise.all(lanes.map((lane) => lane.run(from + ms, times)));
    return { times, ms: performance.now() - from, cpuMs: cpuMs(server.pid) - cpu };
  } finally {
    for (const lane of lanes) lane.end();
  }
}

export const http: Suite = {
  about: "Streamable HTTP, echo of 64 bytes on 1, 16 and 64 connections",
  kinds: HTTP,
  rounds: 5,
  quickRounds: 2,
  async measure(target, { quick, wanted, problem }) {
    const figures: Figures = {};
    const ms = quick ? 300 : 400;
    for (const mode of MODES.filter(({ era }) => speaks(target, era))) {
      const rows = CONNECTIONS.map((connections) => {
        const label = `${mode.name} c${connections}`;
        return { connections, rps: `${label} rps`, p50: `${label} p50 us`, p99: `${label} p99 us`, cpu: `${label} server cpu us` };
      }).filter(({ rps, p50, p99, cpu }) => [rps, p50, p99, cpu].some(wanted));
      if (rows.length === 0) continue;
      try {
        const way = { mode, eitherWay: target.eitherWay };
        await HttpServer.with(target.command, mode.env, async (server) => {
          await flood(server, way, 4, quick ? 300 : 600); // lets the compiler settle
          for (const { connections, rps, p50, p99, cpu } of rows) {
            const { times, ms: took, cpuMs: spent } = await flood(server, way, connections, ms);
            figures[rps] = (times.length / took) * 1000;
            figures[p50] = quantile(times, 0.5) * 1000;
            figures[p99] = quantile(times, 0.99) * 1000;
            figures[cpu] = (spent / times.length) * 1000;
          }
        });
      } catch (error) {
        problem(`${mode.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return figures;
  },
};
