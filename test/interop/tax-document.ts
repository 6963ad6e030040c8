const DSIG = "http://www.w3.org/2000/09/xmldsig#";
const CANONICAL = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

/** The algorithms a signature names. The tax authority's schema fixes `rsaSha1`. */
export const ALGORITHMS = {
	rsaSha1: { signature: `${DSIG}rsa-sha1`, digest: `${DSIG}sha1` },
	rsaSha256: {
		signature: "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
		digest: "http://www.w3.org/2001/04/xmlenc#sha256",
	},
} as const;

/** The element whose `ID` the signature refers to, as xmlsec1 wants it named. */
export const SIGNED_ELEMENT = "http://www.sii.cl/SiiDte:Documento";

/**
 * An invoice as the tax authority's DTE_v10.xsd shapes it, as far as signing goes: ISO-8859-1, the signature next to
 * the Documento it refers to, and in it (xmldsignature_v10.xsd) KeyValue before X509Data. What a signer fills in is
 * empty.
 */
export function writeTaxDocument({
	signature,
	digest,
}: (typeof ALGORITHMS)[keyof typeof ALGORITHMS]): Buffer {
	const text = `<?xml version="1.0" encoding="ISO-8859-1"?>
<DTE xmlns="http://www.sii.cl/SiiDte" version="1.0"><Documento ID="F7T33">
<Encabezado>
<IdDoc><TipoDTE>33</TipoDTE><Folio>7</Folio><FchEmis>2026-11-20</FchEmis></IdDoc>
<Emisor><RUTEmisor>76123456-0</RUTEmisor><RznSoc>Panadería Ñuñoa &amp; Cía.</RznSoc></Emisor>
<Receptor><RUTRecep>60803000-K</RUTRecep><RznSocRecep>Servicio de Impuestos</RznSocRecep></Receptor>
<Totales><MntNeto>1000</MntNeto><TasaIVA>19</TasaIVA><IVA>190</IVA><MntTotal>1190</MntTotal></Totales>
</Encabezado>
<Detalle><NroLinDet>1</NroLinDet><NmbItem>Pan</NmbItem><MontoItem>1000</MontoItem></Detalle>
<TmstFirma>2026-11-20T12:00:00</TmstFirma>
</Documento><Signature xmlns="${DSIG}"><SignedInfo>
<CanonicalizationMethod Algorithm="${CANONICAL}"/>
<SignatureMethod Algorithm="${signature}"/>
<Reference URI="#F7T33">
<Transforms><Transform Algorithm="${CANONICAL}"/></Transforms>
<DigestMethod Algorithm="${digest}"/>
<DigestValue/>
</Reference>
</SignedInfo><SignatureValue/><KeyInfo><KeyValue/><X509Data><X509Certificate/></X509Data></KeyInfo></Signature></DTE>
`;
	return Buffer.from(text, "latin1");
}
