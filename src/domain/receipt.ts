/** Facts of an issued certificate for its holder and its seller: no file, no whole RUT. */
export interface Receipt {
	/** Null once the holder's data were erased. */
	holder: {
		name: string;
		/** Masked RUT. */
		rut: string;
	} | null;
	/** Name of the partner. */
	seller: string;
	serialNumber: string;
	/** Epoch milliseconds, as all times. */
	validFrom: number;
	validTo: number;
	revokedAt: number | null;
}
