/** The Worker of local and dev, as it is. */
// biome-ignore lint/performance/noBarrelFile: workerd looks for entrypoints among the exports of the main module.
export * from "../../../src/dev.ts";
export { default } from "../../../src/dev.ts";
