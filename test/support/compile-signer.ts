import { installSigner, isInstalled } from "../../scripts/install-signer.ts";

/** Compiles the signer's package once, before files that need it run beside each other and would each compile it. */
export default function setUp(): void {
	if (isInstalled("softhsm2-util")) installSigner();
}
