import { bytesToHex } from "@noble/hashes/utils.js";
import { changePartner, createPartner } from "../../db/partners.ts";
import { enterPartner, findHome } from "../../directory.ts";
import { DEFAULT_SETTINGS, type PartnerSettings } from "../../domain/partner-settings.ts";
import type { Platform } from "../../platform.ts";
import { createApiKey, hashApiKey } from "../../secrets/api-key.ts";

/* The shop's partners, one for each way in which it can be configured, made when the first visitor chooses it. */

export const FLOWS = ["reduced", "full"] as const;
export const MODES = ["B2C", "B2B"] as const;

export interface Shop {
	flow: (typeof FLOWS)[number];
	mode: (typeof MODES)[number];
}

const SETTINGS_OF = {
	reduced: {},
	full: { requireCardSerial: false, requireSso: true, validateCardExpiry: true },
	B2C: {},
	B2B: { mode: "B2B", deliveryEmail: "tienda@demo.example" },
} as const satisfies Record<Shop["flow"] | Shop["mode"], Partial<PartnerSettings>>;

/**
 * The shop's own key, with its partner made and its origin registered if they are not. The key follows from INDEX_KEY, so
 * that it need not be stored anywhere; nothing of prod imports this.
 * @param origin - of the page that embeds the widget
 */
export async function keyOf(platform: Platform, { flow, mode }: Shop, origin: string): Promise<string> {
	const { index, clock } = platform;
	const seed = Uint8Array.fromBase64(await index.of("demo shop", flow, mode), { alphabet: "base64url" });
	const apiKey = await createApiKey("dev", seed.subarray(0, 16));
	const id = bytesToHex(seed.subarray(16, 32));
	const change = { actor: "job:demo", requestId: `demo-${id}`, now: clock() } as const;
	const hash = await hashApiKey(apiKey);
	const partnerId = `pt_${id}`;
	const { db, number } =
		(await findHome(platform, partnerId)) ?? (await enterPartner(platform, { partnerId, keyHash: hash }));
	const register = () =>
		changePartner(
			db,
			partnerId,
			({ widgetOrigins: known }) => ({
				answer: null,
				...(!known.includes(origin) && {
					change: {
						action: "changed",
						outcome: "widget_origins",
						set: { widgetOrigins: [...known, origin], widgetAccent: ACCENT },
					},
				}),
			}),
			change,
		);
	if (await register()) return apiKey;
	const partner = {
		...DEFAULT_SETTINGS,
		...SETTINGS_OF[flow],
		...SETTINGS_OF[mode],
		id: partnerId,
		name: NAME,
	};
	const key = { id: `key_${id}`, hash, label: "demo shop", ...RIGHTS };
	// Another visitor's call may be faster: then there is a partner to register with.
	const failed = await createPartner(db, { ...partner, number }, key, change).then(
		() => null,
		(error: unknown) => error,
	);
	if (!(await register())) throw failed;
	return apiKey;
}

const NAME = "Librería Alerce";
/** Accent colour in the shop's own style. */
const ACCENT = "#1f5c43";
const RIGHTS = { scopes: ["codes", "redeem"], expiresAt: null, allowedCidrs: null } as const;
