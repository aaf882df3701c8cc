#!/bin/sh
# Lists the open pull requests of a repository page by page with curl and, if an issue is named, leaves a comment on it.
#
#   squad-rate exec --agent reviewer -- sh pull_requests.sh acme/app 12
set -eu
api=${GITHUB_API_URL:-https://api.github.com}
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT

# The answer in $body. With --retry curl would come back by itself when a refusal says that it may.
ask() {
  body=$(curl --silent --show-error --fail-with-body --dump-header "$headers" \
    --header "Authorization: Bearer ${GH_TOKEN:-${GITHUB_TOKEN:-}}" "$@") || {
    sed -n 's/^retry-after: *\([0-9]*\).*/come back in \1 s:/Ip' "$headers" >&2
    echo "$body" >&2
    exit 1
  }
}

page="$api/repos/$1/pulls?state=open&sort=created&per_page=5"
while [ -n "$page" ]; do
  ask "$page"
  echo "$body" | sed -n 's/^    "title": "\(.*\)",$/\1/p'
  # The link to the next page leads through the proxy again.
  page=$(sed -n 's/^link:.*<\([^>]*\)>; rel="next".*/\1/Ip' "$headers")
done
if [ $# -gt 1 ]; then
  ask --data '{"body": "Seen."}' "$api/repos/$1/issues/$2/comments"
  echo "$body" | sed -n 's/^  "body": "\(.*\)",$/on #'"$2"': \1/p'
fi
