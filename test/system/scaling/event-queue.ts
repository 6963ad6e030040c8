/** A binary heap of numbered events by time; equal times in no particular order. */
export class EventQueue {
	readonly #times: number[] = [];
	readonly #events: number[] = [];

	/** When the next event happens; Infinity when there is none. */
	get nextAt(): number {
		return this.#times[0] ?? Number.POSITIVE_INFINITY;
	}

	get size(): number {
		return this.#times.length;
	}

	push(at: number, event: number): void {
		let i = this.#times.length;
		this.#times.push(at);
		this.#events.push(event);
		while (i > 0) {
			const parent = (i - 1) >> 1;
			if (this.#times[parent]! <= at) break;
			this.#move(parent, i);
			i = parent;
		}
		this.#set(i, at, event);
	}

	/** @throws when there is none. */
	pop(): number {
		const event = this.#events[0];
		if (event === undefined) throw new Error("no event");
		const at = this.#times.pop()!;
		const last = this.#events.pop()!;
		const size = this.#times.length;
		if (size === 0) return event;
		let i = 0;
		for (;;) {
			let child = 2 * i + 1;
			if (child >= size) break;
			if (child + 1 < size && this.#times[child + 1]! < this.#times[child]!) child++;
			if (this.#times[child]! >= at) break;
			this.#move(child, i);
			i = child;
		}
		this.#set(i, at, last);
		return event;
	}

	#move(from: number, to: number): void {
		this.#times[to] = this.#times[from]!;
		this.#events[to] = this.#events[from]!;
	}

	#set(i: number, at: number, event: number): void {
		this.#times[i] = at;
		this.#events[i] = event;
	}
}
