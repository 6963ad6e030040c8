import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Text } from "../../../src/texts/language.ts";

/* The Spanish of the service: one word for one thing, as a Chilean writes it. */

/** Words that no Spanish text has, with what it has in their place. */
const NOT_SAID: readonly [RegExp, string][] = [
	[/\b(clave|llave)s?(?!\p{L})(?! (privada|de la firma|RSA))/iu, "API key; Idempotency-Key"],
	[/(?<!API |[-{])\bkeys?\b/i, "API key"],
	[/escritorio|¿Resultó\?/, "Administrar su cuenta por API; Cómo saber si funcionó"],
	[/por omisión/i, "por defecto"],
	[/acuda a usted/, "que lo renueve con usted"],
	[/que sigue sola|no son iguales/, "continuará automáticamente; no coinciden"],
	[/\bvale hasta\b/i, "vence el"],
	[/en a lo más/, "en menos de"],
	[/no se entiende/, "Revise la fecha: use DD-MM-AAAA"],
	[/\besperaba\b/, "los eventos pendientes"],
	[/sucesora/, "la API key de reemplazo"],
	[/diríjase|a quien se lo vendió/, "contacte a {partner}"],
	[/abandonad[oa]/i, "fallido"],
	[/apaga|encend|encienda/i, "desactivado, activo"],
	[/etiqueta/i, "nombre"],
];

/** Names another "clave": ClaveÚnica's password, the PFX's, a certificate's key. */
const OTHER_KEYS =
	/Clave Tributaria|no vemos su clave|clave de su archivo|Clave del certificado|Id de la clave|_key\b|KEY\b/;

function spanishIn(value: unknown): string[] {
	if (typeof value !== "object" || value === null) return [];
	const { es, en } = value as Partial<Text>;
	if (typeof es === "string" && typeof en === "string") return [es];
	return Object.values(value).flatMap(spanishIn);
}

test("no Spanish text of the service or of the guide has a word that the others do not use", async () => {
	const names = globSync("*.ts", { cwd: "src/texts" }).map((file) => file.replace(".ts", ""));
	const modules = names.map((name) => import(`../../../src/texts/${name}.ts`));
	const texts = (await Promise.all(modules)).flatMap((module) => spanishIn({ ...module }));
	const guide = globSync("docs/partners/es/*.md").flatMap((file) =>
		readFileSync(file, "utf8")
			.replaceAll(/^ *```[\s\S]*?^ *```/gm, "")
			.replaceAll(/`[^`]*`|\]\([^)]*\)/g, "")
			.split(/\n\n+/),
	);
	expect(texts.length).toBeGreaterThan(700);
	for (const text of [...texts, ...guide])
		for (const [pattern, instead] of NOT_SAID)
			if (!OTHER_KEYS.test(text)) expect(text, instead).not.toMatch(pattern);
});
