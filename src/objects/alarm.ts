/**
 * Sets an object's alarm to ring by `until`, unless the one that is set does. One in the past counts as none, since it
 * may never ring; the new one then rings at once, since nobody knows what that was for. Synchronous, so that it is one
 * write with what the caller stores.
 * @param alarm - what `getAlarm` said
 */
export function ringBy(
	storage: DurableObjectStorage,
	until: number,
	{ alarm, now }: { alarm: number | null; now: number },
): void {
	const isOverdue = alarm !== null && alarm <= now;
	if (isOverdue) void storage.setAlarm(now);
	else if (alarm === null || alarm > until) void storage.setAlarm(until);
}
