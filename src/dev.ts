import { Hono } from "hono";
import { requestId } from "hono/request-id";
import type { Bindings } from "./bindings.ts";
import { keepCopiesBy } from "./delivery/email.ts";
import { reachListenersBy } from "./delivery/listener.ts";
import type { AppEnv } from "./http/app-env.ts";
import { errorAnswer } from "./http/errors.ts";
import { onError } from "./http/fallbacks.ts";
import { observeRequests } from "./http/observe-requests.ts";
import { keepPlainHttpToPki } from "./http/plain-http.ts";
import service from "./index.ts";
import { type DeliveryMessage, platformOf } from "./platform.ts";
import { app } from "./sandbox/app.ts";
import { demoShop } from "./sandbox/demo/router.ts";
import { doWorkOfMovedClocks } from "./sandbox/due-work.ts";
import { callListener } from "./sandbox/listener-rpc.ts";
import { keepMail } from "./sandbox/mail.ts";
import { mailPages } from "./sandbox/mail-pages.tsx";
import { signInPage } from "./sandbox/single-sign-on-page.ts";

/* The Worker of local and dev: the service with the sandbox's own calls, the sandbox, and the demo shop. */

export { PurchaseCodeObject } from "./index.ts";
export { CivilRegistrySandbox } from "./sandbox/civil-registry-sandbox.ts";
export { ListeningPartnerObject as PartnerObject } from "./sandbox/listening-partner.ts";
export { SingleSignOnSandbox } from "./sandbox/single-sign-on-sandbox.ts";

reachListenersBy((platform, partnerId, post, timeoutMs) =>
	callListener(platform, partnerId, (object) => object.forwardPost(partnerId, post, timeoutMs)),
);

keepCopiesBy(keepMail);

const pages = new Hono<AppEnv>();
pages.use(requestId(), observeRequests, keepPlainHttpToPki);
pages.route("/sandbox", signInPage);
pages.route("/sandbox", mailPages);
pages.get("/demo", (c) => c.redirect("/demo/"));
pages.route("/demo/", demoShop);
pages.notFound((c) => errorAnswer(c, "not_found"));
pages.onError(onError);

export default {
	...service,
	fetch: (request: Request, env: Bindings, context: ExecutionContext) => {
		// The deployment has refused this Worker in prod before: prod does not run with the sandbox.
		if (env.ENVIRONMENT === "prod") return new Response(null, { status: 503 });
		return /^\/(sandbox|demo)(\/|$)/.test(URL.parse(request.url)?.pathname ?? "")
			? pages.fetch(request, env, context)
			: app.fetch(request, env, context);
	},
	async scheduled(event: ScheduledController, env: Bindings) {
		const platform = await platformOf(env);
		if (!platform.settings.frozen) await doWorkOfMovedClocks(platform);
		await service.scheduled(event, env);
	},
} satisfies ExportedHandler<Bindings, DeliveryMessage>;
