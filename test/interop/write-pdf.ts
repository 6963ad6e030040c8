/* PDF 1.7 (ISO 32000-1) written by hand, so that no program has a say in what is to be signed. */

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";

/** Writes a page with one line of text in Latin letters: the catalog first, and the table that finds all (§7.5). */
export function writePdf(text: string): Buffer {
	const content = `BT /F1 12 Tf 20 100 Td (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`;
	const objects = [
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 ${FONT} >> >> >>`,
		`<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
	];
	let file = "%PDF-1.7\n";
	const offsets = objects.map((object, index) => {
		const offset = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return `${String(offset).padStart(10, "0")} 00000 n \n`;
	});
	const table = file.length;
	const size = objects.length + 1;
	file += `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join("")}`;
	file += `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
	return Buffer.from(file, "latin1");
}
