#!/usr/bin/env bash
# Builds and pushes the image of a published server for both kinds of processor: SERVER=git image.sh. Its digest is an output of the step.
set -euo pipefail
cd "$(dirname "$0")/../../servers/$SERVER"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
image="ghcr.io/${GITHUB_REPOSITORY_OWNER:-oarlock}/$SERVER"
docker=${DOCKER:-docker}
if [ -n "${GH_TOKEN:-}" ]; then
  echo "$GH_TOKEN" | "$docker" login ghcr.io --username "${GITHUB_ACTOR:-oarlock}" --password-stdin
fi
metadata=$(mktemp)
"$docker" buildx create --use
"$docker" buildx build --platform linux/amd64,linux/arm64 --build-arg "VERSION=$version" --build-arg "REVISION=${GITHUB_SHA:-unknown}" \
  --sbom=true --provenance=mode=max --metadata-file "$metadata" --tag "$image:$version" --tag "$image:latest" --push .
sed -n 's/.*"containerimage.digest": "\(.*\)".*/digest=\1/p' "$metadata" >> "${GITHUB_OUTPUT:-/dev/stdout}"
