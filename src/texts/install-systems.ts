import type { Text } from "./language.ts";

/* How to install the file, by system; what is known of each is in install.ts and in docs/decisions/0020-what-holders-get.md. */

interface SystemTexts {
	name: Text;
	steps: readonly Text[];
	/** Which programs use it then, and what may stop it. */
	usedBy: Text;
	/** Words in its drawing. */
	drawn: readonly Text[];
}

const same = (text: string): Text => ({ es: text, en: text });

export const SYSTEMS = {
	windows: {
		name: same("Windows"),
		steps: [
			{
				es: "Abra la carpeta Descargas y haga doble clic en el archivo .pfx. Se abre el Asistente para importar certificados.",
				en: "Open the Downloads folder and double-click the .pfx file. The Certificate Import Wizard opens.",
			},
			{
				es: "Deje elegido «Usuario actual» y presione Siguiente dos veces.",
				en: "Leave “Current User” chosen and press Next twice.",
			},
			{
				es: "En «Contraseña» escriba su PIN de 4 dígitos. Deje las demás casillas como están y presione Siguiente.",
				en: "Enter your 4-digit PIN as the “Password”. Leave the other boxes as they are and press Next.",
			},
			{
				es: "Deje elegido «Seleccionar automáticamente el almacén de certificados», presione Siguiente y luego Finalizar.",
				en: "Leave “Automatically select the certificate store” chosen, press Next and then Finish.",
			},
			{
				es: "Si Windows advierte que va a instalar el certificado de una autoridad, responda No si no reconoce su nombre: su propio certificado se instala igual.",
				en: "If Windows warns that an authority's certificate is about to be installed, answer No unless you know its name: your own certificate is installed all the same.",
			},
		],
		usedBy: {
			es: "Edge, Chrome y los programas de Windows que firman lo encuentran solos.",
			en: "Edge, Chrome and the Windows programs that sign find it by themselves.",
		},
		drawn: [
			{ es: "Importar certificados", en: "Import certificates" },
			{ es: "Contraseña", en: "Password" },
			{ es: "Siguiente", en: "Next" },
		],
	},
	macos: {
		name: same("Mac"),
		steps: [
			{
				es: "Abra la carpeta Descargas y haga doble clic en el archivo .pfx. Se abre Acceso a Llaveros.",
				en: "Open the Downloads folder and double-click the .pfx file. Keychain Access opens.",
			},
			{
				es: "Si no se abre, búsquelo con Spotlight (⌘ y barra espaciadora: «Acceso a Llaveros») y arrastre el archivo a su ventana.",
				en: "If it does not open, find it with Spotlight (⌘ and space bar: “Keychain Access”) and drag the file into its window.",
			},
			{
				es: "Elija el llavero «inicio de sesión» y presione Agregar.",
				en: "Choose the “login” keychain and press Add.",
			},
			{
				es: "Escriba su PIN de 4 dígitos como contraseña del archivo. Si el Mac pide otra contraseña, es la de su usuario.",
				en: "Enter your 4-digit PIN as the file's password. If the Mac asks for another one, it is your user's.",
			},
			{
				es: "Su nombre aparece en «Mis certificados».",
				en: "Your name appears under “My Certificates”.",
			},
		],
		usedBy: {
			es: "Safari, Chrome y Mail lo encuentran solos.",
			en: "Safari, Chrome and Mail find it by themselves.",
		},
		drawn: [
			{ es: "inicio de sesión", en: "login" },
			{ es: "Mis certificados", en: "My Certificates" },
			{ es: "Agregar", en: "Add" },
		],
	},
	iphone: {
		name: { es: "iPhone y iPad", en: "iPhone and iPad" },
		steps: [
			{
				es: "Abra la app Archivos, entre a Descargas y toque el archivo .pfx. Aparece el aviso «Perfil descargado»; ciérrelo.",
				en: "Open the Files app, go to Downloads and tap the .pfx file. A notice says “Profile Downloaded”; close it.",
			},
			{
				es: "Antes de 8 minutos abra Configuración y toque «Perfil descargado», arriba, debajo de su nombre. Si no está, vea en General, VPN y administración de dispositivos.",
				en: "Within 8 minutes open Settings and tap “Profile Downloaded”, at the top, beneath your name. If it is not there, look in General, VPN & Device Management.",
			},
			{
				es: "Toque Instalar y escriba el código con que desbloquea el teléfono. Si dice que el perfil no está firmado, puede seguir.",
				en: "Tap Install and enter the code that unlocks your telephone. If it says that the profile is not signed, you can go on.",
			},
			{
				es: "Cuando pida la contraseña del certificado, escriba su PIN de 4 dígitos. Toque Listo.",
				en: "When it asks for the certificate's password, enter your 4-digit PIN. Tap Done.",
			},
		],
		usedBy: {
			es: "Safari y Mail lo usan. Otras apps no ven los certificados del teléfono: algunas piden el archivo.",
			en: "Safari and Mail use it. Other apps do not see the telephone's certificates: some ask for the file.",
		},
		drawn: [
			{ es: "Configuración", en: "Settings" },
			{ es: "Perfil descargado", en: "Profile Downloaded" },
			same("General"),
		],
	},
	android: {
		name: same("Android"),
		steps: [
			{
				es: "El teléfono debe tener bloqueo de pantalla con PIN, patrón o contraseña.",
				en: "The telephone needs a screen lock with a PIN, pattern or password.",
			},
			{
				es: "Abra Configuración o Ajustes y busque «certificado» en el buscador de arriba. Suele estar en Seguridad y privacidad, Más ajustes de seguridad, Encriptación y credenciales.",
				en: "Open Settings and search for “certificate” at the top. It is mostly in Security & privacy, More security settings, Encryption & credentials.",
			},
			{
				es: "Toque «Instalar un certificado» y después «Certificado de usuario de VPN y apps». No elija «Certificado de CA».",
				en: "Tap “Install a certificate”, then “VPN & app user certificate”. Do not choose “CA certificate”.",
			},
			{
				es: "Elija el archivo .pfx en Descargas, escriba su PIN de 4 dígitos y acepte el nombre que propone.",
				en: "Choose the .pfx file in Downloads, enter your 4-digit PIN and accept the name that it offers.",
			},
		],
		usedBy: {
			es: "Chrome lo ofrece cuando un sitio lo pide. Los nombres de los menús cambian con cada marca de teléfono.",
			en: "Chrome offers it when a site asks. The menus' names differ from maker to maker.",
		},
		drawn: [
			{ es: "Instalar un certificado", en: "Install a certificate" },
			{ es: "Usuario de VPN y apps", en: "VPN & app user" },
			{ es: "Certificado de CA", en: "CA certificate" },
		],
	},
	firefox: {
		name: same("Firefox"),
		steps: [
			{
				es: "En el computador, abra el menú ☰ y elija Ajustes.",
				en: "On a computer, open the menu ☰ and choose Settings.",
			},
			{
				es: "Elija «Privacidad y seguridad», baje hasta «Certificados» y presione «Ver certificados…».",
				en: "Choose “Privacy & Security”, scroll to “Certificates” and press “View Certificates…”.",
			},
			{
				es: "En la pestaña «Sus certificados» presione «Importar…» y elija el archivo .pfx.",
				en: "On the tab “Your Certificates” press “Import…” and choose the .pfx file.",
			},
			{
				es: "Escriba su PIN de 4 dígitos como contraseña y acepte.",
				en: "Enter your 4-digit PIN as the password and accept.",
			},
		],
		usedBy: {
			es: "Solo Firefox lo usa así. Para otros programas, instálelo también en el sistema.",
			en: "Only Firefox uses it in this way. For other programs, install it in the system too.",
		},
		drawn: [
			{ es: "Sus certificados", en: "Your Certificates" },
			{ es: "Importar…", en: "Import…" },
			{ es: "Ver certificados…", en: "View Certificates…" },
		],
	},
} as const satisfies Record<string, SystemTexts>;

export type SystemName = keyof typeof SYSTEMS;
