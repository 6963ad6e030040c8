import type { OpsCommand } from "./command.ts";
import { AUDIT_COMMANDS } from "./commands/audit.ts";
import { CERTIFICATE_COMMANDS } from "./commands/certificates.ts";
import { CODE_COMMANDS } from "./commands/codes.ts";
import { DATABASE_COMMANDS } from "./commands/databases.ts";
import { DELIVERY_COMMANDS } from "./commands/deliveries.ts";
import { HOLDER_COMMANDS } from "./commands/holders.ts";
import { JOB_COMMANDS } from "./commands/jobs.ts";
import { KEY_COMMANDS } from "./commands/keys.ts";
import { PARTNER_COMMANDS } from "./commands/partners.ts";
import { RESTORED_COMMANDS } from "./commands/restored.ts";
import { WIDGET_COMMANDS } from "./commands/widget.ts";

/** Ordered as in the help. */
export const COMMANDS: readonly OpsCommand[] = [
	...PARTNER_COMMANDS,
	...KEY_COMMANDS,
	...WIDGET_COMMANDS,
	...CODE_COMMANDS,
	...DELIVERY_COMMANDS,
	...CERTIFICATE_COMMANDS,
	...HOLDER_COMMANDS,
	...AUDIT_COMMANDS,
	...JOB_COMMANDS,
	...DATABASE_COMMANDS,
	...RESTORED_COMMANDS,
];
