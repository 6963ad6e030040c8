/** The issuing authority's key, certificate or settings do not fit together. A bug of set-up: the service must not start. */
export class AuthorityError extends Error {
	override readonly name = "AuthorityError";
}
