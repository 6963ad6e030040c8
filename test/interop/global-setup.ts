import { installSigner, isInstalled } from "../../scripts/install-signer.ts";

/** Compiles the signer's package once, before the files that sign by a token run beside each other. */
export default function setUp(): void {
	if (isInstalled("softhsm2-util")) installSigner();
}
