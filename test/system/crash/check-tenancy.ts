import { copyAddress } from "./calls.ts";
import type { Journal } from "./journal.ts";
import type { Snapshot } from "./snapshot.ts";

/** Invariant 6: no answer, webhook or e-mail tells a partner of another's codes; each tells of what it was asked. */
export function checkTenancy(journal: Journal, { codes }: Snapshot): string[] {
	const broken: string[] = [];
	const partnerIds = new Map(journal.calls.map(({ partner }) => [partner.kind, partner.id]));
	const ownerOf = (code: string) => codes.get(code)?.partner_id;
	for (const { kind, partner, code, answer } of journal.calls) {
		if (!answer?.body?.success) continue;
		const { data } = answer.body;
		if (kind === "list")
			for (const { pcode } of data.pcodes)
				if (ownerOf(pcode) !== partner.id) broken.push(`6: ${partner.kind} was shown ${pcode}`);
		if (kind === "request" || kind === "claim") {
			const holder = journal.holders.get(code ?? "");
			const isOurs = data.p_code === code && (!data.titular || data.titular.rut === holder?.rut);
			if (!isOurs) broken.push(`6: the answer about ${code} tells of ${data.p_code}`);
		}
	}
	for (const { partnerKind, body } of journal.webhooks) {
		const { p_code, titular } = JSON.parse(body).data as { p_code: string; titular?: { rut: string } };
		const isHolders = !titular || titular.rut === journal.holders.get(p_code)?.rut;
		if (ownerOf(p_code) !== partnerIds.get(partnerKind) || !isHolders)
			broken.push(`6: ${partnerKind} got a webhook of ${p_code}`);
	}
	for (const { to, code } of journal.mails) {
		const holder = journal.holders.get(code);
		const isPartners = [...partnerIds].some(
			([kind, id]) => to === `${kind}@partners.example` && id === ownerOf(code),
		);
		if (!isPartners && (!holder || to !== copyAddress(holder))) broken.push(`6: ${to} got a mail of ${code}`);
	}
	return broken;
}
