/** PKCS#8 from its version to the curve or the bytes of the key; PKCS#7 data, which a PFX begins with. */
const RSA_KEY = latin1("02010030 0d06092a864886f70d010101 0500 0482");
const EC_KEY = latin1("02010030 1306072a8648ce3d0201");
const PFX_DATA = latin1("06092a864886f70d010701");

/**
 * Secrets that must be nowhere at rest, by form and not by value: keys of partners, Idempotency-Keys (of the crash run's load),
 * tokens of the single sign-on, webhook secrets, private keys (PKCS#8, RSA and P-256; bytes, hex, base64, PEM), PFX files
 * (bytes, base64) and PINs next to their name. `core` is a part common to each form. Bytes are read as Latin-1.
 */
export const SECRET_FORMS: Record<string, { core: readonly string[]; form: RegExp }> = {
	"an API key": { core: ["gw_"], form: /gw_(dev|prod)_[0-9A-HJKMNP-TV-Z]{32}/ },
	"an Idempotency-Key": { core: ["idem-crash-"], form: /idem-crash-/ },
	"a token": { core: ["sso-"], form: /sso-\d{7,8}-[\dK]/ },
	"a webhook secret": { core: ["whsec_"], form: /whsec_[A-Za-z0-9+/]{8}/ },
	"a PIN": { core: ['pin"', 'pin\\"', "pin=", "pin:"], form: /pin\\?"?\s*[:=]\s*\\?"?\d{4}\b/ },
	"a private key in PEM": { core: ["PRIVATE KEY"], form: /BEGIN (RSA |EC )?PRIVATE KEY/ },
	"a private RSA key": { core: [RSA_KEY], form: /\x30\x82..\x02\x01\x00\x30\x0d\x06\x09/s },
	"a private EC key": { core: [EC_KEY], form: /\x02\x01\x00\x30\x13\x06\x07/ },
	"a private key in hex": {
		core: ["2a8648ce3d0201", "2A8648CE3D0201", "2a864886f70d010101", "2A864886F70D010101"],
		form: /02010030(1306072a8648ce3d0201|0d06092a864886f70d010101)/i,
	},
	"a private key in base64": {
		core: ["IBADANBgkqhkiG9w0BAQEFAASC", "MIGHAgEAMBMGByqGSM49AgEG"],
		form: /MII[A-Za-z0-9+/]{3}IBADANBgkqhkiG9w0BAQEFAASC|MIGHAgEAMBMGByqGSM49AgEG/,
	},
	"a PFX in base64": { core: ["IBAzCC"], form: /MII[A-Za-z0-9+/]{3}IBAzCC/ },
	"a PFX": {
		core: [PFX_DATA],
		form: /\x30\x82..\x02\x01\x03\x30\x82..\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01/s,
	},
};

function latin1(hex: string): string {
	return Buffer.from(hex.replaceAll(" ", ""), "hex").toString("latin1");
}
