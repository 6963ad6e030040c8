import { resolve, type Schema } from "../../support/json-schema.ts";
import { ask, type WireClient } from "./wire-client.ts";

export interface Operation {
	method: string;
	/** Path with `{parameters}`. */
	path: string;
	parameters: { name: string; in: "path" | "query" | "header"; required: boolean; schema: Schema }[];
	body: Schema | null;
	responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

interface Document {
	paths: Record<
		string,
		Record<string, Partial<Operation> & { requestBody?: { content: Record<string, { schema: Schema }> } }>
	>;
	components: { schemas: Record<string, Schema> };
}

const ERROR_CODE = /\b[A-Z]+(?:_[A-Z]+)+\b|\bUNAUTHORIZED\b|\bLOCKED\b/g;

/** The documents that the target serves of itself. That of ops needs its token. */
export async function describeDocuments(
	client: WireClient,
	{ opsToken, keyId }: { opsToken: string; keyId: string },
): Promise<Described> {
	const credentials = `Authorization: Bearer ${opsToken}`;
	const answers = [
		await ask(client, { path: "/openapi.json", credentials: "Accept: */*" }),
		await ask(client, { path: "/ops/openapi.json", credentials }),
	];
	const documents = answers.filter(({ status }) => status === 200).map(({ body }) => body);
	return new Described(documents, keyId);
}

const SCHEMAS = "#/components/schemas/";

/** Each document has its own schemas: one of the same name in the second is another, and `1.` before its name. */
function withOwnNames(document: unknown, nth: number): Document {
	if (nth === 0) return document as Document;
	const renamed = JSON.stringify(document).replaceAll(`"${SCHEMAS}`, `"${SCHEMAS}${nth}.`);
	const { paths, components } = JSON.parse(renamed) as Document;
	const schemas = Object.entries(components.schemas).map(([name, schema]) => [`${nth}.${name}`, schema]);
	return { paths, components: { schemas: Object.fromEntries(schemas) } };
}

function isError([name]: [string, Schema]): boolean {
	return /^(\d+\.)?Error$/.test(name);
}

/** Operations of the OpenAPI documents. */
export class Described {
	readonly document: Document;
	readonly operations: Operation[];
	/** Every error code there is, from the schema of errors. */
	readonly errorCodes: string[];

	readonly undocumented: Undocumented;

	/** @param keyId - of the authority whose addresses under /pki are asked */
	constructor(documents: readonly unknown[], keyId: string) {
		this.undocumented = undocumented(keyId);
		const all = documents.map(withOwnNames);
		this.document = {
			paths: Object.assign({}, ...all.map(({ paths }) => paths)),
			components: { schemas: Object.assign({}, ...all.map(({ components }) => components.schemas)) },
		};
		this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, { parameters = [], requestBody, responses = {} }]) => ({
				method: method.toUpperCase(),
				path,
				parameters,
				body: requestBody ? this.deref(requestBody.content["application/json"]!.schema) : null,
				responses,
			})),
		);
		const errors = all.map(({ components }) => Object.entries(components.schemas).find(isError)![1]);
		this.errorCodes = [...new Set(errors.flatMap(({ properties }) => properties!.error!.enum as string[]))];
	}

	readonly deref = (schema: Schema): Schema =>
		schema.$ref === undefined ? schema : resolve(this.document, schema.$ref);

	/** The operations of whose path this one can be, those with the most literal segments first. */
	at(path: string): Operation[] {
		const fitting = this.operations.filter((operation) => patternOf(operation.path).test(path));
		return fitting.sort((a, b) => a.path.split("{").length - b.path.split("{").length);
	}

	/**
	 * Every answer that an operation is documented to give: the status of a success, `status error` of a refusal, and
	 * for a business rejection `406` with the code in its details.
	 */
	documentedAnswers(operation: Operation): string[] {
		return Object.entries(operation.responses).flatMap(([status, { description }]) => {
			const named = [...new Set(description.match(ERROR_CODE) ?? [])];
			const rules = named.filter((code) => !this.errorCodes.includes(code));
			if (status === "406") return rules.map((code) => `406 ${code}`);
			const errors = named.filter((code) => this.errorCodes.includes(code));
			const refusal = Number(status) >= 300 || errors.length > 0;
			return refusal ? errors.map((code) => `${status} ${code}`) : [status];
		});
	}
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
	const known = patterns.get(path);
	if (known) return known;
	const escaped = path.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
	const pattern = new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
	patterns.set(path, pattern);
	return pattern;
}

type Undocumented = Record<string, { methods: string[]; statuses: number[]; types: string[] }>;

/** Answers outside the documents: to probes, browsers, and those who hold a certificate. */
const undocumented = (keyId: string): Undocumented => ({
	[`/pki/${keyId}/cer`]: { methods: ["GET"], statuses: [200], types: ["application/pkix-cert"] },
	[`/pki/${keyId}/crl`]: { methods: ["GET"], statuses: [200, 304], types: ["application/pkix-crl"] },
	"/healthz": { methods: ["GET"], statuses: [200], types: ["application/json"] },
	"/readyz": { methods: ["GET"], statuses: [200, 429], types: ["application/json"] },
	"/openapi.json": { methods: ["GET"], statuses: [200], types: ["application/json"] },
	"/ops/openapi.json": { methods: ["GET"], statuses: [200, 401], types: ["application/json"] },
	"/pki/root.cer": { methods: ["GET"], statuses: [200], types: ["application/pkix-cert"] },
	"/pki/ocsp/": { methods: ["GET"], statuses: [200, 429], types: ["application/ocsp-response"] },
	"/pki/ocsp": { methods: ["GET", "POST"], statuses: [200, 429], types: ["application/ocsp-response"] },
});
