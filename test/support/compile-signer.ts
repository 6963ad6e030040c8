import { installSigner, isInstalled } from "../../scripts/install-signer.ts";

/** Compiles the signer's package once, before files that need it run beside each other: two installs at once break both. */
export default function setUp(): void {
	if (isInstalled("softhsm2-util")) installSigner();
}
