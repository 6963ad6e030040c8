import type { paths } from "./openapi.ts";

/* The paths, bodies and answers of the OpenAPI document as arguments and outcomes of a call. */

type Method = "get" | "post" | "put" | "delete";

interface Operation {
	parameters: object;
	responses: object;
}

/** The paths that have this method. */
export type PathOf<M extends Method> = {
	[P in keyof paths]: paths[P][M] extends Operation ? P : never;
}[keyof paths];

type OperationOf<P extends keyof paths, M extends Method> = Extract<paths[P][M], Operation>;

/** `{ [Key]: … }` or `{ [Key]?: … }`, as the parameters have it; nothing where they have none. */
type Taken<Parameters, Key extends "path" | "query"> = Parameters extends { [K in Key]: infer Values }
	? { [K in Key]: Values }
	: Parameters extends { [K in Key]?: infer Values }
		? [NonNullable<Values>] extends [never]
			? unknown
			: { [K in Key]?: Values }
		: unknown;

type JsonBody<Body> = { content: { "application/json": Body } };
type TakenBody<Of> = Of extends { requestBody: JsonBody<infer Body> }
	? { body: Body }
	: Of extends { requestBody?: JsonBody<infer Body> }
		? { body?: Body }
		: unknown;

export interface CallOptions {
	/**
	 * Key of a call that takes one; a new UUID by default. To ask again after a restart for an answer that was lost,
	 * keep a key of your own before the call.
	 */
	idempotencyKey?: string;
	/** Ends the call, and the waiting between its attempts. */
	signal?: AbortSignal;
}

type ArgumentsOf<Of extends Operation> = Taken<Of["parameters"], "path"> &
	Taken<Of["parameters"], "query"> &
	TakenBody<Of> &
	CallOptions;

/** One answer of the document. `status` says which, and with it what `body` is. */
export interface Answer<Status, Body> {
	status: Status;
	body: Body;
	/** Seconds after which to call again, where the answer says so. */
	retryAfter: number | null;
	/** Response whose body has been read; `x-request-id` and the like are in its headers. */
	response: Response;
}

type JsonOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : never;

type StatusOf<Of extends Operation> = keyof Of["responses"] & number;

type OutcomeOf<Of extends Operation> = {
	[Status in StatusOf<Of>]: Answer<Status, JsonOf<Of["responses"][Status]>>;
}[StatusOf<Of>];

/** Outcome of a call: `Outcome<"/api/partners/v1/certificate_claim", "post">`. */
export type Outcome<P extends keyof paths, M extends Method> = OutcomeOf<OperationOf<P, M>>;

/** The paths whose answer can be a file. */
type CsvPath = {
	[P in keyof paths]: paths[P]["get"] extends { responses: { 200: { content: { "text/csv": string } } } }
		? P
		: never;
}[keyof paths];

/**
 * GET as CSV: in place of the 200's body the file as it arrives, in bytes. It is whole only when the stream ends
 * without an error.
 */
export type CsvCall = <P extends CsvPath>(
	path: P,
	options?: ArgumentsOf<OperationOf<P, "get">>,
) => Promise<Exclude<Outcome<P, "get">, { status: 200 }> | Answer<200, ReadableStream<Uint8Array>>>;

/** A method of the client: the second argument may be left out where nothing in it is required. */
export type Call<M extends Method> = <P extends PathOf<M>>(
	path: P,
	...rest: Record<never, never> extends ArgumentsOf<OperationOf<P, M>>
		? [options?: ArgumentsOf<OperationOf<P, M>>]
		: [options: ArgumentsOf<OperationOf<P, M>>]
) => Promise<Outcome<P, M>>;
