/** Text of a file, which vite imports. */
declare module "*?raw" {
	const text: string;
	export default text;
}
