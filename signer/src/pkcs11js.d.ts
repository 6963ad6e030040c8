/** Declares what is used of pkcs11js, whose own types are there only once it is compiled. */
declare module "pkcs11js" {
	export type Handle = Buffer;
	export type Attribute = { type: number; value?: number | boolean | string | Buffer };
	type Mechanism = { mechanism: number };
	type TokenInfo = Record<"label" | "manufacturerID" | "model" | "serialNumber", string>;
	export interface Module {
		load(path: string): void;
		C_Initialize(options: { flags: number }): void;
		C_Finalize(): void;
		C_GetSlotList(withToken: boolean): Handle[];
		C_GetTokenInfo(slot: Handle): TokenInfo;
		C_OpenSession(slot: Handle, flags: number): Handle;
		C_Login(session: Handle, user: number, pin: string): void;
		C_FindObjectsInit(session: Handle, template: Attribute[]): void;
		C_FindObjects(session: Handle, most: number): Handle[];
		C_FindObjectsFinal(session: Handle): void;
		C_GetAttributeValue(session: Handle, object: Handle, template: Attribute[]): { value: Buffer }[];
		C_GenerateKeyPair(session: Handle, mechanism: Mechanism, open: Attribute[], secret: Attribute[]): unknown;
		C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void;
		C_SignAsync(session: Handle, bytes: Buffer, room: Buffer): Promise<Buffer>;
	}
	const pkcs11: { PKCS11: new () => Module };
	export default pkcs11;
}
