#!/usr/bin/env bash
# Builds and pushes the image of one published server for both kinds of processor: NAME=@oarlock/git VERSION=1.2.3 image.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
server=${NAME#@*/}
if [ ! -f "servers/$server/Dockerfile" ]; then
  echo "$NAME has no image"
  exit 0
fi
image="ghcr.io/${GITHUB_REPOSITORY_OWNER:-oarlock}/$server"
docker=${DOCKER:-docker}
if [ -n "${GH_TOKEN:-}" ]; then
  echo "$GH_TOKEN" | "$docker" login ghcr.io --username "${GITHUB_ACTOR:-oarlock}" --password-stdin
fi
"$docker" buildx create --use
"$docker" buildx build --platform linux/amd64,linux/arm64 --build-arg "VERSION=$VERSION" --build-arg "REVISION=${GITHUB_SHA:-unknown}" \
  --sbom=true --provenance=mode=max --tag "$image:$VERSION" --tag "$image:latest" --push "servers/$server"
