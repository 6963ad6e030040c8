import fc from "fast-check";
import type { NewSettings, SentSettings, Settings } from "../document/settings.ts";

/** @param tenths - how often it is not `otherwise`. */
export function likely<T>(
	tenths: number,
	arbitrary: fc.Arbitrary<T>,
	otherwise: T | fc.Arbitrary<T>,
): fc.Arbitrary<T> {
	const usual = otherwise instanceof fc.Arbitrary ? otherwise : fc.constant(otherwise as T);
	return fc.oneof({ weight: 100 - tenths * 10, arbitrary: usual }, { weight: tenths * 10, arbitrary });
}

const flag = fc.constantFrom<0 | 1>(0, 1);

type Flow = Partial<Pick<Settings, "require_cedula_serie" | "require_sso" | "require_serial_with_sso">>;

const FLOWS: readonly Flow[] = [
	{},
	{ require_cedula_serie: 1 },
	{ require_cedula_serie: 1, require_sso: 0 },
	{ require_cedula_serie: 0 },
	{ require_cedula_serie: 0, require_sso: 1 },
	{ require_cedula_serie: 0, require_sso: 0 },
	{ require_cedula_serie: 0, require_serial_with_sso: 1 },
];
const REFUSED_FLOWS: readonly Flow[] = [
	{ require_sso: 1 },
	{ require_cedula_serie: 1, require_sso: 1 },
	{ require_cedula_serie: 0, require_sso: 0, require_serial_with_sso: 1 },
];
const ADDRESS = { delivery_email: "delivery@partner.example" };

/** Such as are not refused. */
export function generateSettings(flows: readonly Flow[] = FLOWS): fc.Arbitrary<NewSettings> {
	const rest = fc.record({
		name: fc.constantFrom("Partner", "Otro Partner"),
		mode: fc.constantFrom<Settings["mode"]>("B2C", "B2C", "B2B"),
		validate_vencimiento: flag,
		allowed_products: fc.constantFrom(["FV00", "FV01", "FV02", "FV03"], ["FV00", "FV01"], ["FV00"]),
		// A P-256 key costs a millisecond, RSA-2048 fifty.
		key_algorithm: likely(0.3, fc.constant("rsa-2048" as const), "ec-p256" as const),
	});
	return fc.tuple(rest, fc.constantFrom(...flows)).map(([settings, flow]) => ({
		...settings,
		...flow,
		...(settings.mode === "B2B" && ADDRESS),
	}));
}

export function generateAnySettings(): fc.Arbitrary<NewSettings> {
	return generateSettings([...FLOWS, ...REFUSED_FLOWS]);
}

const MODES: readonly SentSettings[] = [
	{ mode: "B2C" },
	{ mode: "B2B" },
	{ mode: "B2B", ...ADDRESS },
	{ delivery_email: null },
	ADDRESS,
];

export function generateChange(): fc.Arbitrary<SentSettings & { suspended?: boolean }> {
	return fc.oneof(
		{ weight: 4, arbitrary: fc.constantFrom(...MODES) },
		{ weight: 3, arbitrary: fc.constantFrom(...FLOWS.slice(1), ...REFUSED_FLOWS) },
		fc.record({ validate_vencimiento: flag }),
		fc.record({ require_sso: flag }),
		fc.record({ max_codes_14_days: fc.constantFrom(6, 12, 100_000) }),
		fc.record({ name: fc.constantFrom("Partner", "Partner con otro nombre") }),
		fc.record({ allowed_products: fc.constantFrom(["FV00"], ["FV01", "FV03"], []) }),
		{ weight: 4, arbitrary: fc.record({ suspended: fc.boolean() }) },
	);
}
