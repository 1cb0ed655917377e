/** The echo server on stdio. `dist/echo-stdio.js` is the built form that the bench starts. */
import { serveStdio } from "@oarlock/server-kit/node";
import { echoServer } from "./echo-server.ts";

await serveStdio(echoServer()).ended;
