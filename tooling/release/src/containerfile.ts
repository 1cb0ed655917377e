/** Container image of a server: the package from npm, run by an unprivileged user. */
import { commandOf, packageOf, registryNameOf, REPOSITORY, type About } from "./about.ts";

export function containerfile(about: About, node: string): string {
  const system = about.system.length === 0 ? "" : `RUN apk add --no-cache ${about.system.join(" ")}\n`;
  return `# Written by tooling/release. Builds for every platform that the base has: docker buildx build --build-arg VERSION=1.2.3 .
FROM node:${node}-alpine
ARG VERSION=latest
LABEL io.modelcontextprotocol.server.name="${registryNameOf(about)}"
LABEL org.opencontainers.image.source="${REPOSITORY}"
LABEL org.opencontainers.image.licenses="MIT"
${system}RUN npm install --global --omit=dev --ignore-scripts ${packageOf(about)}@\${VERSION} && npm cache clean --force
USER node
WORKDIR /home/node
ENTRYPOINT ["${commandOf(about)}"]
`;
}
