import json
import os
import sys
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

address = os.environ["URL"] + "/api/partners/v1/status?" + urlencode({"p_code": sys.argv[1]})
try:
    with urlopen(Request(address, headers={"x-gw": os.environ["KEY"]})) as response:
        answer = json.load(response)
except HTTPError as refusal:
    answer = json.load(refusal)
if not answer["success"]:
    raise RuntimeError(answer["error"])
print(answer["data"]["status"])
