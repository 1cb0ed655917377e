// Against the official server SDK (version 2) in this process.
import { connect } from "@oarlock/client";
import { handler } from "../fixtures/official-stateless.ts";
import { describeOfficial } from "../support/official-cases.ts";

describeOfficial("over HTTP", async (options) => {
  const faults: string[] = [];
  const { fetch, close, notify } = handler();
  const client = await connect(
    { url: "http://localhost/mcp", fetch: (request) => fetch(request) },
    { onFault: (what) => faults.push(what), ...options },
  );
  return {
    client,
    faults,
    notify,
    async [Symbol.asyncDispose]() {
      await client.close();
      await close();
    },
  };
});
