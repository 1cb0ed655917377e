// The servers that the transcripts are played against: `sample` has one of everything that the newest revision knows, so
// that what an older one cannot say shows; `bare` has nothing. What a transcript says is here, word for word.
import { defineServer, type Server } from "@oarlock/server-kit";
import { change } from "./sample/change.ts";
import { samplePrompts } from "./sample/prompts.ts";
import { questionTools } from "./sample/questions.ts";
import { sampleResources } from "./sample/resources.ts";
import { Sign } from "./sample/sign.ts";
import { sampleTools } from "./sample/tools.ts";

function sample(): Server {
  const sign = new Sign();
  const server: Server = defineServer({
    name: "sample",
    version: "1.2.3",
    title: "Sample server",
    description: "One of everything.",
    websiteUrl: "https://sample.example/",
    icons: [{ src: "https://sample.example/icon.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }],
    instructions: "Call echo.",
    pageSize: 2,
    tools: [...sampleTools(sign), ...questionTools(), change(() => server)],
    resources: sampleResources(sign),
    prompts: samplePrompts(),
  });
  return server;
}

/** No tools, no resources, no prompts. */
const bare = (): Server => defineServer({ name: "bare", version: "1.0.0" });

/** By the name that a transcript's `# Server:` line gives. */
export const servers: Readonly<Record<string, () => Server>> = { sample, bare };
