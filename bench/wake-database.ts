/**
 * Makes sure of the connection that statements of this process take to D1: workerd closes one that was idle for
 * seconds, and the next statement on it may fail before it is sent. A read that fails is asked once more.
 */
export async function wakeDatabase(db: D1Database): Promise<void> {
	const read = () => db.prepare("SELECT 1").run();
	await read().catch(read);
}
