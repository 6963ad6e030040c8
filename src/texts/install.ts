import type { Text } from "./language.ts";

/*
 * The page that says what to do with the file. The steps of Windows, macOS, iOS, Android and Firefox, and of the tax
 * authority's site, come from their makers' help pages and from Chilean sellers' guides; none was tried on the system
 * itself (docs/decisions/0020-what-holders-get.md lists which, and what to compare before the first holder reads it).
 */

export const INSTALL = {
	title: { es: "¿Y ahora? Instale y use su certificado", en: "What now? Install and use your certificate" },
	contents: { es: "En esta página", en: "On this page" },
	fileTitle: { es: "Qué es el archivo", en: "What the file is" },
	file: [
		{
			es: "Su certificado es un archivo que termina en .pfx, por ejemplo certificado-12345678-5.pfx. Adentro están su nombre, su RUT y la clave de la firma, cerrados con el PIN de 4 dígitos que usted creó.",
			en: "Your certificate is a file whose name ends in .pfx, for example certificado-12345678-5.pfx. In it are your name, your RUT and the key you sign with, locked by the 4-digit PIN that you created.",
		},
		{
			es: "Quien tenga el archivo y el PIN puede firmar por usted. Guarde una copia del archivo, anote el PIN en otro lugar y no se los envíe a nadie. No los conservamos: si los pierde, hay que emitir otro certificado.",
			en: "Whoever has the file and the PIN can sign for you. Keep a copy of the file, note the PIN somewhere else and send them to nobody. We do not keep them: if you lose them, another certificate has to be issued.",
		},
	],
	whereTitle: { es: "Dónde quedó", en: "Where it went" },
	where: [
		{
			es: "En el computador: en la carpeta Descargas, salvo que su navegador guarde en otra.",
			en: "On a computer: in the Downloads folder, unless your browser saves elsewhere.",
		},
		{
			es: "En un iPhone o iPad: abra la app Archivos, toque Explorar y entre a la carpeta Descargas, en iCloud Drive o en «En mi iPhone».",
			en: "On an iPhone or iPad: open the Files app, tap Browse and go to the Downloads folder, in iCloud Drive or “On My iPhone”.",
		},
		{
			es: "En un Android: abra la app Archivos (en Samsung, Mis archivos) y toque Descargas.",
			en: "On an Android telephone: open the Files app (on a Samsung, My Files) and tap Downloads.",
		},
		{
			es: "¿No está? Si abrió el enlace dentro de WhatsApp, Instagram o el correo, ábralo en Safari o Chrome y descárguelo ahí antes de la hora que indica la página del certificado. Si se lo entrega la empresa que se lo vendió, pídaselo a ella.",
			en: "Is it not there? If you opened the link inside WhatsApp, Instagram or your mail, open it in Safari or Chrome and download it there before the time that the certificate's page gives. If your seller hands it over, ask the seller.",
		},
		{
			es: "¿Lo necesita en el computador? Páselo con un cable, AirDrop o Quick Share. Si usa el correo, envíeselo solo a usted, sin el PIN, y después borre el mensaje.",
			en: "Do you need it on your computer? Move it by cable, AirDrop or Quick Share. If you use e-mail, send it to yourself alone, without the PIN, and delete the message afterwards.",
		},
	],
	installTitle: { es: "Cómo instalarlo", en: "How to install it" },
	install: {
		es: "Instálelo donde vaya a firmar o a identificarse. Para subirlo al sitio del SII o a un programa de facturación no hace falta: ahí se usan el archivo y el PIN.",
		en: "Install it where you are going to sign or to identify yourself. To upload it to the SII's site or to an invoicing program you need not: those take the file and the PIN.",
	},
	systems: {
		es: "Elija su equipo. El que parece ser el suyo está primero y abierto.",
		en: "Choose your device. The one that seems to be yours comes first and is open.",
	},
	refused: {
		es: "¿Dice que la contraseña no es correcta, y el PIN está bien? Los sistemas antiguos (macOS o iOS anterior a 15, Android anterior a 14) no abren este archivo. Pruebe en otro equipo o pida ayuda a la empresa que se lo vendió.",
		en: "Does it say that the password is wrong, though the PIN is right? Old systems (macOS or iOS before 15, Android before 14) do not open this file. Try another device or ask your seller for help.",
	},
	useTitle: { es: "Qué pide el SII antes de firmar", en: "What the SII asks for before you sign" },
	use: {
		es: "El Servicio de Impuestos Internos (SII) pide dos cosas antes de que usted firme una factura u otro documento tributario:",
		en: "The tax authority (Servicio de Impuestos Internos, SII) asks for two things before you sign an invoice or another tax document:",
	},
	useSteps: [
		{
			es: "Habilitar su certificado. Entre a sii.cl con su RUT y su Clave Tributaria, los suyos y no los de la empresa. En Servicios online, Factura electrónica, Sistema de facturación gratuito del SII, elija centralizar su certificado digital, suba el archivo .pfx y escriba su PIN como contraseña.",
			en: "Enable your certificate. Sign in at sii.cl with your own RUT and Clave Tributaria, not the company's. Under Servicios online, Factura electrónica, Sistema de facturación gratuito del SII, choose to centralise your digital certificate (“centralizar su certificado digital”), upload the .pfx file and enter your PIN as its password.",
		},
		{
			es: "Estar autorizado por la empresa. El certificado es suyo, no de la empresa. Su representante o un usuario administrador ingresa el RUT de usted en la mantención de usuarios autorizados y marca «Firmar documentos».",
			en: "Be authorised for the company. The certificate is yours, not the company's. Its representative or an administrator enters your RUT among the authorised users (“mantención de usuarios”) and ticks “Firmar documentos”.",
		},
	],
	usePrograms: {
		es: "Si factura con otro programa, súbalo en ese programa según sus instrucciones. La autorización de la empresa en el SII se necesita igual. El sitio es del SII, que puede cambiar sus menús.",
		en: "If you invoice with another program, upload it there as that program says. The company's authorisation at the SII is needed all the same. The site is the SII's, which may change its menus.",
	},
	promiseTitle: {
		es: "Qué puede prometer solo un emisor acreditado",
		en: "What only an accredited issuer can promise",
	},
	promise: [
		{
			es: "Salvo que el emisor esté acreditado según la Ley 19.799, lo que usted firma con este certificado lleva una firma electrónica simple. La ley reserva la avanzada a los certificados de un prestador acreditado.",
			en: "Unless the issuer is accredited under Law 19.799, what you sign with this certificate has a simple electronic signature. The law keeps the advanced one for certificates of an accredited provider.",
		},
		{
			es: "Que el SII u otro organismo acepte el certificado depende de la acreditación del emisor y de las reglas de cada organismo. No podemos prometerlo aquí. Si lo compró para un trámite determinado, pregunte antes a la empresa que se lo vendió.",
			en: "Whether the SII or another body accepts the certificate depends on the issuer's accreditation and on that body's rules. We cannot promise it here. If you bought it for a certain purpose, ask your seller first.",
		},
		{
			es: "Un certificado cuyo emisor empieza con TEST es de prueba: no sirve para nada real.",
			en: "A certificate whose issuer begins with TEST is for trials: it is good for nothing real.",
		},
	],
	lostTitle: { es: "Si lo pierde o se lo roban", en: "If you lose it or it is stolen" },
	lost: {
		es: "Revóquelo de inmediato con su RUT y su correo. Desde ese momento deja de servir para firmar.",
		en: "Revoke it at once with your RUT and your e-mail address. From then on it is no good for signing.",
	},
	revoke: { es: "Revocar mi certificado", en: "Revoke my certificate" },
} as const satisfies Record<string, Text | readonly Text[]>;
