// Errors of resources: what is not there is "not found"; everything else says what is wrong.
import { invalidParams, resourceNotFound } from "@oarlock/server-kit";
import { DbError } from "../db/errors.ts";

export async function found<T>(uri: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof DbError && error.code === "not-found") throw resourceNotFound(uri);
    throw error instanceof DbError ? invalidParams(error.message) : error;
  }
}
