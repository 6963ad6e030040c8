import { once } from "node:events";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { checkPortIsFree, readPort } from "../../../scripts/local-port.ts";

test("an empty PORT: 8787", () => {
	expect(readPort("")).toBe(8787);
});

test("PORT is a number from 1 to 65535", () => {
	expect([readPort("1"), readPort("65535")]).toEqual([1, 65_535]);
	for (const text of ["0", "65536", "80a", "-1", "8e3", " 80", "1.5"])
		expect(() => readPort(text), text).toThrow(`not "${text}"`);
});

test.for(["127.0.0.1", "0.0.0.0"])(
	"a port that is in use on %s is refused, then free again",
	async (host) => {
		const server = createServer().listen(0, host);
		await once(server, "listening");
		const { port } = server.address() as { port: number };
		await expect(checkPortIsFree(port)).rejects.toThrow(`Port ${port} is in use`);
		server.close();
		await once(server, "close");
		await expect(checkPortIsFree(port)).resolves.toBeUndefined();
	},
);
