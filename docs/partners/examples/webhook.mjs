import { createHmac, timingSafeEqual } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";

const { WEBHOOK_SECRET, PORT = "3000" } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace("whsec_", ""), "base64");

function isSigned(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false;
  const own = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${own}`);
  return signatures.split(" ").some((signature) => {
    const sent = Buffer.from(signature);
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(request.headers, body)) return response.writeHead(400).end();
  const { type, data } = JSON.parse(body);
  if (type === "certificate.emitted") writeFileSync(`${data.p_code}.pfx`, data.certificate, "base64");
  response.writeHead(204).end();
}).listen(Number(PORT));
