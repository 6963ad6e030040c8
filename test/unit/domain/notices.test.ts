import { expect, test } from "vitest";
import { noticeChannel } from "../../../src/domain/notices.ts";

const [URL, MAIL] = ["https://partner.example/hook", "entregas@partner.example"];

test.for([
	["keys", URL, MAIL, "email"],
	["keys", URL, null, "webhook"],
	["keys", null, null, null],
	["webhook", URL, MAIL, "email"],
	["webhook", URL, null, null],
	["delivery_email", URL, MAIL, "webhook"],
	["delivery_email", null, MAIL, "email"],
	["delivery_email", null, null, null],
] as const)(
	"%s, webhook %s, e-mail %s: told by %s",
	{ tags: ["desk-notice"] },
	([changed, webhookUrl, deliveryEmail, channel]) => {
		expect(noticeChannel(changed, { webhookUrl, deliveryEmail })).toBe(channel);
	},
);
