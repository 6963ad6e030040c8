import { describe } from "vitest";

/* Firefox walks these files one after the other: it has a dozen processes, as many as two cores take. */

describe("walk", () => import("./walk.test.ts"));
describe("demo-shop", () => import("./demo-shop.test.ts"));
describe("revocar", () => import("./revocar.test.ts"));
