import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** Issues that certificate and PFX by openssl's command line: four processes a certificate, no database, no HTTP. */
export interface OpensslPipeline {
	/** `n` certificates one after the other. @returns milliseconds, and CPU milliseconds of the processes */
	issue(key: "rsa" | "ec", n: number): Promise<{ ms: number; cpuMs: number }>;
	/** `n` RSA-2048 keys by `openssl genpkey`, a process each. @returns CPU milliseconds, the processes' start included */
	makeKeys(n: number): Promise<number>;
	stop(): Promise<void>;
}

const EXTENSIONS = `basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, nonRepudiation, keyEncipherment
extendedKeyUsage = clientAuth, emailProtection
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
crlDistributionPoints = URI:http://localhost:8787/pki/crl
authorityInfoAccess = OCSP;URI:http://localhost:8787/pki/ocsp, caIssuers;URI:http://localhost:8787/pki/cer
certificatePolicies = 1.3.6.1.4.1.55555.1.1
subjectAltName = email:holder@example.cl, otherName:1.3.6.1.4.1.8321.1;IA5STRING:20000000-5
issuerAltName = otherName:1.3.6.1.4.1.8321.2;IA5STRING:76000000-0
`;

const RSA = "-algorithm RSA -pkeyopt rsa_keygen_bits:2048";

/** Uses the rounds of the `modern` profile (-iter sets the MAC's too); `times` at the end prints all children's use. */
const SCRIPT = `set -e
cd "$1"; kind=$2; n=$3; d=$(mktemp -d -p .)
if [ $kind = rsa ]; then opt="${RSA}"
else opt="-algorithm EC -pkeyopt ec_paramgen_curve:P-256"; fi
for i in $(seq $n); do
	openssl genpkey -quiet $opt -out $d/key.pem
	openssl req -new -key $d/key.pem -subj "/C=CL/CN=TITULAR 20000000/serialNumber=20000000-5" -out $d/csr.pem
	openssl x509 -req -in $d/csr.pem -CA ca.pem -CAkey ca-key.pem -days 365 -sha256 -extfile ext.cnf -out $d/leaf.pem
	openssl pkcs12 -export -inkey $d/key.pem -in $d/leaf.pem -certfile ca.pem -name holder -passout pass:1357 \
		-keypbe AES-256-CBC -certpbe AES-256-CBC -iter 2048 -macalg sha256 -out $d/holder.pfx
done 2>/dev/null
rm -r $d
times`;

export async function prepareOpenssl(): Promise<OpensslPipeline> {
	const folder = await mkdtemp(join(tmpdir(), "bench-openssl-"));
	const file = (name: string) => join(folder, name);
	const ca = ["req", "-x509", "-newkey", "rsa:3072", "-nodes", "-days", "3650", "-subj", "/CN=Bench CA"];
	execFileSync("openssl", [...ca, "-keyout", file("ca-key.pem"), "-out", file("ca.pem")], {
		stdio: "ignore",
	});
	await writeFile(file("ext.cnf"), EXTENSIONS);
	await writeFile(file("issue.sh"), SCRIPT);
	return {
		issue: async (key, n) => {
			const started = performance.now();
			const { stdout } = await promisify(execFile)("bash", [file("issue.sh"), folder, key, String(n)]);
			return { ms: performance.now() - started, cpuMs: readTimes(stdout) };
		},
		makeKeys: async (n) => {
			const script = `for i in $(seq ${n}); do openssl genpkey -quiet ${RSA} -out /dev/null; done; times`;
			return readTimes((await promisify(execFile)("bash", ["-c", script])).stdout);
		},
		stop: () => rm(folder, { recursive: true, force: true }),
	};
}

/** bash's `times`: a line of its own user and system time, and one of its children's, as `0m1.234s`. */
function readTimes(text: string): number {
	const all = [...text.matchAll(/(\d+)m([0-9.]+)s/g)];
	return all.reduce(
		(sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000,
		0,
	);
}
