import type { Target } from "./targets.ts";

/** A reader with a fault behind five conditions, each of which shows in the coverage: an exploration must find it. */
export const PLANTED: Target = {
	files: [],
	seeds: ["12345678-5"],
	tokens: ["K", "7", "-", "q", "Z", "x", "5"],
	read(text: string) {
		if (text[0] === "K") {
			if (text[1] === "7") {
				if (text[2] === "-") {
					if (text[3] === "q") {
						if (text[4] === "Z") return "found";
						return null;
					}
					return null;
				}
				return null;
			}
			return null;
		}
		return null;
	},
};
