import { newApiKey, newWebhookSecret } from "../../services/new-secrets.ts";
import { OPS_CONSOLE } from "../../texts/ops-console.ts";
import { OPS_PARTNERS as T } from "../../texts/ops-console-partners.ts";
import { Secret } from "../kit/copyable.tsx";
import type { Done } from "../kit/first-answer.ts";
import { sayIn } from "../kit/language.ts";
import { Facts } from "../kit/parts.tsx";
import { pageOnce, show } from "./console.tsx";

const TITLES = { created: T.createdTitle, key: T.keyTitle, secret: T.secretTitle };
const MADE = {
	created: [
		[T.key, newApiKey],
		[T.secret, newWebhookSecret],
	],
	key: [[T.key, newApiKey]],
	secret: [[T.secret, newWebhookSecret]],
} as const;

interface Made {
	made: keyof typeof MADE;
}

/** Leads to the page that shows a partner's new secrets once. */
export function leadToSecrets(partnerId: string, made: Made["made"]): Done {
	return { to: `/ops/console/partners/${partnerId}/secrets`, shown: { made } satisfies Made };
}

export const secretsPages = [
	pageOnce<Made>(
		"/partners/:id/secrets",
		{ right: "operate", trips: 0 },
		async (c, { shown: { made }, seed }) => {
			const say = sayIn(c);
			const secrets = await Promise.all(
				MADE[made].map(async ([name, make]) => [say(name), await make(c.get("platform"), seed)] as const),
			);
			return show(
				c,
				{ title: TITLES[made], notice: { kind: "done", text: OPS_CONSOLE.shownOnce } },
				<>
					<Facts
						facts={secrets.map(([name, secret]) => [
							name,
							<Secret text={secret} language={c.get("language")} />,
						])}
					/>
					<p>
						<a href={`/ops/console/partners/${c.req.param("id")}`}>{say(OPS_CONSOLE.partner)}</a>
					</p>
				</>,
			);
		},
	),
];
