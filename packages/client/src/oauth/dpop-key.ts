// Tokens bound to a key (draft SEP-1932): each request proves the possession of the key.
// https://www.rfc-editor.org/rfc/rfc9449.html
import { createHash, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type GenerateKeyPairResult, type JWK } from "jose";
import { DPoP, type DPoPHandle } from "oauth4webapi";

export const DPOP_ALGORITHM = "ES256";

export class DpopKey {
  /** For requests to the authorization server. */
  readonly handle: DPoPHandle;
  /** The nonce that the MCP server demands in proofs. */
  nonce: string | undefined;
  readonly #privateKey: CryptoKey;
  readonly #publicJwk: JWK;

  private constructor({ privateKey, publicKey }: GenerateKeyPairResult, publicJwk: JWK) {
    this.handle = DPoP({}, { privateKey, publicKey });
    this.#privateKey = privateKey;
    this.#publicJwk = publicJwk;
  }

  /** Creates a key that lives as long as the process. */
  static async create(): Promise<DpopKey> {
    const pair = await generateKeyPair(DPOP_ALGORITHM);
    return new DpopKey(pair, await exportJWK(pair.publicKey));
  }

  /** A proof for one request to the MCP server. */
  prove(method: string, url: URL, accessToken: string): Promise<string> {
    const claims = {
      htm: method,
      htu: `${url.origin}${url.pathname}`,
      ath: createHash("sha256").update(accessToken).digest("base64url"),
      ...(this.nonce !== undefined && { nonce: this.nonce }),
    };
    const header = { alg: DPOP_ALGORITHM, typ: "dpop+jwt", jwk: this.#publicJwk };
    return new SignJWT(claims).setProtectedHeader(header).setIssuedAt().setJti(randomUUID()).sign(this.#privateKey);
  }
}
