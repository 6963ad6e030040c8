/** The valid people of shared/sandbox.md: what a partner types, and what the registry answers. */
export const VALID_PEOPLE = [
	["11111111-1", "111111111", "2031-05-20", "Juana Andrea", "Pérez", "Soto", "JUANA ANDREA PÉREZ SOTO"],
	[
		"22222222-2",
		"A222222222",
		"2030-01-31",
		"Pedro Pablo",
		"Muñoz",
		"Ñancupil",
		"PEDRO PABLO MUÑOZ ÑANCUPIL",
	],
	[
		"12345678-5",
		"B12345678",
		"2034-12-16",
		"María José",
		"del Río",
		"O'Higgins",
		"MARÍA JOSÉ DEL RÍO O'HIGGINS",
	],
	["10000013-K", "100000013", "2032-02-29", "José", "Rojas", null, "JOSÉ ROJAS"],
	["5126663-3", "512666333", "2029-07-01", "Rosa Ester", "Silva", "Tapia", "ROSA ESTER SILVA TAPIA"],
] as const;

/** Those whose card or life the registry refuses, and one it does not know. */
export const REFUSED_PEOPLE = [
	["10000001-6", "100000001", "card reported lost"],
	["10000002-4", "100000002", "card expired"],
	["10000003-2", "100000003", "holder deceased"],
	["15000000-9", "150000000", "not found"],
] as const;

export const SLOW = { dni: "10000004-0", serialNumber: "100000004" };
export const DOWN = { dni: "10000005-9", serialNumber: "100000005" };
export const SILENT = { dni: "10000006-7", serialNumber: "100000006" };
export const RUBBISH = { dni: "10000007-5", serialNumber: "100000007" };
