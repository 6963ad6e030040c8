import { expect, test } from "vitest";
import { judgeOutboundUrl } from "../../../src/delivery/outbound-url.ts";

const PROD = { ownHost: "certificates.example", allowLoopback: false };
const LOCAL = { ownHost: "localhost:8787", allowLoopback: true };

function verdict(text: string, policy = PROD): string {
	const judged = judgeOutboundUrl(text, policy);
	return judged.ok ? "ok" : judged.problem;
}

test.each([
	"https://partner.example/hook",
	"https://partner.example:443/hook?tenant=1",
	"https://xn--oa-4ia.example/webhooks",
	"https://ñandú.example/webhooks",
	"https://8.8.8.8/hook",
	"https://172.32.0.1/",
	"https://100.128.0.1/",
	"https://[2606:4700::1111]/hook",
	"https://certificates.example.partner.example/",
	"https://notcertificates.example/",
])("outbound safety: %s may receive webhooks", (url) => {
	expect(verdict(url)).toBe("ok");
});

test.each([
	["http://partner.example/hook", "not_https"],
	["ftp://partner.example/hook", "not_a_url"],
	["javascript:alert(1)", "not_a_url"],
	["partner.example/hook", "not_a_url"],
	[" https://partner.example/", "not_a_url"],
	["https://partner.example/\r\nx-injected: 1", "not_a_url"],
	["https://partner.example\\@127.0.0.1/", "not_a_url"],
	["https://user:secret@partner.example/", "credentials"],
	["https://user@partner.example/", "credentials"],
	["https://certificates.example/api", "own_zone"],
	["https://CERTIFICATES.example./api", "own_zone"],
	["https://dev.certificates.example/", "own_zone"],
	["https://certificates.example:8443/", "own_zone"],
	["https://partner.example:8443/hook", "port"],
	["https://partner.example:80/hook", "port"],
	["https://8.8.8.8:22/hook", "port"],
] as const)("outbound safety: %s is refused as %s", (url, problem) => {
	expect(verdict(url)).toBe(problem);
});

test.each([
	["0x7f.1", "loopback, mixed"],
	["127.0.0.1.", "loopback with a final dot"],
	["１２７.0.0.1", "loopback, full-width digits"],
	["localhost", "loopback by name"],
	["localhost.", "the same with a final dot"],
	["anything.localhost", "loopback by name"],
	["192.0.2.1", "documentation"],
	["198.18.0.1", "benchmarking"],
	["255.255.255.255", "broadcast"],
	["[::1]", "loopback"],
	["[::]", "unspecified"],
	["[::127.0.0.1]", "compatible loopback"],
	["[64:ff9b:1::1]", "local NAT64"],
	["[2001::1]", "Teredo"],
	["[2001:db8::1]", "documentation"],
	["[fc00::1]", "unique local"],
	["[fd12:3456::1]", "unique local"],
	["[fe80::1]", "link-local"],
	["[fec0::1]", "site-local"],
	["[ff02::1]", "multicast"],
	["[100::1]", "discard"],
	["[fd00:ec2::254]", "metadata"],
	["metadata.google.internal", "metadata by name"],
	["printer.local", "mDNS"],
	["intranet", "a name without a dot"],
	["router.home.arpa", "home network"],
])("outbound safety: https://%s is no public host (%s)", (host) => {
	expect(verdict(`https://${host}/hook`)).toBe("not_public");
	expect(verdict(`https://${host}:8443/hook`)).toBe("not_public");
});

test("outbound safety: local lets http reach loopback by its setting, and nothing else", () => {
	expect(verdict("http://127.0.0.1:9000/hook", LOCAL)).toBe("ok");
	expect(verdict("http://localhost:9000/hook", LOCAL)).toBe("ok");
	expect(verdict("http://[::1]:9000/hook", LOCAL)).toBe("ok");
	expect(verdict("http://localhost:8787/ops/v1/partners", LOCAL)).toBe("own_zone");
	expect(verdict("http://10.0.0.1/hook", LOCAL)).toBe("not_https");
	expect(verdict("https://10.0.0.1/hook", LOCAL)).toBe("not_public");
	expect(verdict("http://partner.example/hook", LOCAL)).toBe("not_https");
	expect(verdict("https://partner.example:8443/hook", LOCAL)).toBe("port");
	expect(verdict("http://127.0.0.1:9000/hook", { ...LOCAL, allowLoopback: false })).toBe("not_https");
});
