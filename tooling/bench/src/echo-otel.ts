/** The echo server with telemetry: `echo-otel.ts api|sdk`; without the argument it has none. `api`: no SDK records what is observed. */
import { openTelemetry, startOpenTelemetry } from "@oarlock/opentelemetry";
import { serveStdio } from "@oarlock/server-kit/node";
import { echoServer } from "./echo-server.ts";

const [, , kind] = process.argv;

if (kind === "sdk") {
  const { observer, stop } = await startOpenTelemetry("echo");
  await serveStdio(echoServer(), { observer }).ended;
  await stop(2000);
} else await serveStdio(echoServer(), kind === "api" ? { observer: openTelemetry() } : {}).ended;
