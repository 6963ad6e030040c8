/** A setting that is missing, weak, or not allowed together with another; the message names it, never its value. */
export class ConfigError extends Error {
	readonly setting: string;
	constructor(setting: string, problem: string) {
		super(`${setting} ${problem}`);
		this.setting = setting;
	}
}
