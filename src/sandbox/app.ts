import { createApp } from "../app.ts";
import { describePartners, partners } from "./partner-api.ts";

/** The service of local and dev. */
export const app = createApp({ partners, describePartners });
