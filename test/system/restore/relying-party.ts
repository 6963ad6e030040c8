import { MINUTE_MS, SECOND_MS } from "../../../src/domain/durations.ts";
import { encodePem, openWithOpenssl } from "../../interop/pfx-openers.ts";
import { crlPem } from "../../interop/publish-crl.ts";
import { ToolFolder } from "../../interop/revocation-tools.ts";
import { localKeyId, SECRETS } from "../../support/local-authority.ts";
import type { ServiceProcess } from "../crash/service-process.ts";

const CHAIN = { "root.pem": SECRETS.ROOT_CERTIFICATE, "issuing.pem": SECRETS.ISSUING_CERTIFICATE };

/** Somebody with openssl and some certificates, who asks whether they are still good. */
export class RelyingParty {
	readonly #files = new ToolFolder();
	readonly #names: string[] = [];

	constructor() {
		for (const [name, der] of Object.entries(CHAIN))
			this.#files.write(name, `${encodePem(Buffer.from(der ?? "", "base64"))}\n`);
	}

	/** @param pfx - base64 */
	receive(name: string, pfx: string, pin: string): void {
		this.#files.write(
			`${name}.pem`,
			openWithOpenssl(new Uint8Array(Buffer.from(pfx, "base64")), pin).leafPem,
		);
		this.#names.push(name);
	}

	/**
	 * Asks a minute later, when no cache keeps an answer of before.
	 * @returns of each certificate what OCSP says, and whether `openssl verify -crl_check` passes it
	 */
	async judge(service: ServiceProcess): Promise<Record<string, [ocsp: string, passes: boolean]>> {
		await service.ask("clock", { by: MINUTE_MS + SECOND_MS });
		const crl = await service.fetchBytes(`/pki/${localKeyId}/crl`);
		this.#files.write("crl.pem", crlPem(crl));
		const { text } = await this.#files.openssl("crl -in crl.pem -noout -lastupdate");
		const at = Math.floor(Date.parse(text.split("=")[1]!) / SECOND_MS) + 60;
		const judged = this.#names.map(async (name) => {
			const verified = await this.#files.openssl(
				`verify -crl_check -attime ${at} -CAfile root.pem -untrusted issuing.pem -CRLfile crl.pem ${name}.pem`,
			);
			const asked = await this.#files.openssl(
				`ocsp -issuer issuing.pem -CAfile root.pem -verify_other issuing.pem -validity_period 604800 -url ${service.url}/pki/ocsp -cert ${name}.pem`,
			);
			const said = /\.pem: (\w+)|Responder Error: (\w+)/.exec(asked.text);
			if (!said || (said[1] && !asked.text.includes("Response verify OK"))) throw new Error(asked.text);
			if (verified.code !== 0 && !verified.text.includes("certificate revoked"))
				throw new Error(verified.text);
			return [name, [said[1] ?? said[2]!, verified.code === 0]] as const;
		});
		return Object.fromEntries(await Promise.all(judged)) as Record<string, [string, boolean]>;
	}

	[Symbol.dispose](): void {
		this.#files[Symbol.dispose]();
	}
}
