import { expect, test } from "vitest";
import { noticeChannel } from "../../../src/domain/notices.ts";

const [URL, MAIL] = ["https://partner.example/hook", "entregas@partner.example"];

test.for([
	["keys", URL, "on", MAIL, "email"],
	["keys", URL, "on", null, "webhook"],
	["keys", URL, "off", null, "webhook"],
	["keys", null, "on", null, null],
	["webhook", URL, "on", MAIL, "email"],
	["webhook", URL, "on", null, "webhook"],
	["webhook", URL, "off", null, null],
	["webhook", null, "on", null, null],
	["delivery_email", URL, "on", MAIL, "webhook"],
	["delivery_email", URL, "off", MAIL, "email"],
	["delivery_email", null, "on", MAIL, "email"],
	["delivery_email", null, "on", null, null],
] as const)(
	"%s, webhook %s %s, e-mail %s: told by %s",
	{ tags: ["desk-notice"] },
	([changed, webhookUrl, state, deliveryEmail, channel]) => {
		const webhookOffAt = state === "off" ? 1 : null;
		expect(noticeChannel(changed, { webhookUrl, webhookOffAt, deliveryEmail })).toBe(channel);
	},
);
