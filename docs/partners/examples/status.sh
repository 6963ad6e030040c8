#!/usr/bin/env bash
set -euo pipefail

curl -sS --get "$URL/api/partners/v1/status" -H "x-gw: $KEY" --data-urlencode "p_code=$1" |
  jq -er 'if .success then .data.status else error(.error) end'
