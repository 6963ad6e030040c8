import { breakLease, breakStatements } from "./break-service.ts";
import { nameAct } from "./move-partners.ts";
import { pass, passOrHold, report } from "./pause.ts";
import type { Step } from "./steps.ts";

/* The runtime's own classes, wrapped: what the service asks of D1, storage, crypto and R2 passes here. */

// biome-ignore lint/suspicious/noExplicitAny: methods of the platform, each with a signature of its own
type Method = (this: any, ...args: any[]) => any;

function replace(target: object, name: string, wrap: (original: Method) => Method): void {
	const original = Reflect.get(target, name) as Method;
	Object.defineProperty(target, name, { value: wrap(original), configurable: true, writable: true });
}

interface BoundStatement {
	statement: string;
	params: readonly unknown[];
}

/** Classifies a batch by its statements; null: no kill is planned at it. */
function kindOfBatch(statements: readonly BoundStatement[]) {
	const sql = statements.map(({ statement }) => statement).join(";\n");
	const has = (value: string) => statements.some(({ params }) => params.includes(value));
	if (/insert into batches\b/i.test(sql)) return "bulk";
	if (/insert into "audit_events"/.test(sql) && /update "purchase_codes"/.test(sql)) {
		if (has("step_abandoned")) return "recovery";
		if (has("session_made")) return "session";
		if (has("started")) return "opening";
		if (has("ended")) return "end";
		if (/coalesce\(validated_at/.test(sql))
			return /update "purchase_codes" set [^;]*"validated_at" = \?/.test(sql) ? "submission" : "download";
		return has("cancel") ? "cancel" : "commit";
	}
	if (/update "outbox" set[^;]*"attempts" = attempts \+ 1/.test(sql)) return "claim-delivery";
	if (/"processing_rut_index" = \?[^;]*returning "version"/.test(sql)) return "mark";
	if (/^update "onboarding_sessions" set "until_at" = /.test(sql)) return "frame";
	if (/from "partners"/.test(sql) && /from "purchase_codes"/.test(sql)) return "survey";
	return null;
}

const BEFORE: Record<string, Step> = {
	bulk: "before-bulk",
	commit: "before-commit",
	recovery: "before-recovery",
	session: "before-session",
	submission: "before-submission",
	download: "before-download",
	survey: "lease-durable",
};
const DURING: Record<string, Step> = { bulk: "during-bulk", commit: "during-commit" };
const AFTER: Record<string, Step> = {
	bulk: "after-bulk",
	commit: "after-commit",
	cancel: "after-cancel",
	recovery: "after-recovery",
	"claim-delivery": "delivery-claimed",
	mark: "code-marked",
	session: "after-session",
	opening: "session-opened",
	frame: "step-taken",
	submission: "after-submission",
	download: "after-download",
	end: "session-ended",
};

/** Acts of a mover, each with a statement of it and the beginning of one of its values. */
const ACTS: readonly (readonly [act: string, statement: RegExp, value?: string])[] = [
	["announce", /^update "directory_partners"/, "moving"],
	["note", /SET noting = 1/],
	["prepare", /^INSERT INTO partner_places/],
	["erase", /THEN 'mover' END/, '{"phase":"erase"'],
	["copy", /THEN 'mover' END/, '{"phase":"copy"'],
	["catch up", /THEN 'mover' END/, '{"phase":"'],
	["compare", /^UPDATE partner_places SET copied/],
	["freeze", /SET state = 'frozen'/],
	["close", /SET state = 'leaving'/],
	["switch", /^update "directory_partners"/, "switched"],
	["open", /SET state = 'open', copied = NULL/],
	["retire", /SET state = 'closed', since/],
	["finish", /^update "directory_partners"/, "moved"],
	["thaw", /SET state = 'open', since/],
	["reopen", /SET state = 'open', noting = 0/],
	["clear", /^DELETE FROM partner_places/],
	["give up", /^update "directory_partners"/, "open"],
];

/** Wait before each act: a network's. Milliseconds. */
const ACT_MS = 10;

/** Passes the act of a mover that these statements are, before and after it. */
async function passAct<Result>(
	statements: readonly BoundStatement[],
	deliver: () => Promise<Result>,
): Promise<Result> {
	const values = statements.flatMap(({ params }) => params.map(String));
	const found = ACTS.find(
		([, form, value = ""]) =>
			statements.some(({ statement }) => form.test(statement)) && values.some((one) => one.startsWith(value)),
	);
	const step = found && nameAct(found[0]);
	// A chain of acts without a wait would keep this process from reading what clients send.
	if (step) await scheduler.wait(ACT_MS);
	if (step) await passOrHold(step);
	const result = await deliver();
	if (step) await passOrHold(step);
	return result;
}

export function wrapRegister(db: D1Database): void {
	for (const name of ["run", "raw"])
		replace(
			Object.getPrototypeOf(db.prepare("SELECT 1")),
			name,
			(original) =>
				function (...options: unknown[]) {
					return passAct([this], () => original.call(this, ...options));
				},
		);
	replace(
		Object.getPrototypeOf(db),
		"batch",
		(original) =>
			async function (statements: BoundStatement[]) {
				const kind = kindOfBatch(statements) ?? "";
				if (BEFORE[kind]) await passOrHold(BEFORE[kind]);
				if (DURING[kind]) pass(DURING[kind]);
				const deliver = (sent: BoundStatement[]) => passAct(sent, () => original.call(this, sent));
				const results = await breakStatements(kind, statements, deliver);
				if (AFTER[kind]) await passOrHold(AFTER[kind]);
				return results;
			},
	);
}

let storageWrapped = false;

/**
 * @param alarmAt - from the time that the service means (its own clock) to the time that the platform is given.
 */
export function wrapStorage(storage: DurableObjectStorage, alarmAt: (time: number) => number): void {
	if (storageWrapped) return;
	storageWrapped = true;
	const kv = Object.getPrototypeOf(storage.kv);
	replace(
		kv,
		"put",
		(original) =>
			function (key: string, value: unknown) {
				original.call(this, key, key === "lease" ? breakLease(value) : value);
				passPut(key, value);
			},
	);
	replace(
		kv,
		"delete",
		(original) =>
			function (key: string) {
				const result = original.call(this, key);
				if (key === "lease") pass("lease-released");
				if (key.startsWith("onboarding:")) pass("progress-erased");
				return result;
			},
	);
	replace(
		Object.getPrototypeOf(storage),
		"setAlarm",
		(original) =>
			function (time: number) {
				return original.call(this, alarmAt(time));
			},
	);
}

interface Written {
	code?: string;
	serial?: string | null;
	attemptReserved?: boolean;
	draftOf?: string | null;
}

function passPut(key: string, value: unknown): void {
	const { code = "", serial, attemptReserved, draftOf } = value as Written;
	if (key === "lease" && serial) report({ proof: "noted", serial, code });
	if (key === "emissions") pass("partner-counted");
	else if (key.startsWith("onboarding:")) pass("progress-kept");
	else if (key.startsWith("answer:")) pass(draftOf ? "answer-drafted" : "answer-final");
	else if (key === "lease")
		pass(serial ? "serial-noted" : attemptReserved ? "attempt-reserved" : "lease-written");
}

/** `[0] v3, INTEGER` of 16 bytes: how the TBSCertificate of a leaf goes on behind its header. */
const LEAF_HEAD = "a0030201020210";

export function wrapSigning(): void {
	replace(
		crypto.subtle,
		"sign",
		(original) => async (algorithm: unknown, key: CryptoKey, data: Uint8Array) => {
			const at = data[1] === 0x82 ? 4 : 3;
			const isLeaf = data instanceof Uint8Array && data.subarray(at, at + 7).toHex() === LEAF_HEAD;
			if (!isLeaf) return original.call(crypto.subtle, algorithm, key, data);
			return signOrHold(data, () => original.call(crypto.subtle, algorithm, key, data));
		},
	);
}

/** Signs the TBSCertificate of a leaf, here or elsewhere. */
export async function signOrHold<Result>(tbs: Uint8Array, sign: () => Promise<Result>): Promise<Result> {
	await passOrHold("before-signing");
	const at = (tbs[1] === 0x82 ? 4 : 3) + 7;
	report({
		proof: "signing",
		serial: tbs
			.subarray(at, at + 16)
			.toHex()
			.toUpperCase(),
	});
	const signature = await sign();
	await passOrHold("after-signing");
	return signature;
}

export function wrapBucket(bucket: R2Bucket): void {
	replace(
		Object.getPrototypeOf(bucket),
		"put",
		(original) =>
			async function (key: string, ...rest: unknown[]) {
				const result = await original.call(this, key, ...rest);
				if (!key.startsWith("crl/")) await passOrHold("evidence-stored");
				return result;
			},
	);
}
