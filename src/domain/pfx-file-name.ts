/** Name of the PFX file (§2.3 pfxFileName): the holder's RUT tells one file from another on a desk. */
export function pfxFileName(rut: string): string {
	return `certificado-${rut}.pfx`;
}
