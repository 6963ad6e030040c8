import * as asn1js from "asn1js";
import * as pkijs from "pkijs";

/*
 * Readers of a certificate holder's RUT, ported from PHP. They read the subject through openssl_x509_parse and the
 * extensions through phpseclib; here PKI.js stands for both.
 */

const SUBJECT_SERIAL = "2.5.4.5";
const SUBJECT_ALT_NAME = "2.5.29.17";
const OTHER_NAME = 0;

/**
 * LibreDTE before 2024-09, libredte-lib-core src/FirmaElectronica.php `getID` and `check`: of the subjectAltName the
 * first entry only, which has to be an otherName with an IA5String in it, whatever its type; the subject's
 * serialNumber where there is no subjectAltName. Leading zeros are dropped; a lower-case k is refused.
 *
 * @throws Error where it would
 */
export function readLikeLibreDte(der: Uint8Array): string {
	const certificate = pkijs.Certificate.fromBER(Uint8Array.from(der));
	const id = hasAltName(certificate) ? readFirstAltName(certificate) : readSubjectSerial(certificate);
	return checkLikeBoth(id?.replace(/^0+/, ""));
}

/**
 * derafu/certificate, on which LibreDTE stands since, src/Certificate.php `getId` and
 * src/Service/CertificateValidator.php: the subject's serialNumber, and the subjectAltName as above where there is
 * none. Spaces around and leading zeros are dropped; there has to be a hyphen; a lower-case k is refused.
 *
 * @throws Error where it would
 */
export function readLikeDerafu(der: Uint8Array): string {
	const certificate = pkijs.Certificate.fromBER(Uint8Array.from(der));
	const id = readSubjectSerial(certificate) ?? readFirstAltName(certificate);
	return checkLikeBoth(id?.trim().replace(/^0+/, ""));
}

function checkLikeBoth(id: string | undefined): string {
	const check = id?.split("-")[1];
	if (!id || check === undefined) throw new Error("no RUT with a check digit");
	if (check === "k") throw new Error("a lower-case k");
	return id.toUpperCase();
}

/** PHP joins several values of one attribute into an array, which no reader here takes for a RUT. */
function readSubjectSerial({ subject }: pkijs.Certificate): string | undefined {
	const values = subject.typesAndValues.filter(({ type }) => type === SUBJECT_SERIAL);
	if (values.length > 1) throw new Error("more than one serialNumber");
	return values[0]?.value.valueBlock.value;
}

function hasAltName({ extensions }: pkijs.Certificate): boolean {
	return extensions?.some(({ extnID }) => extnID === SUBJECT_ALT_NAME) ?? false;
}

/** phpseclib names a value after its ASN.1 type; both readers look under `ia5String` alone. */
function readFirstAltName({ extensions }: pkijs.Certificate): string | undefined {
	const extension = extensions?.find(({ extnID }) => extnID === SUBJECT_ALT_NAME);
	const [first] = (extension?.parsedValue as pkijs.AltName | undefined)?.altNames ?? [];
	if (first?.type !== OTHER_NAME) return undefined;
	const [, explicit] = (first.value as asn1js.Constructed).valueBlock.value;
	const [value] = (explicit as asn1js.Constructed).valueBlock.value;
	return value instanceof asn1js.IA5String ? value.valueBlock.value : undefined;
}
