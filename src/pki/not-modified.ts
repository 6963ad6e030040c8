/**
 * Whether the caller has this representation already (RFC 9110 §13.1): If-None-Match decides when it is there,
 * If-Modified-Since otherwise.
 *
 * @param etag - with its quotes
 * @param modified - epoch milliseconds of a whole second
 */
export function isNotModified(
	headers: Headers,
	{ etag, modified }: { etag: string; modified: number },
): boolean {
	const tags = headers.get("if-none-match");
	if (tags !== null) {
		return tags.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
	}
	const since = Date.parse(headers.get("if-modified-since") ?? "");
	return !Number.isNaN(since) && modified <= since;
}
