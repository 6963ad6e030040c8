import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";

const { URL: service, KEY } = process.env;

async function call(path, body, idempotencyKey = randomUUID()) {
  const answer = await fetch(service + path, {
    method: "POST",
    headers: { "x-gw": KEY, "content-type": "application/json", "idempotency-key": idempotencyKey },
    body: JSON.stringify(body),
  });
  const { success, error, data } = await answer.json();
  if (!success) throw new Error(error);
  return data;
}

const { pcodes } = await call("/api/partner/v1/pcode/bulk", { productCode: "FV01", quantity: 1 });
const [code] = pcodes;

await call("/api/partners/v1/certificate_request", {
  pCode: code,
  referenceId: "orden-1",
  dni: "11111111-1",
  email: "juana@example.cl",
  pin: "4821",
  serialNumber: "111111111",
});

const claimKey = randomUUID();
writeFileSync("claim.key", claimKey);
const claim = { p_code: code, dni: "11111111-1", pin: "4821" };
const { certificate } = await call("/api/partners/v1/certificate_claim", claim, claimKey);
writeFileSync("juana.pfx", certificate, "base64");

console.log(code);
