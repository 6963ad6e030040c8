import { HOLDER_PAGE as T } from "../../texts/holder-page.ts";
import type { Call } from "../kit/call.ts";
import { PostForm } from "../kit/forms.tsx";
import { sayIn } from "../kit/language.ts";
import { addressOf } from "./layout.ts";

/** The button that ends the visit. */
export function Leave({ c }: { c: Call }) {
	return (
		<PostForm action={addressOf(c, "/fin")} csrf={c.get("csrf")}>
			<button class="plain" type="submit">
				{sayIn(c)(T.leave)}
			</button>
		</PostForm>
	);
}
