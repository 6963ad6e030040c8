#!/usr/bin/env bash
set -euo pipefail

id=$1 timestamp=$2 signatures=$3
cat > body.json

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \n')
signature=v1,$({ printf '%s.%s.' "$id" "$timestamp"; cat body.json; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 -w 0)

[[ $timestamp =~ ^[0-9]+$ ]] || { echo "not a time" >&2; exit 1; }
age=$(($(date +%s) - timestamp))
((age > -300 && age < 300)) || { echo "old: $age s" >&2; exit 1; }
[[ " $signatures " == *" $signature "* ]] || { echo "not signed by the service" >&2; exit 1; }

if jq -e '.type == "certificate.emitted"' body.json > /dev/null; then
  jq -r .data.certificate body.json | base64 -d > "$(jq -r .data.p_code body.json).pfx"
fi
