import { CONSOLE_PAGES as T } from "../../texts/console-pages.ts";
import type { Call } from "../kit/call.ts";
import { sayIn } from "../kit/language.ts";
import { Pager } from "../kit/parts.tsx";
import { addressOf, type Query } from "./filters.ts";

interface ListPagerProps {
	c: Call;
	path: string;
	/** Query of the list, `cursor` included. */
	sent: Query;
	/** Cursor of the page after this one. */
	next: string | null;
}

/** Pager of a list with cursors, which has no previous page but the first. */
export function ListPager({ c, path, sent, next }: ListPagerProps) {
	return (
		<Pager
			locale={c.get("language")}
			previous={null}
			next={next && addressOf(path, { ...sent, cursor: next })}
		>
			{sent.cursor && <a href={addressOf(path, { ...sent, cursor: undefined })}>{sayIn(c)(T.fromStart)}</a>}
		</Pager>
	);
}
