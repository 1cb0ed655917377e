// A thousand clients that are slow, silent, deaf or gone (security case HTTP-23; rule H7).
import { describe, test } from "vitest";
import { SlowClientsServer } from "../../../support/slow-clients.ts";

describe("case HTTP-23", () => {
  test("serves 1,000 connections: a header byte at a time, a body byte at a time, nothing sent, nothing read", async () => {
    await using server = await SlowClientsServer.start();
    await server.outlasts(330, 10);
  });

  test("leaves nothing behind of a thousand clients that disconnect at once", async () => {
    await using server = await SlowClientsServer.start();
    await server.outlivesDisconnects(1000);
  });
});
