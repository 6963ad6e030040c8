import base64
import json
import os
import uuid
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen


def call(path, body, idempotency_key=None):
    headers = {
        "x-gw": os.environ["KEY"],
        "content-type": "application/json",
        "idempotency-key": idempotency_key or str(uuid.uuid4()),
    }
    try:
        with urlopen(Request(os.environ["URL"] + path, json.dumps(body).encode(), headers)) as response:
            answer = json.load(response)
    except HTTPError as refusal:
        answer = json.load(refusal)
    if not answer["success"]:
        raise RuntimeError(answer["error"])
    return answer["data"]


code = call("/api/partner/v1/pcode/bulk", {"productCode": "FV01", "quantity": 1})["pcodes"][0]

call("/api/partners/v1/certificate_request", {
    "pCode": code,
    "referenceId": "orden-1",
    "dni": "11111111-1",
    "email": "juana@example.cl",
    "pin": "4821",
    "serialNumber": "111111111",
})

claim_key = str(uuid.uuid4())
Path("claim.key").write_text(claim_key)
claim = {"p_code": code, "dni": "11111111-1", "pin": "4821"}
claimed = call("/api/partners/v1/certificate_claim", claim, claim_key)
Path("juana.pfx").write_bytes(base64.b64decode(claimed["certificate"]))

print(code)
