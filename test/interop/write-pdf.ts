/* PDF 1.7 (ISO 32000-1) written by hand, so that no program has a say in what is to be signed. */

const FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
/** Hex digits that are kept free for a signature: ours with its chain takes about 8,000. */
const SIGNATURE_DIGITS = 16_384;
const UNKNOWN_RANGE = "/ByteRange [0 0000000000 0000000000 0000000000]";

/** A page with one line of text in Latin letters. */
export function writePdf(text: string): Buffer {
	return assemble([
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		page(""),
		writeLine(text),
	]);
}

/**
 * Writes a PDF with a signature (§12.8) over everything in the file but the signature's own digits.
 *
 * @param sign - makes a detached CMS, DER, over these bytes
 */
export async function writeSignedPdf(
	text: string,
	sign: (bytes: Buffer) => Promise<Uint8Array>,
): Promise<Buffer> {
	const gap = `<${"0".repeat(SIGNATURE_DIGITS)}>`;
	const file = assemble([
		"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [5 0 R] /SigFlags 3 >> >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		page("/Annots [5 0 R]"),
		writeLine(text),
		"<< /Type /Annot /Subtype /Widget /FT /Sig /T (Firma) /Rect [0 0 0 0] /F 132 /P 3 0 R /V 6 0 R >>",
		`<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached ${UNKNOWN_RANGE} /Contents ${gap} >>`,
	]);
	const start = file.indexOf(gap);
	const end = start + gap.length;
	const [first, second, third] = [start, end, file.length - end].map((n) => String(n).padStart(10, "0"));
	file.write(`/ByteRange [0 ${first} ${second} ${third}]`, file.indexOf(UNKNOWN_RANGE), "latin1");
	const signature = await sign(Buffer.concat([file.subarray(0, start), file.subarray(end)]));
	file.write(Buffer.from(signature).toString("hex"), start + 1, "latin1");
	return file;
}

function page(more: string): string {
	return `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 ${FONT} >> >> ${more} >>`;
}

function writeLine(text: string): string {
	const content = `BT /F1 12 Tf 20 100 Td (${text.replace(/[()\\]/g, "\\$&")}) Tj ET`;
	return `<< /Length ${content.length} >>\nstream\n${content}\nendstream`;
}

/** Objects from number 1 on, the catalog first, with the table that finds them (§7.5). */
function assemble(objects: string[]): Buffer {
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
