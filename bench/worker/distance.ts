import type { Bindings } from "../../src/bindings.ts";
import type { EmissionAnswer } from "../../src/objects/partner-rpc.ts";
import type { RequestCall } from "../../src/objects/rpc.ts";
import { callCode } from "../../src/objects/stubs.ts";

/**
 * Distance of the objects: the round trip of a call to one, milliseconds. `twoTrips`: the partner's object only counts,
 * and the Worker calls the code's object itself.
 */
export const distance = { ms: 0, twoTrips: false };

const placed = new WeakMap<Bindings, Bindings>();

/** The Worker's environment with its objects at that distance. What an object calls is near it, as in production. */
export function placeFar(env: Bindings): Bindings {
	const known = placed.get(env);
	if (known) return known;
	const codes = farFrom(env.PURCHASE_CODES, callStub);
	const PARTNERS = farFrom(env.PARTNERS, async (stub, method, call) => {
		if (!distance.twoTrips) return callStub(stub, method, call);
		const counted = (await callStub(stub, method, undefined)) as EmissionAnswer;
		const request = call as RequestCall;
		const reply = await callCode({ codes }, request, (object) => object.requestCertificate(request));
		return { ...counted, reply };
	});
	const far: Bindings = { ...env, PARTNERS, PURCHASE_CODES: codes };
	placed.set(env, far);
	return far;
}

type Stub = Record<string, (call: unknown) => Promise<unknown>>;
type CallStub = (stub: Stub, method: string, call: unknown) => Promise<unknown>;

const callStub: CallStub = (stub, method, call) => stub[method]!(call);

function farFrom<Objects extends DurableObjectNamespace>(objects: Objects, take: CallStub): Objects {
	const getByName = (...asked: Parameters<typeof objects.getByName>) =>
		new Proxy(objects.getByName(...asked) as unknown as Stub, {
			get: (stub, method: string) => async (call: unknown) => {
				await new Promise((resolve) => setTimeout(resolve, distance.ms));
				return take(stub, method, call);
			},
		});
	return { getByName } as unknown as Objects;
}
