import type { Bindings } from "../../src/bindings.ts";

/** How far the objects are: the round trip of a call to one, milliseconds. */
export const distance = { ms: 0 };

const placed = new WeakMap<Bindings, Bindings>();

/** The Worker's environment with its objects at that distance. What an object calls is near it, as in production. */
export function placeFar(env: Bindings): Bindings {
	const known = placed.get(env);
	if (known) return known;
	const far: Bindings = {
		...env,
		PARTNERS: farFrom(env.PARTNERS),
		PURCHASE_CODES: farFrom(env.PURCHASE_CODES),
	};
	placed.set(env, far);
	return far;
}

type Stub = Record<string, (call: unknown) => Promise<unknown>>;

function farFrom(objects: DurableObjectNamespace): DurableObjectNamespace {
	const getByName = (...asked: Parameters<typeof objects.getByName>) =>
		new Proxy(objects.getByName(...asked) as unknown as Stub, {
			get: (stub, method: string) => async (call: unknown) => {
				await new Promise((resolve) => setTimeout(resolve, distance.ms));
				return stub[method]!(call);
			},
		});
	return { getByName } as unknown as DurableObjectNamespace;
}
