/** Streamable HTTP: the echo of 64 bytes, one after the other on 1, 16 and 64 keep-alive connections. */
import type { Figures } from "../figures.ts";
import { figuresOfCalls, flood, Lane } from "../http/lane.ts";
import { MODES, type Mode } from "../http/modes.ts";
import { HttpServer } from "../http/server.ts";
import { cpuMs } from "../process.ts";
import { HTTP, speaks, type Suite } from "./suite.ts";

const CONNECTIONS = [1, 16, 64];
const UNITS = ["rps", "p50 us", "p99 us", "server cpu us"];

interface Way {
  mode: Mode;
  eitherWay: boolean | undefined;
}

/** The figures of so many connections, which are open before the clock starts. */
async function measureCalls(server: HttpServer, { mode, eitherWay }: Way, connections: number, ms: number): Promise<Figures> {
  const lanes = await Promise.all(Array.from({ length: connections }, () => Lane.open(server, mode, eitherWay)));
  const cpu = cpuMs(server.pid);
  const flooded = await flood(lanes, ms);
  const label = `${mode.name} c${connections}`;
  return { ...figuresOfCalls(label, flooded), [`${label} server cpu us`]: ((cpuMs(server.pid) - cpu) / flooded.times.length) * 1000 };
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
      const counts = CONNECTIONS.filter((connections) => UNITS.some((unit) => wanted(`${mode.name} c${connections} ${unit}`)));
      if (counts.length === 0) continue;
      try {
        const way = { mode, eitherWay: target.eitherWay };
        await HttpServer.with(target.command, mode.env, async (server) => {
          await measureCalls(server, way, 4, quick ? 300 : 600); // lets the compiler settle
          for (const connections of counts) Object.assign(figures, await measureCalls(server, way, connections, ms));
        });
      } catch (error) {
        problem(`${mode.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    return figures;
  },
};
