import { readFileSync } from "node:fs";

/* Loaded before the signer's program: its clock runs ahead by the milliseconds that the file of SIGNER_CLOCK has. */

const machineNow = Date.now;
Date.now = () => machineNow() + Number(readFileSync(process.env.SIGNER_CLOCK!, "utf8"));
