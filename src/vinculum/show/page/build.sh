#!/usr/bin/env bash
# Makes viewer.js from source/ with three.js, whose copyright notice stays in it. Needs node and npm; users of Vinculum need neither.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$here/source" "$work/source"
cd "$work"
npm init -y >/dev/null
npm install --silent three@0.187.0 esbuild@0.28.2
npx esbuild source/viewer.js --bundle --minify --format=esm --target=es2022 --legal-comments=eof --outfile="$here/viewer.js"
cp node_modules/three/LICENSE "$here/LICENSE.three"
