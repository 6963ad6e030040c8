/** The authority's key, certificate or settings do not match. An error of set-up: the service must not start. */
export class AuthorityError extends Error {
	override readonly name = "AuthorityError";
}
