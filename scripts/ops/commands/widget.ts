import { readFileSync } from "node:fs";
import type { OpsCommand } from "../command.ts";

export const WIDGET_COMMANDS: readonly OpsCommand[] = [
	{
		name: "widget show",
		summary: "where a partner's widget may be embedded, and its looks",
		takes: ["partner"],
		options: {},
		example: "npm run ops -- widget show pt_4f…",
		call: (ops, { partner }) =>
			ops.GET("/ops/v1/partners/{id}/widget", { params: { path: { id: partner } } }),
		shows: "widget",
	},
	{
		name: "widget set",
		summary: "set origins and accent; the logo stays unless one is given",
		takes: ["partner"],
		options: {
			origins: { help: "https://shop.example,https://www.shop.example, or none", required: true },
			accent: { help: "#rrggbb, or none", required: true },
			logo: { help: "a PNG or WebP file of at most 32 KiB, or none" },
		},
		example:
			'npm run ops -- widget set pt_4f… --origins https://shop.example --accent "#0b5cad" --logo logo.png',
		call: (ops, { partner, origins, accent, logo }) =>
			ops.PUT("/ops/v1/partners/{id}/widget", {
				params: { path: { id: partner } },
				body: {
					origins: origins === "none" ? [] : origins.split(","),
					accent: accent === "none" ? null : accent,
					...(logo !== undefined && {
						logo: logo === "none" ? null : readFileSync(logo).toString("base64"),
					}),
				},
			}),
		shows: "widget",
	},
];
