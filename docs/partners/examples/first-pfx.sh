#!/usr/bin/env bash
set -euo pipefail

call() {
  curl -sS "$URL$1" -H "x-gw: $KEY" -H 'content-type: application/json' -H "Idempotency-Key: $2" -d "$3" |
    jq -e 'if .success then .data else error(.error) end'
}

code=$(call /api/partner/v1/pcode/bulk "$(openssl rand -hex 16)" '{"productCode":"FV01","quantity":1}' | jq -r '.pcodes[0]')

call /api/partners/v1/certificate_request "$(openssl rand -hex 16)" '{
  "pCode": "'"$code"'",
  "referenceId": "orden-1",
  "dni": "11111111-1",
  "email": "juana@example.cl",
  "pin": "4821",
  "serialNumber": "111111111"
}' > validated.json

openssl rand -hex 16 > claim.key
call /api/partners/v1/certificate_claim "$(cat claim.key)" \
  '{"p_code":"'"$code"'","dni":"11111111-1","pin":"4821"}' > claim.json
jq -r .certificate claim.json | base64 -d > juana.pfx

echo "$code"
