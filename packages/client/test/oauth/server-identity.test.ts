// Whether a server is in the network that its name leads to.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import * as tls from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { NetworkPolicy } from "../../src/oauth/network-policy.ts";
import { isReachedAt } from "../../src/oauth/server-identity.ts";
import { startHttp } from "../support/authorization-servers.ts";

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"]);
    return true;
  } catch {
    return false;
  }
}

const canTrust = "setDefaultCACertificates" in tls && hasOpenssl();

/** A server with a certificate for `mcp.test`, which this process trusts. */
async function startHttps(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "oarlock-certificate-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const names = ["-subj", "/CN=mcp.test", "-addext", "subjectAltName=DNS:mcp.test"];
  const kind = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", ...kind, ...names, "-keyout", keyFile, "-out", certFile], { stdio: "ignore" });
  const [key, cert] = [readFileSync(keyFile), readFileSync(certFile, "utf8")];
  rmSync(folder, { recursive: true });
  const trusted = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...trusted, cert]);
  const server = createServer({ key, cert }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    tls.setDefaultCACertificates(trusted);
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test.skipIf(!canTrust)("identifies a server by an address where its certificate has its name", async () => {
  const port = await startHttps();
  expect(await isReachedAt(["127.0.0.1"], new URL(`https://mcp.test:${port}/`))).toBe(true);
  expect(await isReachedAt(["127.0.0.1"], new URL(`https://other.test:${port}/`))).toBe(false);
});

test("gives a name that leads inside the network without a server there the rights of a public server (rebinding)", async () => {
  await using inside = await startHttp((_request, response) => void response.end("{}"));
  const policy = await NetworkPolicy.of(new URL(inside.origin.replace("http:", "https:").replace("127.0.0.1", hostname())));
  expect(() => policy.checkUrl(new URL("https://10.0.0.1/"), "URL")).toThrow(/^Refused URL/);
  expect(inside.requests).toEqual([]);
});
