import { join } from "node:path";
import { unstable_readConfig as readConfig } from "wrangler";
import { type Brand, supportHours } from "../../src/settings/brand.ts";

/* Reads what the guide says of the deployed service from wrangler.toml: one guide serves all environments. */

export interface Facts {
	/** Base addresses of the sandbox and of production. */
	dev: string;
	prod: string;
	brand: Brand;
}

const config = join(import.meta.dirname, "../../wrangler.toml");

export function readFacts(): Facts {
	const [dev, prod] = ["dev", "prod"].map((env) => readConfig({ config, env }, { hideWarnings: true }).vars);
	const of = (name: string) => String(prod![name]);
	return {
		dev: String(dev!.PUBLIC_URL),
		prod: of("PUBLIC_URL"),
		brand: {
			name: of("SERVICE_NAME"),
			email: of("SUPPORT_EMAIL"),
			phone: of("SUPPORT_PHONE"),
			hours: supportHours.parse(of("SUPPORT_HOURS")),
		},
	};
}
