import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { NONCE, secureHeaders } from "hono/secure-headers";
import type { AppEnv } from "./app-env.ts";

/** The headers that every answer of a group of routes carries; a handler may set its own Cache-Control. */
interface Group {
	paths: RegExp;
	secure: MiddlewareHandler;
	cacheControl: string | null;
}

/** The window of the widget's sign-on: a page that loads nothing but the icon. It must not lose the frame that opened it. */
const signOnWindow = secureHeaders({
	contentSecurityPolicy: {
		defaultSrc: ["'none'"],
		scriptSrc: [NONCE],
		styleSrc: [NONCE],
		imgSrc: ["'self'"],
		formAction: ["'self'"],
		frameAncestors: ["'none'"],
		baseUri: ["'none'"],
	},
	crossOriginOpenerPolicy: false,
});

/** The first group whose paths match. The last one is the API's and that of unknown paths. */
const GROUPS: readonly Group[] = [
	{ paths: /^\/(healthz|readyz|openapi\.json)$/, secure: secureHeaders(), cacheControl: null },
	{ paths: /^\/widget\/sign_on\//, secure: signOnWindow, cacheControl: "no-store" },
	// Partners' pages load it from other origins; a corrected script is everywhere within minutes.
	{
		paths: /^\/widget\/v1\.(js|d\.ts)$/,
		secure: secureHeaders({ crossOriginResourcePolicy: "cross-origin" }),
		cacheControl: "public, max-age=300",
	},
	// A web mail's page shows it in an e-mail.
	{
		paths: /^\/widget\/logos\//,
		secure: secureHeaders({ crossOriginResourcePolicy: "cross-origin" }),
		cacheControl: "no-store",
	},
	// Pages of a holder: the policy of each says who may embed it, and a window that they open must find its way back.
	{
		paths: /^\/(widget\/frame|onboarding)\//,
		secure: secureHeaders({
			xFrameOptions: false,
			crossOriginResourcePolicy: false,
			crossOriginOpenerPolicy: false,
		}),
		cacheControl: "no-store",
	},
	// These pages set their own policies. With `no-referrer` a browser would not say where a form comes from.
	{
		paths: /^\/(ops\/)?console(\/|$)/,
		secure: secureHeaders({ referrerPolicy: "same-origin" }),
		cacheControl: "no-store",
	},
	{ paths: /^\//, secure: secureHeaders(), cacheControl: "no-store" },
];

export const responseHeaders = createMiddleware<AppEnv>(async (c, next) => {
	const { secure, cacheControl } = GROUPS.find(({ paths }) => paths.test(c.req.path)) ?? GROUPS.at(-1)!;
	if (cacheControl !== null) c.header("Cache-Control", cacheControl);
	return secure(c, next);
});
