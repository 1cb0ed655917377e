// What the kit uses and some browsers lack: iteration of streams (Safari), and the body of a request (Firefox).

const streams = ReadableStream.prototype;

if (!(Symbol.asyncIterator in streams)) {
  Object.defineProperty(streams, Symbol.asyncIterator, {
    async *value(this: ReadableStream<unknown>) {
      const reader = this.getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    },
  });
}

/** The request, with a body that can be read as a stream. */
export function withBodyStream(request: Request, text: string): Request {
  if (text !== "" && !(request.body instanceof ReadableStream)) Object.defineProperty(request, "body", { value: new Response(text).body });
  return request;
}
