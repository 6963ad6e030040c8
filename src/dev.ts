/** The Worker of local and dev: the same service, and the sandbox that its service bindings reach. */
export { default, PartnerObject, PurchaseCodeObject } from "./index.ts";
export { CivilRegistrySandbox } from "./sandbox/civil-registry-sandbox.ts";
export { SingleSignOnSandbox } from "./sandbox/single-sign-on-sandbox.ts";
