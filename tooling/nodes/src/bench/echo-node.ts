/** The bench's echo server with the switches of every server. */
import { echoServer } from "@oarlock-tooling/bench/echo-server";
import { cli, leanProcess } from "@oarlock/cli";

leanProcess();
await cli({ name: "oarlock-echo", version: "1.0.0", summary: "echoes", flags: {}, create: () => echoServer() });
