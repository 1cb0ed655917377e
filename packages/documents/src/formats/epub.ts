// Books (EPUB): the chapters in the order of reading.
import { posix } from "node:path";
import { pathInArchive } from "../container/relationships.ts";
import { attribute, readXml } from "../container/xml.ts";
import { ZipArchive } from "../container/zip-archive.ts";
import type { Document } from "../document.ts";
import { broken, DocumentError } from "../document-error.ts";
import { MAX_PARTS } from "../limits.ts";
import { readImages } from "../images/archive-images.ts";
import { decodeHtml } from "./html.ts";
import { htmlText, imageSources } from "./html-text.ts";

const FORMAT = "EPUB";
const CONTAINER = "META-INF/container.xml";
const ENCRYPTION = "META-INF/encryption.xml";

export function openEpub(bytes: Uint8Array): Document {
  const archive = new ZipArchive(bytes, FORMAT);
  const { title, chapters } = bookOf(archive, packageFile(archive));
  const encrypted = encryptedFiles(archive);
  return {
    format: "epub",
    unit: "chapter",
    title,
    count: chapters.length,
    read(index) {
      const file = chapters[index] ?? "";
      if (encrypted.has(file))
        throw new DocumentError(
          "encrypted",
          "Document encrypted: this book is protected by digital rights management, so its text cannot be read.",
        );
      const source = decodeHtml(archive.read(file));
      if (/<!ENTITY/i.test(source)) throw broken(FORMAT, `${file} in it declares entities, which are not expanded`);
      return htmlText(source);
    },
    images(index, maxBytes) {
      const file = chapters[index] ?? "";
      const sources = encrypted.has(file) ? [] : imageSources(decodeHtml(archive.read(file)));
      const files = sources.map((source) => pathInArchive(posix.dirname(file), decoded(source)));
      return readImages(
        archive,
        files.filter((image) => !encrypted.has(image)),
        maxBytes,
      );
    },
  };
}

function packageFile(archive: ZipArchive): string {
  let file: string | undefined;
  readXml(archive.read(CONTAINER), FORMAT, CONTAINER, {
    open(tag, attributes) {
      if (tag === "rootfile") file ??= attribute(attributes, "full-path");
    },
  });
  if (file === undefined) throw broken(FORMAT, `${CONTAINER} in it names no book`);
  return file;
}

function bookOf(archive: ZipArchive, name: string): { title: string | undefined; chapters: string[] } {
  const folder = posix.dirname(name);
  const files = new Map<string, string>();
  const order: string[] = [];
  let [title, isTitle] = ["", false];
  readXml(archive.read(name), FORMAT, name, {
    open(tag, attributes) {
      if (tag === "title") isTitle = title === "";
      const [id, href] = [attribute(attributes, "id"), attribute(attributes, "href")];
      if (tag === "item" && id !== undefined && href !== undefined) files.set(id, pathInArchive(folder, decoded(href)));
      const idref = attribute(attributes, "idref");
      if (tag === "itemref" && idref !== undefined && order.length < MAX_PARTS) order.push(idref);
    },
    close() {
      isTitle = false;
    },
    text(text) {
      if (isTitle) title = (title + text).slice(0, 1000);
    },
  });
  const chapters = order.flatMap((id) => files.get(id) ?? []).filter((file) => archive.has(file));
  if (chapters.length === 0) throw broken(FORMAT, "it has no chapters");
  return { title: title.trim() === "" ? undefined : title.trim(), chapters };
}

/** Fonts are among them in books that are not protected. */
function encryptedFiles(archive: ZipArchive): ReadonlySet<string> {
  const files = new Set<string>();
  if (!archive.has(ENCRYPTION)) return files;
  readXml(archive.read(ENCRYPTION), FORMAT, ENCRYPTION, {
    open(tag, attributes) {
      if (tag === "CipherReference") files.add(decoded(attribute(attributes, "URI") ?? ""));
    },
  });
  return files;
}

function decoded(href: string): string {
  const [path = ""] = href.split("#", 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
