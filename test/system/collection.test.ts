import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { AS_OPS, ROOT, useLocalService } from "../support/local-service.ts";

/* The Postman collection, by Postman's own runner, against the service behind a real URL. */

const service = useLocalService();
const run = promisify(execFile);

test("every call of the collection succeeds, each with what earlier ones answered; the first four lead to a certificate", async () => {
	const { partner } = await service.createPartner({ name: "Collector" });
	const scopes = ["codes", "redeem", "read", "manage"];
	const { body } = await service.post(
		`/ops/v1/partners/${partner.id}/keys`,
		{ label: "all", scopes },
		AS_OPS,
	);
	const file = join(ROOT, "docs/partners/partner-api.postman_collection.json");
	const variables = { baseUrl: service.url, apiKey: body.data.api_key };
	const { stdout } = await run(join(ROOT, "tools/node_modules/.bin/newman"), [
		...["run", file, "--reporters", "cli", "--color", "off"],
		...Object.entries(variables).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
	]).catch((error: { stdout: string }) => error);
	for (const part of ["test-scripts", "assertions"])
		expect(stdout).toMatch(new RegExp(`${part}\\s*│\\s*\\d\\d\\s*│\\s*0 │`));
}, 90_000);
