/** One tool for each shape of content that a result can have. */
import { audio, embed, image, text, tool, ToolError } from "@oarlock/server-kit";
import { PIXEL, SILENCE } from "../media.ts";

const mixed = {
  uri: "test://mixed-content-resource",
  mimeType: "application/json",
  text: JSON.stringify({ test: "data", value: 123 }),
};

export const content = [
  tool({
    name: "test_simple_text",
    description: "Returns one text.",
    run: () => "This is a simple text response for testing.",
  }),
  tool({
    name: "test_image_content",
    description: "Returns one picture.",
    run: () => [image(PIXEL, "image/png")],
  }),
  tool({
    name: "test_audio_content",
    description: "Returns one sound.",
    run: () => [audio(SILENCE, "audio/wav")],
  }),
  tool({
    name: "test_embedded_resource",
    description: "Returns one embedded resource.",
    run: () => [embed({ uri: "test://embedded-resource", mimeType: "text/plain", text: "This is an embedded resource content." })],
  }),
  tool({
    name: "test_multiple_content_types",
    description: "Returns a text, a picture and an embedded resource.",
    run: () => [text("Multiple content types test:"), image(PIXEL, "image/png"), embed(mixed)],
  }),
  tool({
    name: "test_error_handling",
    description: "Fails, always.",
    run() {
      throw new ToolError("This tool intentionally returns an error for testing");
    },
  }),
];
