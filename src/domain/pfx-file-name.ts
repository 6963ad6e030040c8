/** Name of the PFX file (§2.3 pfxFileName): the holder's RUT distinguishes the files. */
export function pfxFileName(rut: string): string {
	return `certificado-${rut}.pfx`;
}
