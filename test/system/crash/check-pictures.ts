import type { Journal } from "./journal.ts";
import type { ServiceProcess } from "./service-process.ts";

/** Pictures that came with an acknowledged request are in the register, and in the bucket. */
export async function checkPictures(journal: Journal, service: ServiceProcess): Promise<string[]> {
	const [rows, keys] = await Promise.all([
		service.ask<{ code: string; object_key: string }[]>("select", {
			sql: "SELECT code, object_key FROM evidence",
		}),
		service.ask<string[]>("pictures", {}),
	]);
	const stored = new Set(keys);
	const registered = new Set(rows.map(({ code }) => code));
	const lost = rows.filter(({ object_key }) => !stored.has(object_key));
	const unknown = journal
		.answered("request", 200)
		.filter(({ body, code }) => body?.includes('"dniFront"') && !registered.has(code ?? ""));
	return [
		...lost.map(({ code }) => `3: a picture of ${code} is registered and not stored`),
		...unknown.map(({ code }) => `3: the pictures of ${code} are acknowledged and not registered`),
	];
}
