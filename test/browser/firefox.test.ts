import { describe } from "vitest";

/* Firefox walks these files one after the other: it has a dozen processes, as many as two cores take. */

process.env.ENGINE = "firefox-esr";
// Its hooks are this file's, so that Firefox starts once.
await import("./browsers.ts");

describe("walk", async () => void (await import("./walk.test.ts")));
describe("demo-shop", async () => void (await import("./demo-shop.test.ts")));
describe("revocar", async () => void (await import("./revocar.test.ts")));
