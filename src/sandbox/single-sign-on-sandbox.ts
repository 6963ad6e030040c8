import { WorkerEntrypoint } from "cloudflare:workers";
import { findIdentity } from "./identities.ts";

/** The single sign-on of local and dev deployments, bound as a service. Answers as ClaveÚnica's userinfo does. */
export class SingleSignOnSandbox extends WorkerEntrypoint {
	override async fetch(request: Request): Promise<Response> {
		return answerUserinfo(request);
	}
}

/** `GET /openid/userinfo`: `sso-<RUT>` is the credential of that sandbox identity, `sso-down` an outage. */
export function answerUserinfo(request: Request): Response {
	if (new URL(request.url).pathname !== "/openid/userinfo") return new Response(null, { status: 404 });
	if (request.method !== "GET") return new Response(null, { status: 405, headers: { allow: "GET" } });

	const credential = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
	if (credential === "sso-down") return new Response(null, { status: 503 });
	const identity = credential.startsWith("sso-") ? findIdentity(credential.slice("sso-".length)) : null;
	if (identity === null) {
		return new Response(null, {
			status: 401,
			headers: { "www-authenticate": 'Bearer error="invalid_token"' },
		});
	}

	const [numero = "", DV = ""] = identity.rut.split("-");
	const { names, fatherSurname, motherSurname } = identity.person;
	return Response.json({
		sub: numero,
		RolUnico: { numero: Number(numero), DV, tipo: "RUN" },
		name: {
			nombres: names.split(" "),
			apellidos: motherSurname === null ? [fatherSurname] : [fatherSurname, motherSurname],
		},
	});
}
