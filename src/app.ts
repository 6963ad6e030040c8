import type { OpenAPIHono } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { requestId } from "hono/request-id";
import { ops } from "./api/ops/router.ts";
import { type createPartnerApi, describePartners, partners } from "./api/partner/router.ts";
import { createApi } from "./http/api.ts";
import type { AppEnv } from "./http/app-env.ts";
import { onError, refuseOtherMethods } from "./http/fallbacks.ts";
import { health } from "./http/health.ts";
import { observeRequests } from "./http/observe-requests.ts";
import { serveDocument } from "./http/openapi.ts";
import { isForPkiAlone, keepPlainHttpToPki } from "./http/plain-http.ts";
import { responseHeaders } from "./http/response-headers.ts";
import { installPages } from "./pages/holder/install.tsx";
import { holderPages } from "./pages/holder/router.ts";
import { styleSheet } from "./pages/kit/style-sheet.ts";
import { answerUnrouted } from "./pages/landing.tsx";
import { opsConsole } from "./pages/ops/router.ts";
import { confirmPages } from "./pages/partner/confirm-email.tsx";
import { consolePages } from "./pages/partner/router.ts";
import { authorityCertificates } from "./pki/certificates.ts";
import { certificateRevocationList } from "./pki/crl.ts";
import { ocspResponder } from "./pki/ocsp.ts";
import { platformOf } from "./platform.ts";
import { preferredLanguage } from "./texts/language.ts";
import { widgetLogo, widgetScript } from "./widget/files.ts";
import { frameCalls } from "./widget/frame-calls.ts";
import { widgetPages } from "./widget/pages.ts";
import { signOn } from "./widget/sign-on.ts";

/**
 * Serves a file of `public` like the platform: with the headers of `public/_headers` and no others. The Worker runs
 * first (wrangler.toml), so that a file is refused wherever only calls of `/pki` are admitted.
 */
const staticFiles = createMiddleware<AppEnv>(async (c, next) => {
	if (isForPkiAlone(c)) return next();
	const file = await c.env.ASSETS.fetch(c.req.raw);
	return file.status === 404 ? next() : file;
});

/** The service. @param api - of partners: that of local and dev has more calls */
export function createApp({
	partners,
	describePartners,
}: ReturnType<typeof createPartnerApi>): OpenAPIHono<AppEnv> {
	const app = createApi();
	app.use("/favicon.ico", staticFiles);
	app.use("/brand/*", staticFiles);
	app.use("/docs/*", staticFiles);
	app.use("/cps/*", staticFiles);
	app.use(requestId(), observeRequests, responseHeaders, async (c, next) => {
		c.set("language", preferredLanguage(c.req.header("accept-language")));
		await next();
	});
	app.use(keepPlainHttpToPki);
	app.route("/", health);
	app.get("/openapi.json", serveDocument(describePartners));
	app.get("/docs/reference", (c) => {
		const language = c.req.query("lang") ?? preferredLanguage(c.req.header("accept-language"), "es");
		return c.redirect(`/docs/${language === "en" ? "en" : "es"}/reference/`);
	});
	app.route("/", widgetScript);
	app.route("/", styleSheet);

	app.route("/pki", ocspResponder);

	app.use("*", async (c, next) => {
		c.set("platform", await platformOf(c.env));
		await next();
	});
	app.route("/pki", authorityCertificates);
	app.route("/pki", certificateRevocationList);
	app.route("/", partners);
	app.route("/", ops);
	app.route("/", frameCalls);
	app.route("/", holderPages);
	app.route("/", installPages);
	app.route("/", confirmPages);
	app.route("/console", consolePages);
	app.route("/ops/console", opsConsole);
	app.route("/", widgetPages);
	app.route("/", signOn);
	app.route("/", widgetLogo);

	refuseOtherMethods(app);
	app.notFound(answerUnrouted);
	app.onError(onError);
	return app;
}

export const app: OpenAPIHono<AppEnv> = createApp({ partners, describePartners });
