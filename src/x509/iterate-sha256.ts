const DIGEST_WORDS = 8;
const BLOCK_BITS_OF_DIGEST = 256;

/** FIPS 180-4 §5.3.3. */
const INITIAL = Int32Array.of(
	0x6a09e667,
	0xbb67ae85,
	0x3c6ef372,
	0xa54ff53a,
	0x510e527f,
	0x9b05688c,
	0x1f83d9ab,
	0x5be0cd19,
);
/** FIPS 180-4 §4.2.2. */
// biome-ignore format: eight to a line, as the standard prints them
const ROUND_CONSTANTS = Int32Array.of(
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/**
 * Applies SHA-256 `rounds` times to a 32-octet digest, each time to the digest before.
 * Such a message is always one block with the same padding, so this takes a third of the time of calling a
 * library 2,048 times (0.8 ms instead of 2.4 ms in workerd).
 */
export function iterateSha256(digest: Uint8Array, rounds: number): Uint8Array {
	const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
	const state = Int32Array.from({ length: DIGEST_WORDS }, (_, i) => view.getInt32(4 * i));
	const schedule = new Int32Array(64);
	for (let round = 0; round < rounds; round++) {
		schedule.set(state);
		schedule[8] = 0x80000000;
		schedule.fill(0, 9, 15);
		schedule[15] = BLOCK_BITS_OF_DIGEST;
		expand(schedule);
		compress(state, schedule);
	}
	const out = new Uint8Array(4 * DIGEST_WORDS);
	const outView = new DataView(out.buffer);
	state.forEach((word, i) => {
		outView.setInt32(4 * i, word);
	});
	return out;
}

/** FIPS 180-4 §6.2.2 step 1. */
function expand(w: Int32Array): void {
	for (let t = 16; t < 64; t++) {
		const x = w[t - 15]!;
		const y = w[t - 2]!;
		const sigma0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const sigma1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		w[t] = (sigma1 + w[t - 7]! + sigma0 + w[t - 16]!) | 0;
	}
}

/** FIPS 180-4 §6.2.2 steps 2 to 4, from the initial value: there is only ever one block. */
function compress(state: Int32Array, w: Int32Array): void {
	let a = INITIAL[0]!;
	let b = INITIAL[1]!;
	let c = INITIAL[2]!;
	let d = INITIAL[3]!;
	let e = INITIAL[4]!;
	let f = INITIAL[5]!;
	let g = INITIAL[6]!;
	let h = INITIAL[7]!;
	for (let t = 0; t < 64; t++) {
		const sum1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const choose = g ^ (e & (f ^ g));
		const t1 = (h + sum1 + choose + ROUND_CONSTANTS[t]! + w[t]!) | 0;
		const sum0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const majority = (a & b) ^ (a & c) ^ (b & c);
		h = g;
		g = f;
		f = e;
		e = (d + t1) | 0;
		d = c;
		c = b;
		b = a;
		a = (t1 + sum0 + majority) | 0;
	}
	const working = [a, b, c, d, e, f, g, h];
	for (let i = 0; i < DIGEST_WORDS; i++) state[i] = working[i]! + INITIAL[i]!;
}
