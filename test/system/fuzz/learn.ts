import { findIdentity } from "../../../src/sandbox/identities.ts";
import { isOurs, type Judged } from "./exchange.ts";
import type { Code, CodeState, Fixtures, Member } from "./fixtures.ts";

const CODES_MAX = 80;
const KEPT_MAX = 200;

interface Data {
	p_code?: string;
	status?: string;
	referenceId?: string;
	titular?: { rut: string };
	certificate?: { serialNumber: string } | string;
	serialNumber?: string;
	batchId?: string;
	pcodes?: unknown[];
	partner?: { id: string };
	key?: { id: string };
	pcode?: { p_code: string; list_status: string };
	deliveries?: { id: string }[];
	next?: string | null;
}

const STATE_OF_LIST_STATUS: Record<string, CodeState> = {
	anulado: "cancelled",
	emitido: "emitted",
	bloqueado: "blocked",
	validado: "validated",
	expirado: "expired",
	sin_utilizar: "fresh",
};

/** Takes from an answer what later calls can name. */
export function learn({ exchange, answer, json }: Judged, fixtures: Fixtures): void {
	const { caller, fields, code } = exchange.call;
	const { data, error } = (json ?? {}) as { data?: Data; error?: string };
	if (!isOurs(answer) || exchange.bent.wire) return;
	if (error === "ATTEMPT_LIMIT_REACHED" && code) code.state = "locked";
	if (!data) return;
	if (caller === "ops") learnFromOps(data, exchange.call.path, fixtures);
	else if (caller) learnFromPartner(data, caller, fields, fixtures);
}

function learnFromPartner(data: Data, member: Member, fields: unknown, fixtures: Fixtures): void {
	if (data.batchId !== undefined && Array.isArray(data.pcodes) && !fixtures.ownerOfBatch(data.batchId)) {
		fixtures.addBatch(member, data.batchId, data.pcodes as string[]);
		if (member.codes.length > CODES_MAX) member.codes.splice(0, member.codes.length - CODES_MAX);
		keepFew(member.batches);
	}
	const code = data.p_code === undefined ? undefined : fixtures.codeOf(data.p_code);
	if (!code || code.owner !== member) return;
	if (data.titular) {
		code.state = data.status === "EMITTED" ? "emitted" : "validated";
		const identity = findIdentity(data.titular.rut);
		if (identity) code.identity = identity;
		code.pin = String((fields as Record<string, unknown> | undefined)?.pin);
		if (data.referenceId !== undefined) member.references.push(data.referenceId);
		keepFew(member.references);
	}
	const serial = typeof data.certificate === "object" ? data.certificate.serialNumber : data.serialNumber;
	if (serial === undefined) return;
	Object.assign(code, { state: "emitted", serial });
	fixtures.serials.push(serial);
	keepFew(fixtures.serials);
}

function learnFromOps(data: Data, path: string, fixtures: Fixtures): void {
	if (data.pcode) {
		const code: Code | undefined = fixtures.codeOf(data.pcode.p_code);
		if (code) code.state = STATE_OF_LIST_STATUS[data.pcode.list_status] ?? code.state;
	}
	const partner = data.partner?.id ?? /^\/ops\/v1\/partners\/(pt_[0-9a-f]{16})\//.exec(path)?.[1];
	if (data.partner) fixtures.victims.push(data.partner.id);
	if (data.key && partner) fixtures.victimKeys.push([partner, data.key.id]);
	for (const { id } of data.deliveries ?? []) fixtures.deliveries.push(id);
	if (typeof data.next === "string") fixtures.cursors.push(data.next);
	for (const list of [fixtures.victims, fixtures.victimKeys, fixtures.deliveries, fixtures.cursors])
		keepFew<unknown>(list);
}

function keepFew<Item>(list: Item[]): void {
	if (list.length > KEPT_MAX) list.splice(0, list.length - KEPT_MAX);
}
