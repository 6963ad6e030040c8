import { expect, test } from "vitest";
import { identityCheckRequest } from "../../../src/identity/civil-registry-wire.ts";

const QUESTION = { rut: "11111111-1", cardSerial: "111111111" };

test.each([
	["a serial", QUESTION],
	["no serial", { ...QUESTION, cardSerial: null }],
	["a short RUT with check digit K", { ...QUESTION, rut: "6-K" }],
])("a question with %s follows the contract", (_, question) => {
	expect(identityCheckRequest.parse(question)).toEqual(question);
});

test.each([
	["nothing", {}],
	["no RUT", { cardSerial: null }],
	["no serial at all", { rut: QUESTION.rut }],
	["a member more", { ...QUESTION, pin: "4821" }],
	["text before the RUT", { ...QUESTION, rut: "x11111111-1" }],
	["text after the RUT", { ...QUESTION, rut: "11111111-1x" }],
	["nine digits", { ...QUESTION, rut: "111111111-1" }],
	["a zero first", { ...QUESTION, rut: "01111111-1" }],
	["a check digit k in lower case", { ...QUESTION, rut: "10000013-k" }],
	["a serial that is not canonical", { ...QUESTION, cardSerial: "a222222222" }],
])("a question with %s does not", (_, question) => {
	expect(identityCheckRequest.safeParse(question).success).toBe(false);
});
