// PDF, EPUB and HTML files.
import { expect, test } from "vitest";
import { extractText } from "../../src/text-extraction.ts";
import { epubOf } from "../support/archives.ts";
import { pdfOf } from "../support/pdf.ts";

test("reads the pages of a PDF, and names those without text", async () => {
  expect(await extractText(pdfOf(["Hello", "", "Third page"], { title: "Greetings" }))).toEqual({
    format: "pdf",
    unit: "page",
    title: "Greetings",
    count: 3,
    parts: [
      { number: 1, text: "Hello" },
      { number: 2, text: "[no text on this page: it may be a scan; its images show it]" },
      { number: 3, text: "Third page" },
    ],
  });
});

test("reads the chapters of an EPUB in the order of reading", async () => {
  expect(await extractText(epubOf({ "b 1.xhtml": "<h1>One</h1><p>text</p>", "a.xhtml": "<p>two</p>" }))).toEqual({
    format: "epub",
    unit: "chapter",
    title: "A Book",
    count: 2,
    parts: [
      { number: 1, title: "b 1.xhtml", text: "# One\n\ntext" },
      { number: 2, title: "a.xhtml", text: "two" },
    ],
  });
});

test("reads HTML as blocks, items, cells and preformatted text, without scripts", async () => {
  const page = `<!doctype html><html><head><title> A
    page </title><style>p{}</style></head><body><script>alert("no")</script>
    <h2>Head<b>ing</b></h2><p>One
    two<br>three &amp; caf&eacute;</p><ul><li>a<li>b</ul>
    <table><tr><th>x<th>y<tr><td>1<td>2</table><pre>  kept
  as is</pre><p><img alt="a picture" src="x.png"></p></body></html>`;
  expect(await extractText(Buffer.from(page))).toEqual({
    format: "html",
    unit: "part",
    title: "A page",
    count: 1,
    parts: [{ number: 1, text: "## Heading\n\nOne two\nthree & café\n- a\n- b\nx | y\n1 | 2\n\n  kept\n  as is\n\na picture" }],
  });
});

test("shows a title outside of the head once", async () => {
  expect(await extractText(Buffer.from("<html><title>T</title><p>Hello"))).toMatchObject({ title: "T", parts: [{ text: "Hello" }] });
});

test.each([
  ["iso-8859-1", Buffer.from('<html><meta charset="iso-8859-1"><p>gr\u00fcn', "latin1")],
  ["utf-16le", Buffer.from("\ufeff<html><p>gr\u00fcn", "utf16le")],
  ["utf-8", Buffer.from('<html><meta charset="nonsense"><p>gr\u00fcn')],
])("decodes HTML in %s", async (_, bytes) => {
  expect((await extractText(bytes)).parts[0]?.text).toBe("gr\u00fcn");
});
