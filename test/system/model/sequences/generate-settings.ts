import fc from "fast-check";
import type { Settings } from "../document/settings.ts";

/** @param tenths - how often it is not `otherwise`. */
export function likely<T>(
	tenths: number,
	arbitrary: fc.Arbitrary<T>,
	otherwise: T | fc.Arbitrary<T>,
): fc.Arbitrary<T> {
	const usual = otherwise instanceof fc.Arbitrary ? otherwise : fc.constant(otherwise as T);
	return fc.oneof({ weight: 100 - tenths * 10, arbitrary: usual }, { weight: tenths * 10, arbitrary });
}

/** The reduced flow; the full one with the card's serial, with signing on, and with both. */
const FLOWS = [
	{ require_cedula_serie: 1, require_sso: 0, require_serial_with_sso: 0 },
	{ require_cedula_serie: 0, require_sso: 0, require_serial_with_sso: 0 },
	{ require_cedula_serie: 0, require_sso: 1, require_serial_with_sso: 0 },
	{ require_cedula_serie: 0, require_sso: 1, require_serial_with_sso: 1 },
] as const;

export function generateSettings(quota: number): fc.Arbitrary<Settings> {
	const rest = fc.record({
		name: fc.constantFrom("Partner", "Otro Partner"),
		mode: fc.constantFrom<Settings["mode"]>("B2C", "B2C", "B2B"),
		validate_vencimiento: fc.constantFrom<0 | 1>(0, 1),
		allowed_products: fc.constantFrom(["FV00", "FV01", "FV02", "FV03"], ["FV00", "FV01"], ["FV00"]),
		// A P-256 key costs a millisecond, RSA-2048 fifty.
		key_algorithm: likely(0.3, fc.constant("rsa-2048" as const), "ec-p256" as const),
	});
	const [reduced] = FLOWS;
	return fc
		.tuple(rest, fc.constantFrom(reduced, reduced, reduced, ...FLOWS.slice(1)))
		.map(([settings, flow]) => ({
			...settings,
			...flow,
			max_codes_14_days: quota,
			delivery_email: settings.mode === "B2B" ? "delivery@partner.example" : null,
		}));
}
