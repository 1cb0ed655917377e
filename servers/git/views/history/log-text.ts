// The commits of a history from its text, for hosts that drop structuredContent and call no tools.

interface CommitInText {
  readonly hash: string;
  readonly author: string;
  readonly email: string;
  readonly date: string;
  readonly subject: string;
}

const COMMIT = /^Commit: ([0-9a-f]{40,64})\n(?:Merge: .*\n)?Author: (.*?)(?: <([^\n]*)>)?\nDate: (.*)\nMessage: (.*)$/gm;

export const commitsInText = (text: string): CommitInText[] =>
  [...text.matchAll(COMMIT)].map(([, hash = "", author = "", email = "", date = "", subject = ""]) => ({
    hash,
    author,
    email,
    date,
    subject,
  }));
