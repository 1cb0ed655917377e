// The commits of a history from its text, for hosts that hand on no structured content and call no tools.
import type { Commit } from "../commit/commit-facts.ts";

const COMMIT = /^Commit: ([0-9a-f]{40,64})\nAuthor: (.*?)(?: <([^\n]*)>)?\nDate: (.*)\nMessage: (.*)$/gm;

export const commitsInText = (text: string): Commit[] =>
  [...text.matchAll(COMMIT)].map(([, hash = "", author = "", email = "", date = "", subject = ""]) => ({
    hash,
    author,
    email,
    date,
    subject,
  }));
