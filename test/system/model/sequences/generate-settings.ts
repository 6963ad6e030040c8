import fc from "fast-check";
import type { Settings } from "../document/ledger.ts";
import { likely } from "./likely.ts";

const flag = fc.constantFrom<0 | 1>(0, 1);

export function generateSettings(): fc.Arbitrary<Settings> {
	const flow = fc.constantFrom<Pick<Settings, "require_cedula_serie" | "require_sso">>(
		{ require_cedula_serie: 1, require_sso: 0 },
		{ require_cedula_serie: 1, require_sso: 0 },
		{ require_cedula_serie: 0, require_sso: 1 },
		{ require_cedula_serie: 0, require_sso: 0 },
	);
	const others = fc.record({
		name: fc.constantFrom("Partner", "Otro Partner"),
		mode: fc.constantFrom("B2C", "B2C", "B2B"),
		validate_vencimiento: flag,
		allowed_products: fc.constantFrom(["FV00", "FV01", "FV02", "FV03"], ["FV00", "FV01"], ["FV00"]),
		// A P-256 key costs a millisecond, RSA-2048 fifty.
		key_algorithm: likely(0.3, fc.constant("rsa-2048" as const), "ec-p256" as const),
	});
	return fc.tuple(flow, others).map(([chosen, other]) => ({ ...other, ...chosen })) as fc.Arbitrary<Settings>;
}

export function generateChange(): fc.Arbitrary<Partial<Settings> & { suspended?: boolean }> {
	return fc.oneof(
		fc.record({ mode: fc.constantFrom<Settings["mode"]>("B2C", "B2B") }),
		fc.record({ require_cedula_serie: flag }),
		fc.record({ validate_vencimiento: flag }),
		fc.record({ require_sso: flag }),
		fc.record({ name: fc.constantFrom("Partner", "Partner con otro nombre") }),
		fc.record({ allowed_products: fc.constantFrom(["FV00"], ["FV01", "FV03"], []) }),
		{ weight: 4, arbitrary: fc.record({ suspended: fc.boolean() }) },
	);
}
