// Embeddings as the command line or the environment configures them.
import { readFileSync } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";
import { expandHome, isInPostgres } from "./configured-location.ts";
import { ConfigurationError, configurationOf, type EmbeddingsConfiguration } from "./embeddings-configuration.ts";
import type { Options } from "./options.ts";

export interface EmbeddingsFlags {
  readonly embeddings?: string | undefined;
  readonly embeddingsModel?: string | undefined;
  readonly embeddingsKeyFile?: string | undefined;
}

/** Undefined where none are configured. Throws a ConfigurationError, which never shows the key. */
export function configuredEmbeddings(
  { embeddings, embeddingsModel: model, embeddingsKeyFile }: EmbeddingsFlags,
  location: Options["location"],
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
