/** A mistake of the kind that a change of the code makes, and the test file that must notice it. */
export interface Slip {
	/** What is wrong with it, in a few words. */
	what: string;
	/** The source file, from the project's root. */
	file: string;
	/** Text that stands in the file exactly once. */
	find: string;
	replace: string;
	/** The test file that must fail, from the project's root. */
	test: string;
}

/**
 * The file's text with the slip in it.
 * @throws when the text to replace does not stand there exactly once: the code has changed, and the slip must follow.
 */
export function applySlip({ what, file, find, replace }: Slip, text: string): string {
	const places = text.split(find).length - 1;
	if (places !== 1) throw new Error(`${file}: "${what}" fits ${places} places, not one`);
	return text.replace(find, () => replace);
}
