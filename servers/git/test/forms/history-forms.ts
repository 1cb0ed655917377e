// Odd histories, messages, people and dates.
import type { TempFolder } from "@oarlock/testing";
import type { TestRepository } from "../support/repository.ts";
import type { Form } from "./form.ts";
import { commitRaw, imported, LINEAR, type ImportedCommit, writeObject } from "./form-builder.ts";

const AT = "1700001000 +0000";
const ADA = `Ada <ada@example.org> ${AT}`;
/** A chain of commits with these lines and messages. */
const chain =
  (commits: readonly (readonly [people: string, message: string])[]) =>
  (folder: TempFolder): TestRepository => {
    const repository = imported(folder.at("r"), LINEAR);
    for (const [people, message] of commits)
      commitRaw(repository, (tree, parent) =>
        Buffer.from(
          `tree ${tree}
parent ${parent}
${people}

${message}`,
          "latin1",
        ),
      );
    return repository;
  };
const linearWith = (last: ImportedCommit): Form => ({ make: (folder) => imported(folder.at("r"), [...LINEAR, last]) });

export const HISTORY_FORMS: Readonly<Record<string, Form>> = {
  "a line of commits": { make: (folder) => imported(folder.at("r"), LINEAR).write({ "a.txt": "changed\n", "new.txt": "new\n" }) },
  "a merge": {
    make: (folder) =>
      imported(folder.at("r"), [
        ...LINEAR,
        { branch: "side", from: ":2", files: { "side.txt": "side\n" } },
        { message: "merge\n", merge: [":5"], files: { "side.txt": "side\n" } },
      ]),
  },
  "an octopus": {
    make: (folder) =>
      imported(folder.at("r"), [
        ...LINEAR,
        ...["x", "y", "z"].map((branch) => ({ branch, from: ":1", files: { [`${branch}.txt`]: `${branch}\n` } })),
        { message: "octopus\n", merge: [":5", ":6", ":7"], files: { "x.txt": "x\n", "y.txt": "y\n", "z.txt": "z\n" } },
      ]),
  },
  "criss-cross merges": {
    make: (folder) =>
      imported(folder.at("r"), [
        { files: { "a.txt": "1\n2\n3\n" } },
        { files: { "a.txt": "1\n2\nthree\n" } },
        { branch: "side", from: ":1", files: { "a.txt": "one\n2\n3\n" } },
        { merge: [":3"], files: { "a.txt": "one\n2\nthree\n" } },
        { branch: "side", merge: [":2"], files: { "a.txt": "one\n2\nthree\n" } },
        { merge: [":5"], files: { "a.txt": "one\ntwo\nthree\n" } },
      ]),
  },
  "two roots": {
    make: (folder) =>
      imported(folder.at("r"), [
        ...LINEAR,
        { branch: "other", files: { "o.txt": "o\n" } },
        { message: "join\n", merge: [":5"], files: { "o.txt": "o\n" } },
      ]),
  },
  "renames, copies and modes": {
    make(folder) {
      const long = Array.from({ length: 30 }, (_value, at) => `line ${at}\n`).join("");
      return imported(folder.at("r"), [
        { files: { "old.txt": long, "kept.txt": `${long}kept\n`, "run.sh": "#!/bin/sh\n" } },
        {
          files: {
            "old.txt": undefined,
            "new/name.txt": `${long}more\n`,
            "copy.txt": `${long}kept\n`,
            "run.sh": ["100755", "#!/bin/sh\n"],
          },
        },
      ]);
    },
  },
  "links and files that change places": {
    make: (folder) =>
      imported(folder.at("r"), [
        { files: { "a.txt": "a\n", link: ["120000", "a.txt"], was: "file\n" } },
        { files: { link: "file now\n", was: ["120000", "../outside"], gone: ["120000", "nowhere"] } },
      ]),
  },
  "commits with the same parent twice": {
    make: (folder) =>
      commitRaw(
        imported(folder.at("r"), LINEAR),
        (tree, parent) => `tree ${tree}\nparent ${parent}\nparent ${parent}\nauthor ${ADA}\ncommitter ${ADA}\n\ntwice\n`,
      ),
  },
  "dates that go backwards": {
    make: (folder) =>
      imported(
        folder.at("r"),
        LINEAR.map((commit, at) => ({ ...commit, date: `${1_700_000_000 - at * 86_400} -0830` })),
      ),
  },
  "no name": linearWith({ author: "<>", files: { "n.txt": "n\n" } }),
  "odd people and dates": {
    make: chain([
      // a name of odd characters
      [`author "A. B." (x) <a b@c> ${AT}\ncommitter ${ADA}`, "odd\n"],
      // a name that is not UTF-8
      [`author J\xfcrgen <j\xfc@example.org> ${AT}\ncommitter ${ADA}`, "odd\n"],
      // no author line
      [`committer ${ADA}`, "no author\n"],
      // an author line without a date
      [`author Ada <ada@example.org>\ncommitter ${ADA}`, "no date\n"],
      // an author line without an address
      [`author Ada ${AT}\ncommitter ${ADA}`, "no address\n"],
      // a date far away
      [`author Ada <a@x> 99999999999 +0000\ncommitter Ada <a@x> 99999999999 +0000`, "far\n"],
      // a date beyond every calendar
      [`author Ada <a@x> 18446744073709551614 +0000\ncommitter ${ADA}`, "beyond\n"],
      // a date before 1970
      [`author Ada <a@x> -100 +0000\ncommitter ${ADA}`, "before\n"],
      // a time zone that does not exist
      [`author Ada <a@x> 1700000000 +9959\ncommitter Ada <a@x> 1700000000 -0061`, "zone\n"],
    ]),
  },
  "odd messages and headers": {
    make: chain([
      // a message in Latin-1, as its header says
      [`author ${ADA}\ncommitter ${ADA}\nencoding ISO-8859-1`, "caf\xe9\n\nna\xefve\n"],
      // a message in Latin-1 without a header
      [`author ${ADA}\ncommitter ${ADA}`, "caf\xe9\n"],
      // a message in an unknown encoding
      [`author ${ADA}\ncommitter ${ADA}\nencoding X-UNKNOWN`, "caf\xe9\n"],
      // a message with CRLF and blank lines
      [`author ${ADA}\ncommitter ${ADA}`, "\n\n  subject\r\nsecond line\r\n\r\nbody\r\n"],
      // no message
      [`author ${ADA}\ncommitter ${ADA}`, ""],
      // a message with NUL
      [`author ${ADA}\ncommitter ${ADA}`, "before\0after\n"],
      // a subject of 10,000 characters
      [`author ${ADA}\ncommitter ${ADA}`, `${"long ".repeat(2000)}\n`],
      // a signature and unknown headers
      [
        `author ${ADA}\ncommitter ${ADA}\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n broken\n -----END PGP SIGNATURE-----\nx-unknown some\n more`,
        "signed\n",
      ],
      // escape sequences in message and name
      [`author \x1b[31mAda <ada@example.org> ${AT}\ncommitter ${ADA}`, "red \x1b[31m\n\nb\x07ell\n"],
    ]),
  },
  "a date that no calendar has": {
    make: (folder) =>
      commitRaw(imported(folder.at("r"), LINEAR), (tree, parent) =>
        [`tree ${tree}`, `parent ${parent}`, "author A <a@x> 99999999999999999999 +9999", "committer A <a@x> -5 -0001", "", "odd\n"].join(
          "\n",
        ),
      ),
  },
  "modes of old programs": {
    make(folder) {
      const repository = imported(folder.at("r"), LINEAR);
      const [blob = "", dir = ""] = repository.git("rev-parse", "HEAD:a.txt", "HEAD:dir").split("\n");
      const entry = (mode: string, name: string, id: string) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, "hex")]);
      const entries = [entry("100664", "a", blob), entry("0100644", "b", blob), entry("040000", "c", dir)];
      const tree = writeObject(repository, "tree", Buffer.concat(entries));
      const person = "A <a@x> 1700001000 +0000";
      return commitRaw(repository, (_tree, parent) => `tree ${tree}\nparent ${parent}\nauthor ${person}\ncommitter ${person}\n\nold\n`);
    },
  },
};
