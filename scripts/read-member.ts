import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as x509 from "@peculiar/x509";

/** Reads `<name>.key.pem` and `<name>.pem` of a ceremony's folder. @returns base64 PKCS#8 and base64 DER */
export async function readMember(folder: string, name: "root" | "issuing") {
	const read = async (file: string) => {
		const [der] = x509.PemConverter.decode(await readFile(join(folder, file), "utf8"));
		return Buffer.from(der!).toString("base64");
	};
	return { key: await read(`${name}.key.pem`), certificate: await read(`${name}.pem`) };
}
